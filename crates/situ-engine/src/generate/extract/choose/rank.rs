//! Ranking of fragments: those with the most untaken branches first, then the most deeply nested.

use crate::generate::extract::candidate::statement::Statement;
use crate::generate::extract::find::survey::Survey;
use crate::record::plan::Site;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

/// Keeps so many fragments, before their candidates are processed, in source order.
pub(crate) fn keep_top(top: usize, statements: &mut Vec<Statement>, survey: &Survey) {
    let mut order: Vec<usize> = (0..statements.len()).collect();
    order.sort_by_cached_key(|at| {
        let statement = &statements[*at];
        let not_taken = statement.branches.difference(&statement.taken).count();
        (
            Reverse(not_taken),
            Reverse(nesting(&statement.site, survey)),
            statement.value_sets,
        )
    });
    order.truncate(top);
    let mut at = 0;
    statements.retain(|_| {
        at += 1;
        order.contains(&(at - 1))
    });
}

/// Returns the number of enclosing fragments and closures.
fn nesting(site: &Site, survey: &Survey) -> usize {
    let is_around = |other: &&Site| {
        let (inner, outer) = (site.range(), other.range());
        other.file == site.file
            && other.position.is_statement()
            && outer != inner
            && outer.start <= inner.start
            && inner.end <= outer.end
    };
    survey.sites.values().filter(is_around).count()
}

/// Returns, for each line, the smallest site that contains it.
pub(crate) fn innermost_at<'s>(
    lines: &[(PathBuf, usize)],
    sites: &[&'s Site],
    survey: &Survey,
) -> Vec<&'s Site> {
    let innermost = lines.iter().filter_map(|(file, line)| {
        let at = sites.iter().filter(|site| {
            Path::new(&site.file).ends_with(file) && survey.lines(site).contains(line)
        });
        at.min_by_key(|site| site.range().len()).copied()
    });
    innermost.collect()
}

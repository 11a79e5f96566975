//! Which fragments come first: those whose mutants the crate's own tests leave alive, then the most deeply nested.

use super::choose::{Choice, kills};
use super::matrix::Judgement;
use super::rows::Group;
use super::statement::Statement;
use super::survey::Survey;
use crate::record::plan::Site;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Keeps the tests of so many fragments; the others' rows are not kept.
pub fn keep_top(
    top: usize,
    statements: &[Statement],
    survey: &Survey,
    choices: &mut [Choice],
    groups: &[Group],
    judgement: &Judgement,
) {
    let mut order: Vec<usize> = (0..statements.len()).filter(|at| !choices[*at].kept.is_empty()).collect();
    order.sort_by_cached_key(|at| {
        let killed: BTreeSet<u32> = choices[*at].kept.iter().flat_map(|row| kills(row, groups, judgement)).collect();
        let only_here = killed.difference(&judgement.killed_by_unit).count();
        (Reverse(only_here), Reverse(nesting(&statements[*at].site, survey)))
    });
    for at in order.into_iter().skip(top) {
        choices[at].kept.clear();
    }
}

/// In how many other fragments and closures it stands.
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

/// Of the sites that reach over a line, the smallest; for each of the lines.
pub fn innermost_at<'s>(lines: &[(PathBuf, usize)], sites: &[&'s Site], survey: &Survey) -> Vec<&'s Site> {
    let innermost = lines.iter().filter_map(|(file, line)| {
        let at = sites.iter().filter(|site| Path::new(&site.file).ends_with(file) && survey.lines(site).contains(line));
        at.min_by_key(|site| site.range().len()).copied()
    });
    innermost.collect()
}

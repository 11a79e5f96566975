//! ARCHITECTURE.md names what there is, and nothing else; every link in the prose leads somewhere.

use testkit::{markdown, repository};

/// The page is read as a list of names in backticks; what looks like a path has to be one.
fn looks_like_a_path(span: &str) -> bool {
    let plain = !span.contains(|c: char| c.is_whitespace() || "<>*|(){}!\"'".contains(c));
    plain
        && !span.contains("::")
        && (span.contains('/')
            || [".md", ".rs", ".toml"]
                .iter()
                .any(|end| span.ends_with(end)))
}

#[test]
fn each_path_in_the_architecture_exists() {
    let spans = markdown::code_spans(&repository::text("ARCHITECTURE.md"));
    let paths: Vec<&String> = spans
        .iter()
        .filter(|span| looks_like_a_path(span))
        .collect();
    let gone: Vec<_> = paths
        .iter()
        .filter(|path| !repository::root().join(path).exists())
        .collect();
    assert!(
        gone.is_empty(),
        "ARCHITECTURE.md names what does not exist: {gone:?}"
    );
    assert!(
        paths.len() >= repository::packages().len(),
        "ARCHITECTURE.md names hardly a path: {paths:?}"
    );
}

#[test]
fn each_crate_has_a_section_that_names_its_top_modules() {
    let page = repository::text("ARCHITECTURE.md");
    let mut missing = Vec::new();
    for package in repository::packages()
        .into_iter()
        .filter(|package| package.starts_with("crates/"))
    {
        let Some(section) = markdown::section(&page, &format!("`{package}`")) else {
            missing.push(package);
            continue;
        };
        let named = markdown::code_spans(&section);
        let modules = top_modules(&package)
            .into_iter()
            .filter(|module| !named.contains(module));
        missing.extend(modules.map(|module| format!("{package}: {module}")));
    }
    assert!(
        missing.is_empty(),
        "ARCHITECTURE.md has no word on: {missing:#?}"
    );
}

#[test]
fn each_example_and_benchmark_is_named_in_the_architecture() {
    let named = markdown::code_spans(&repository::text("ARCHITECTURE.md"));
    let missing: Vec<String> = repository::packages()
        .into_iter()
        .filter(|package| !named.contains(package))
        .collect();
    assert!(
        missing.is_empty(),
        "ARCHITECTURE.md has no word on: {missing:#?}"
    );
}

fn top_modules(package: &str) -> Vec<String> {
    let entries = repository::entries(&format!("{package}/src")).into_iter();
    let mut modules: Vec<String> = entries
        .map(|entry| entry.trim_end_matches(".rs").to_string())
        .collect();
    modules.retain(|module| !["lib", "main", "bin"].contains(&module.as_str()));
    modules.dedup();
    modules
}

#[test]
fn each_glossary_has_at_most_fifteen_entries() {
    let page = repository::text("ARCHITECTURE.md");
    for heading in ["Glossary", "Glossary of the engine"] {
        let glossary =
            markdown::section(&page, heading).expect("ARCHITECTURE.md has two glossaries");
        let entries = glossary
            .lines()
            .filter(|line| line.starts_with("- **"))
            .count();
        assert!(
            (1..=15).contains(&entries),
            "{heading} has {entries} entries"
        );
    }
}

#[test]
fn no_bullet_of_the_architecture_is_longer_than_five_lines() {
    let page = repository::text("ARCHITECTURE.md");
    let mut long = Vec::new();
    let mut bullet: (&str, usize) = ("", 0);
    for line in page.lines().chain([""]) {
        let goes_on = line.starts_with("  ") && bullet.1 > 0;
        if !goes_on && bullet.1 > 5 {
            long.push(bullet.0);
        }
        bullet = match (goes_on, line.starts_with("- ")) {
            (true, _) => (bullet.0, bullet.1 + 1),
            (false, true) => (line, 1),
            (false, false) => ("", 0),
        };
    }
    assert!(
        long.is_empty(),
        "say it in two sentences, or in several bullets: {long:#?}"
    );
}

#[test]
fn each_link_leads_to_a_file() {
    let mut dead = Vec::new();
    for page in repository::pages() {
        let folder = repository::root().join(&page);
        let folder = folder.parent().expect("a page stands in a folder");
        let targets = markdown::links_to_files(&repository::text(&page)).into_iter();
        dead.extend(
            targets
                .filter(|target| !folder.join(target).exists())
                .map(|target| format!("{page}: {target}")),
        );
    }
    assert!(dead.is_empty(), "links that lead nowhere: {dead:#?}");
}

#[test]
fn the_table_of_contents_lists_every_page_of_the_book() {
    let listed = markdown::links_to_files(&repository::text("book/src/SUMMARY.md"));
    let mut pages = repository::book_pages();
    pages.retain(|page| page != "SUMMARY.md");
    let forgotten: Vec<&String> = pages.iter().filter(|page| !listed.contains(page)).collect();
    assert!(
        forgotten.is_empty(),
        "pages that no reader finds: {forgotten:?}"
    );
    assert!(pages.len() > 3, "hardly a book: {pages:?}");
}

#[test]
fn every_module_opens_with_what_it_is_for() {
    let mut silent = Vec::new();
    for package in repository::packages() {
        let files = repository::rust_files(&format!("{package}/src")).into_iter();
        silent.extend(files.filter(|file| !repository::text(file).starts_with("//!")));
    }
    assert!(
        silent.is_empty(),
        "these files do not open with `//!`: {silent:#?}"
    );
}

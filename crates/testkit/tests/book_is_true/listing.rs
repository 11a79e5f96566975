//! A Rust block of a page, as a module of a project.

use std::fs;

use testkit::markdown::{self, CodeBlock};
use testkit::project::Project;
use testkit::repository;

/// What a page claims of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    Passes,
    Fails,
    IsRefused,
}

/// A Rust block, and the `text` block right after it.
pub struct Listing {
    pub page: String,
    pub module: String,
    pub code: CodeBlock,
    pub shown: Option<CodeBlock>,
}

impl Listing {
    /// All listings of which the pages claim this.
    pub fn all(claim: Claim) -> Vec<Listing> {
        let shown = |block: &CodeBlock| block.is("rust") && !block.is("ignore");
        let prose = repository::pages()
            .into_iter()
            .flat_map(|page| of_page(&page, shown));
        // A doctest compiles, but its in-situ tests do not run; here they do.
        let rustdoc = repository::rustdoc_pages()
            .into_iter()
            .flat_map(|page| of_page(&page, |block| block.is("")));
        prose
            .chain(rustdoc)
            .filter(|listing| listing.claim() == claim)
            .collect()
    }

    /// The code, with the lines that rustdoc and mdBook hide, but for the assertions that make a doctest of it.
    fn whole_code(&self) -> String {
        let lines = self
            .code
            .code
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(hidden) if hidden.starts_with("assert") => "",
                Some(hidden) => hidden,
                None => line,
            });
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    fn claim(&self) -> Claim {
        match () {
            () if self.code.is("should_panic") => Claim::Fails,
            () if self.code.is("compile_fail") => Claim::IsRefused,
            () => Claim::Passes,
        }
    }

    /// Where the listing's code stands in the project.
    pub fn path(&self) -> String {
        format!("src/{}/lib.rs", self.module)
    }

    /// Compares what was said with what the page shows, or writes it into the page if so asked. Gives back how they
    /// differ.
    pub fn compare(&self, said: &str) -> Option<String> {
        // In the book each listing is a user's whole `src/lib.rs`.
        let said = said
            .replace(&self.path(), "src/lib.rs")
            .replace(&format!("`{}`", self.module), "the root");
        let said = format!("{}\n", said.trim());
        let place = format!("{}, line {}", self.page, self.code.line);
        let Some(shown) = &self.shown else {
            return Some(format!("{place}: no `text` block shows what is said"));
        };
        if shown.code == said {
            return None;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            let path = repository::root().join(&self.page);
            let page = fs::read_to_string(&path).expect("pages can be read");
            fs::write(
                &path,
                page.replacen(&between(self, &shown.code), &between(self, &said), 1),
            )
            .expect("and written");
            return None;
        }
        Some(format!(
            "{place}\n--- shown\n{}--- said\n{said}",
            shown.code
        ))
    }
}

/// The end of the listing and what follows it, so that the right `text` block is replaced.
fn between(listing: &Listing, shown: &str) -> String {
    format!("{}```\n\n```text\n{shown}```", listing.code.code)
}

fn of_page(page: &str, is_listing: fn(&CodeBlock) -> bool) -> Vec<Listing> {
    let blocks = markdown::code_blocks(&repository::text(page));
    let name: String = page
        .trim_end_matches(".md")
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect();
    let mut listings = Vec::new();
    for (index, code) in blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| is_listing(block))
    {
        let module = format!("{}_{}", name.to_lowercase(), code.line);
        let shown = blocks
            .get(index + 1)
            .filter(|next| next.is("text"))
            .cloned();
        listings.push(Listing {
            page: page.to_string(),
            module,
            code: code.clone(),
            shown,
        });
    }
    listings
}

/// A project whose modules are these listings.
pub fn project(name: &str, listings: &[Listing]) -> Project {
    let project = Project::new(env!("CARGO_TARGET_TMPDIR"), name);
    let dependencies = "[dependencies]\nsitu = { path = SITU }\n[dev-dependencies]\nsitu = { path = SITU, features = [\"test\"] }\n";
    project.write_manifest(name, dependencies);
    // What a page shows is complete, but nobody calls it.
    let mut root = "#![deny(warnings)]\n#![allow(dead_code)]\n".to_string();
    for listing in listings {
        root.push_str(&format!(
            "#[path = \"{0}/lib.rs\"]\nmod {0};\n",
            listing.module
        ));
        project.write(&listing.path(), &listing.whole_code());
    }
    project.write("src/lib.rs", &root);
    project
}

//! How fast `#[situ]` expands, and how many tokens it emits for a test.

use std::fs;
use std::hint::black_box;
use std::io::{self, Error};
use std::path::Path;
use std::time::Instant;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use crate::generated_crate::repository;
use crate::measure::processor_seconds_of_this_process;
use crate::workload::{self, Style};

/// Seconds to measure for, at least.
const LEAST: f64 = 2.0;

pub fn measure() -> io::Result<String> {
    let mut text = String::from(
        "| source | text to tokens to tests | tokens to tests |\n| --- | ---: | ---: |\n",
    );
    let workload: Vec<String> = (0..200)
        .map(|number| workload::function(number, 4, Style::InSitu).replacen("#[situ]", "", 1))
        .collect();
    text += &throughput("functions with 20 tests each", &workload)?;
    let few: Vec<String> = (0..1000)
        .map(|number| {
            workload::function(
                number,
                1,
                if number % 5 == 0 {
                    Style::InSitu
                } else {
                    Style::Without
                },
            )
            .replacen("#[situ]", "", 1)
        })
        .collect();
    text += &throughput("functions, one in five with five tests", &few)?;
    let own = own_items()?;
    text += &throughput("Situ's own sources, no tests", &own)?;
    text += &tokens_per_test(&workload)?;
    eprint!("{text}");
    Ok(text)
}

fn throughput(name: &str, items: &[String]) -> io::Result<String> {
    let bytes: usize = items.iter().map(String::len).sum();
    let from_text = seconds_a_pass(|| {
        for item in items {
            black_box(situ_syntax::expand_situ(TokenStream::new(), tokens(item)));
        }
    });
    let streams: Vec<TokenStream> = items.iter().map(|item| tokens(item)).collect();
    let from_tokens = seconds_a_pass(|| {
        for stream in &streams {
            black_box(situ_syntax::expand_situ(TokenStream::new(), stream.clone()));
        }
    });
    let megabytes = bytes as f64 / 1e6;
    Ok(format!(
        "| {name}, {megabytes:.2} MB | {:.2} MB/s | {:.2} MB/s |\n",
        megabytes / from_text,
        megabytes / from_tokens
    ))
}

fn tokens(item: &str) -> TokenStream {
    item.parse()
        .expect("generated and published sources are Rust")
}

/// Processor seconds, where the system tells them, so that a busy machine disturbs less.
fn seconds_a_pass(mut pass: impl FnMut()) -> f64 {
    pass();
    let start = Instant::now();
    let now =
        || processor_seconds_of_this_process().unwrap_or_else(|| start.elapsed().as_secs_f64());
    let before = now();
    let mut passes = 0;
    while now() - before < LEAST {
        pass();
        passes += 1;
    }
    (now() - before) / f64::from(passes)
}

/// Every item of the repository's own crates, their tests left out.
fn own_items() -> io::Result<Vec<String>> {
    let mut items = Vec::new();
    let mut folders = Vec::new();
    for package in fs::read_dir(repository().join("crates"))? {
        folders.push(package?.path().join("src"));
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                items.extend(items_of(&path)?);
            }
        }
    }
    Ok(items)
}

fn items_of(path: &Path) -> io::Result<Vec<String>> {
    let file = syn::parse_file(&fs::read_to_string(path)?)
        .map_err(|error| Error::other(format!("{}: {error}", path.display())))?;
    let with_code = |item: &&syn::Item| {
        matches!(
            item,
            syn::Item::Fn(_) | syn::Item::Impl(_) | syn::Item::Trait(_)
        )
    };
    Ok(file
        .items
        .iter()
        .filter(with_code)
        .map(|item| item.to_token_stream().to_string())
        .collect())
}

fn tokens_per_test(in_situ: &[String]) -> io::Result<String> {
    let tests = 20 * in_situ.len();
    let without: usize = (0..in_situ.len())
        .map(|number| count(tokens(&workload::function(number, 4, Style::Without))))
        .sum();
    let expanded: usize = in_situ
        .iter()
        .map(|item| count(situ_syntax::expand_situ(TokenStream::new(), tokens(item))))
        .sum();
    let by_hand: usize = (0..in_situ.len())
        .map(|number| count(tokens(&workload::function(number, 4, Style::ByHand))))
        .sum();
    Ok(format!(
        "\nTokens for a test: in situ {:.0}, by hand {:.0}.\n",
        (expanded - without) as f64 / tests as f64,
        (by_hand - without) as f64 / tests as f64
    ))
}

fn count(stream: TokenStream) -> usize {
    stream
        .into_iter()
        .map(|tree| {
            if let TokenTree::Group(group) = tree {
                2 + count(group.stream())
            } else {
                1
            }
        })
        .sum()
}

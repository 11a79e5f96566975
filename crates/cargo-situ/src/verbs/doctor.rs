//! `cargo situ doctor`: checks that everything Situ needs is present.

use crate::arguments::Common;
use crate::exit::Exit;
use crate::output::print_line;
use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::json;
use situ_engine::start::doctor::{State, examine};

const EXAMPLE: &str = "Example:
  cargo situ doctor      # toolchain, linker, wrappers, disk; what to do if something is missing";

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub struct Options {
    #[command(flatten)]
    common: Common,
}

pub fn run(options: &Options) -> Result<Exit> {
    let findings = examine(&options.common.selection());
    for found in &findings {
        if options.common.json {
            print_line(&serde_json::to_string(found).context("writing a finding")?);
            continue;
        }
        let state = match found.state {
            State::Good => "ok",
            State::Lacking => "note",
            State::Bad => "BAD",
        };
        print_line(&format!("{state:<5} {:<10} {}", found.what, found.says));
    }
    let count = |state| findings.iter().filter(|found| found.state == state).count();
    if options.common.json {
        let summary = json!({ "good": count(State::Good), "lacking": count(State::Lacking), "bad": count(State::Bad) });
        print_line(&json!({ "verb": "doctor", "summary": summary }).to_string());
    }
    Ok(if count(State::Bad) > 0 {
        Exit::Found
    } else {
        Exit::Done
    })
}

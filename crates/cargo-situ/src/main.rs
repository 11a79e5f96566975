//! The command `cargo situ …`: arguments, console, progress and exit codes around the engine.

mod arguments;
mod exit;
mod output;
mod progress;
#[expect(dead_code, reason = "for the verbs that make tests")]
mod review;
mod verbs;
mod wrapping;

use crate::arguments::Arguments;
use clap::Parser as _;
use situ_engine::wrapper::Invocation;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(invocation) = Invocation::of_this_process() {
        return wrapping::compile(&invocation);
    }
    let Arguments::Situ(situ) = Arguments::parse();
    exit::end_on_interrupt();
    exit::report(verbs::run(situ.verb))
}

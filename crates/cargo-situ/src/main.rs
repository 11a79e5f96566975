//! The command `cargo situ …`: arguments, console, progress and exit codes around the engine.

mod arguments;
mod changing;
mod exit;
mod lsp;
mod output;
mod page_file;
mod progress;
mod review;
mod situ_source;
mod sources;
mod turn;
mod verbs;
mod worth;
mod wrapping;

use crate::arguments::Arguments;
use clap::Parser as _;
use situ_engine::cargo::wrapper::Invocation;
use situ_engine::source::with_large_stack;
use std::process::ExitCode;

fn main() -> ExitCode {
    with_large_stack(run)
}

fn run() -> ExitCode {
    if let Some(invocation) = Invocation::of_this_process() {
        return wrapping::compile(&invocation);
    }
    let Arguments::Situ(situ) = Arguments::parse();
    exit::end_all_with_this_process();
    let code = exit::report(exit::guarded(|| verbs::run(situ.verb)));
    exit::dismiss();
    code
}

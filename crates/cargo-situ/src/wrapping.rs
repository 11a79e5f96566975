//! The command as cargo's compiler wrapper, one function per mode.

use situ_engine::cargo::prebuilt;
use situ_engine::cargo::wrapper::{Invocation, chain};
use situ_engine::generate::{explore, kill};
use situ_engine::mutate::{doctests, unit};
use situ_engine::record;
use std::process::ExitCode;

/// Compiles one unit in the mode that the wrapper was installed with.
pub fn compile(invocation: &Invocation) -> ExitCode {
    let result = match invocation.mode.as_str() {
        unit::MODE => unit::compile(invocation),
        doctests::MODE => doctests::keep(invocation),
        doctests::RUSTDOC_MODE => doctests::call_rustdoc(invocation),
        chain::MODE => chain::call(invocation),
        prebuilt::MODE => prebuilt::compile(invocation),
        prebuilt::EXPANDER_MODE => prebuilt::serve(),
        "record" => record::compile::compile(invocation),
        explore::compile::MODE => explore::compile::compile(invocation),
        kill::MODE => kill::compile(invocation),
        _ => invocation.pass_through(),
    };
    match result {
        Ok(code) => ExitCode::from(u8::try_from(code).unwrap_or(101)),
        Err(error) => {
            eprintln!("situ: {error:#}");
            ExitCode::from(70)
        }
    }
}

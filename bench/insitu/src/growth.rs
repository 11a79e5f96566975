//! N in-situ tests against N hand-written ones, alternating.

use std::fs;
use std::io;

use crate::generated_crate::{self, Shape};
use crate::measure::{self, Took, median};
use crate::options::Options;
use crate::workload::{PLACES, Style};

const TESTS_PER_FUNCTION: usize = 20;

#[derive(Default)]
struct Samples {
    compile: Vec<Took>,
    run: Vec<Took>,
    bytes: u64,
}

struct Row {
    tests: usize,
    in_situ: Samples,
    by_hand: Samples,
}

pub fn measure(options: &Options) -> io::Result<String> {
    let mut rows = Vec::new();
    for &size in &options.sizes {
        let row = measure_size(size, options.rounds)?;
        eprint!("{}", table(std::slice::from_ref(&row)));
        rows.push(row);
    }
    Ok(table(&rows) + &growth(&rows))
}

/// How compile and run times grow from one size to the next.
fn growth(rows: &[Row]) -> String {
    let factor = |from: &Samples, to: &Samples, part: fn(&Samples) -> f64| part(to) / part(from);
    let compile = |samples: &Samples| median(&samples.compile).processor_seconds;
    let run = |samples: &Samples| median(&samples.run).seconds;
    let line = |pair: &[Row]| {
        let [from, to] = pair else {
            return String::new();
        };
        format!(
            "From {} to {} tests, compile time grows {:.1} × in situ and {:.1} × by hand, run time {:.1} × and {:.1} ×.\n",
            from.tests,
            to.tests,
            factor(&from.in_situ, &to.in_situ, compile),
            factor(&from.by_hand, &to.by_hand, compile),
            factor(&from.in_situ, &to.in_situ, run),
            factor(&from.by_hand, &to.by_hand, run),
        )
    };
    rows.windows(2).map(line).collect()
}

fn measure_size(size: usize, rounds: usize) -> io::Result<Row> {
    let shape = Shape {
        functions: size / TESTS_PER_FUNCTION,
        tested_every: 1,
        tests_per_place: TESTS_PER_FUNCTION / PLACES,
    };
    let in_situ = generated_crate::write(&format!("insitu_{size}"), shape, Style::InSitu)?;
    let by_hand = generated_crate::write(&format!("by_hand_{size}"), shape, Style::ByHand)?;
    // One function is enough to have the dependencies compiled.
    let small = Shape {
        functions: 1,
        ..shape
    };
    measure::warm_up(&generated_crate::write(
        "insitu_warm_up",
        small,
        Style::InSitu,
    )?)?;
    let mut row = Row {
        tests: shape.tests(),
        in_situ: Samples::default(),
        by_hand: Samples::default(),
    };
    // A hundred thousand tests take minutes: one round of them is enough to see the ratio.
    let rounds = if size > 20_000 { 1 } else { rounds };
    for _ in 0..rounds {
        for (folder, samples) in [(&in_situ, &mut row.in_situ), (&by_hand, &mut row.by_hand)] {
            let (took, program) = measure::compile_cold(folder)?;
            samples.compile.push(took);
            samples.bytes = fs::metadata(&program)?.len();
            for _ in 0..3 {
                samples
                    .run
                    .push(measure::run_tests(&program, shape.tests())?);
            }
        }
    }
    Ok(row)
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| tests | compile: in situ / by hand | ratio | of the clock | run: in situ / by hand | ratio | a test (in situ) | program: in situ / by hand | ratio |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for row in rows {
        let [compile, compile_by_hand] =
            [&row.in_situ, &row.by_hand].map(|samples| median(&samples.compile));
        let [run, run_by_hand] =
            [&row.in_situ, &row.by_hand].map(|samples| median(&samples.run).seconds);
        let [size, size_by_hand] =
            [&row.in_situ, &row.by_hand].map(|samples| samples.bytes as f64 / 1e6);
        text += &format!(
            "| {} | {:.1} s / {:.1} s | {:.2} × | {:.2} × | {run:.3} s / {run_by_hand:.3} s | {:.2} × | {:.1} µs | {size:.1} MB / {size_by_hand:.1} MB | {:.2} × |\n",
            row.tests,
            compile.processor_seconds,
            compile_by_hand.processor_seconds,
            compile.processor_seconds / compile_by_hand.processor_seconds,
            compile.seconds / compile_by_hand.seconds,
            run / run_by_hand,
            run / row.tests as f64 * 1e6,
            size / size_by_hand,
        );
    }
    text += "\nCompile times are processor time of `cargo test --no-run` for the crate alone, its dependencies compiled before; \"of the clock\" is the same ratio in elapsed time.\n";
    text
}

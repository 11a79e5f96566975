//! How long it takes from a changed statement to the result of its test, in a crate of ten thousand lines.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};

use crate::generated_crate::{self, Shape};
use crate::measure::{self, median};
use crate::options::Options;
use crate::workload::Style;

const LINES: usize = 10_000;
/// The function whose statement changes, and its file.
const EDITED: (usize, usize) = (55, 1);

pub fn measure(options: &Options) -> io::Result<String> {
    let mut samples = [Vec::new(), Vec::new()];
    let styles = [
        ("edit_in_situ", Style::InSitu, "situ_f_55::mask_0"),
        ("edit_by_hand", Style::ByHand, "edited::whole_function"),
    ];
    let mut folders = Vec::new();
    let mut sizes = Vec::new();
    for (name, style, _) in styles {
        let (folder, lines, tests) = crate_of_ten_thousand_lines(name, style)?;
        measure::warm_up(&folder)?;
        folders.push(folder);
        sizes.push(format!("{lines} lines, {tests} tests"));
    }
    for round in 0..options.rounds.max(5) {
        for (index, (_, _, filter)) in styles.into_iter().enumerate() {
            let file = generated_crate::source_file(&folders[index], EDITED.1);
            let text = changed(&fs::read_to_string(&file)?, round)?;
            samples[index].push(measure::edit_to_result(
                &folders[index],
                filter,
                &file,
                &text,
            )?);
        }
    }
    let [in_situ, by_hand] = samples.map(|samples| median(&samples));
    Ok(format!(
        "From a changed statement to the result of its test (`cargo test NAME`, medians of the clock): in situ {:.2} s ({}), by hand {:.2} s ({}), ratio {:.2} × (processor time {:.2} ×).\n",
        in_situ.seconds,
        sizes[0],
        by_hand.seconds,
        sizes[1],
        in_situ.seconds / by_hand.seconds,
        in_situ.processor_seconds / by_hand.processor_seconds,
    ))
}

fn crate_of_ten_thousand_lines(name: &str, style: Style) -> io::Result<(PathBuf, usize, usize)> {
    let mut shape = Shape {
        functions: 100,
        tested_every: 5,
        tests_per_place: 1,
    };
    loop {
        let folder = generated_crate::write(name, shape, style)?;
        let mut lines = 0;
        for file in fs::read_dir(folder.join("src"))? {
            lines += fs::read_to_string(file?.path())?.lines().count();
        }
        if lines >= LINES {
            if style == Style::ByHand {
                add_test_of_the_edited_function(&folder)?;
            }
            return Ok((folder, lines, shape.tests()));
        }
        shape.functions += (LINES - lines).div_ceil(20);
    }
}

/// The hand-written tests repeat statements, so none of them would see the change: this one calls the function.
fn add_test_of_the_edited_function(folder: &Path) -> io::Result<()> {
    let file = generated_crate::source_file(folder, EDITED.1);
    let mut source = fs::read_to_string(&file)?;
    source += "#[cfg(test)]\nmod edited {\n    #[test]\n    fn whole_function() {\n";
    source += &format!(
        "        assert_eq!(super::f_{}(\"name = 3\", 4, 5), Ok(9));\n    }}\n}}\n",
        EDITED.0
    );
    fs::write(file, source)
}

/// The text with the tested statement of the function changed, but not its result.
fn changed(text: &str, round: usize) -> io::Result<String> {
    let start = text
        .find(&format!("fn f_{}(", EDITED.0))
        .ok_or_else(|| Error::other("the edited function is gone"))?;
    let statement = text[start..]
        .find("& 0xff")
        .ok_or_else(|| Error::other("the edited statement is gone"))?
        + start;
    let end = statement
        + text[statement..]
            .find(';')
            .ok_or_else(|| Error::other("the statement has no end"))?;
    Ok(format!(
        "{}& 0xff ^ {round} ^ {round}{}",
        &text[..statement],
        &text[end..]
    ))
}

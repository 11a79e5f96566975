//! The command line.

/// The parts that can be measured alone.
#[derive(Clone, Copy, PartialEq)]
pub enum Part {
    Growth,
    Edit,
    Expansion,
    Python,
}

const PARTS: [(&str, Part); 4] = [
    ("growth", Part::Growth),
    ("edit", Part::Edit),
    ("expansion", Part::Expansion),
    ("python", Part::Python),
];

/// What to measure, and how often.
pub struct Options {
    pub sizes: Vec<usize>,
    pub rounds: usize,
    pub python: Option<String>,
    parts: Vec<Part>,
    /// The arguments as they were, for the report.
    pub command: String,
}

impl Options {
    pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Options {
            sizes: vec![1_000, 10_000, 100_000],
            rounds: 3,
            python: None,
            parts: PARTS.map(|(_, part)| part).to_vec(),
            command: "cargo run --release".to_owned(),
        };
        let arguments: Vec<String> = arguments.collect();
        if !arguments.is_empty() {
            options.command += " -- ";
            options.command += &without_paths(&arguments);
        }
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            let value = arguments
                .next()
                .ok_or_else(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--sizes" => options.sizes = numbers(&value)?,
                "--rounds" => options.rounds = numbers(&value)?[0],
                "--python" => options.python = Some(value),
                "--only" => options.parts = value.split(',').map(part).collect::<Result<_, _>>()?,
                _ => {
                    return Err(format!(
                        "{name} is none of --sizes, --rounds, --python, --only"
                    ));
                }
            }
        }
        Ok(options)
    }

    pub fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// Whether everything is measured, so that the results may be written down.
    pub fn is_complete(&self) -> bool {
        PARTS.iter().all(|(_, part)| self.has(*part))
    }
}

/// The arguments, with the Python of this machine left open.
fn without_paths(arguments: &[String]) -> String {
    let mut words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let Some(option) = words.iter().position(|word| *word == "--python")
        && let Some(path) = words.get_mut(option + 1)
    {
        *path = "PROGRAM";
    }
    words.join(" ")
}

fn numbers(text: &str) -> Result<Vec<usize>, String> {
    text.split(',')
        .map(|number| number.parse().map_err(|_| format!("{number} is no number")))
        .collect()
}

fn part(name: &str) -> Result<Part, String> {
    PARTS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, part)| *part)
        .ok_or_else(|| format!("{name} is no part"))
}

//! Recorded values as starting points. They are stored as sketches, which have names but no shapes,
//! and fitted to the parameters of a theory.

use super::generate::simplest;
use super::job::Job;
use super::shape::{Form, Id, Shape, Shapes, Variant};
use super::tree::Tree;
use std::fs;

/// The maximum number of inputs made from recorded values.
const MOST: usize = 400;

/// A value as a recording has it.
#[derive(Clone, Debug, PartialEq)]
pub enum Sketch {
    /// An integer, a boolean, or the code point of a char.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Text(String),
    /// Elements.
    List(Vec<Sketch>),
    /// A struct, a tuple or a variant with its fields; the name is empty if there is no variant.
    Node(String, Vec<Sketch>),
}

impl Sketch {
    /// Writes the sketch in one line: each part as a letter and a length.
    pub fn write(&self, out: &mut String) {
        match self {
            Sketch::Int(value) => out.push_str(&format!("i{value};")),
            Sketch::Float(value) => out.push_str(&format!("f{};", value.to_bits())),
            Sketch::Text(text) => write_text('t', text, out),
            Sketch::List(parts) => {
                out.push_str(&format!("l{};", parts.len()));
                parts.iter().for_each(|part| part.write(out));
            }
            Sketch::Node(name, parts) => {
                write_text('n', name, out);
                out.push_str(&format!("{};", parts.len()));
                parts.iter().for_each(|part| part.write(out));
            }
        }
    }

    /// Parses what [`Sketch::write`] wrote.
    pub fn parse(line: &str) -> Option<Sketch> {
        let mut rest = line;
        read(&mut rest).filter(|_| rest.is_empty())
    }
}

/// Writes a string in hexadecimal digits, so that it cannot break the line.
fn write_text(kind: char, text: &str, out: &mut String) {
    out.push(kind);
    text.bytes()
        .for_each(|byte| out.push_str(&format!("{byte:02x}")));
    out.push(';');
}

fn read(rest: &mut &str) -> Option<Sketch> {
    let kind = rest.chars().next()?;
    *rest = &rest[kind.len_utf8()..];
    match kind {
        'i' => field(rest)?.parse().ok().map(Sketch::Int),
        'f' => field(rest)?
            .parse()
            .ok()
            .map(|bits| Sketch::Float(f64::from_bits(bits))),
        't' => text(rest).map(Sketch::Text),
        'l' => parts(rest).map(Sketch::List),
        'n' => {
            let name = text(rest)?;
            parts(rest).map(|parts| Sketch::Node(name, parts))
        }
        _ => None,
    }
}

fn field<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let (field, behind) = rest.split_once(';')?;
    *rest = behind;
    Some(field)
}

fn text(rest: &mut &str) -> Option<String> {
    let digits = field(rest)?.as_bytes().chunks(2);
    let bytes = digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    String::from_utf8(bytes.collect::<Option<_>>()?).ok()
}

fn parts(rest: &mut &str) -> Option<Vec<Sketch>> {
    let count: usize = field(rest)?.parse().ok()?;
    (0..count).map(|_| read(rest)).collect()
}

/// Returns the inputs made from recorded values: whole rows of arguments, and single arguments with
/// simple others.
pub fn inputs(job: &Job, root: Id, shapes: &Shapes) -> Vec<Tree> {
    let text = job
        .recorded
        .as_ref()
        .and_then(|path| fs::read_to_string(path).ok())
        .unwrap_or_default();
    let sketches = text.lines().filter_map(Sketch::parse);
    let Shape::Choice { variants } = shapes.get(root) else {
        return Vec::new();
    };
    let parts = variants
        .last()
        .map(|variant| variant.parts.as_slice())
        .unwrap_or_default();
    let mut all = Vec::new();
    for sketch in sketches {
        all.extend(fit(&sketch, root, shapes));
        for (at, part) in parts.iter().enumerate() {
            if let (Some(value), Tree::Node(which, mut row)) =
                (fit(&sketch, *part, shapes), simplest(root, shapes))
            {
                row[at] = value;
                all.push(Tree::Node(which, row));
            }
        }
        if all.len() > MOST {
            break;
        }
    }
    all
}

/// Converts a sketch into a tree of this shape, if it fits.
fn fit(sketch: &Sketch, id: Id, shapes: &Shapes) -> Option<Tree> {
    let tree = match (shapes.get(id), sketch) {
        (Shape::Points { of: Some(of), .. }, _) => return fit(sketch, *of, shapes),
        (_, Sketch::Int(value)) => Some(Tree::Int(*value)),
        (_, Sketch::Float(value)) => Some(Tree::Float(*value)),
        (_, Sketch::Text(text)) => Some(Tree::Text(text.clone())),
        (Shape::List { of, .. }, Sketch::List(parts)) => parts
            .iter()
            .map(|part| fit(part, *of, shapes))
            .collect::<Option<_>>()
            .map(Tree::List),
        (Shape::Choice { variants }, Sketch::Node(name, parts)) => {
            variants.iter().enumerate().find_map(|(at, variant)| {
                if let (Form::Made, [makers, _]) = (&variant.form, variant.parts.as_slice()) {
                    let made = given_to_a_maker(parts, *makers, shapes)?;
                    return Some(Tree::Node(at as u32, vec![made, Tree::List(Vec::new())]));
                }
                let is_meant = name_of(variant) == name || (variants.len() == 1 && name.is_empty());
                let fields = (is_meant && variant.parts.len() == parts.len())
                    .then(|| parts.iter().zip(&variant.parts))?;
                let fields = fields
                    .map(|(part, id)| fit(part, *id, shapes))
                    .collect::<Option<_>>()?;
                Some(Tree::Node(at as u32, fields))
            })
        }
        _ => None,
    };
    // The recorded value may be wrapped in a box, a cell or a newtype.
    let tree = tree.or_else(|| match sketch {
        Sketch::Node(_, parts) => parts
            .iter()
            .find(|_| parts.len() == 1)
            .and_then(|part| fit(part, id, shapes)),
        _ => None,
    });
    tree.filter(|tree| shapes.fits(tree, id))
}

/// Calls the first constructor that accepts the recorded fields. Its value may differ from the
/// recorded one, but it is valid.
fn given_to_a_maker(fields: &[Sketch], makers: Id, shapes: &Shapes) -> Option<Tree> {
    let Shape::Choice { variants } = shapes.get(makers) else {
        return None;
    };
    variants.iter().enumerate().find_map(|(at, variant)| {
        if variant.parts.len() != fields.len() || fields.is_empty() {
            return None;
        }
        let arguments = fields
            .iter()
            .zip(&variant.parts)
            .map(|(field, id)| fit(field, *id, shapes));
        Some(Tree::Node(at as u32, arguments.collect::<Option<_>>()?))
    })
}

/// Returns the last segment of a variant's path.
fn name_of(variant: &Variant) -> &str {
    let written = match &variant.form {
        Form::Unit(name) | Form::Call(name) | Form::Named(name, _) => name.as_str(),
        _ => "",
    };
    written.rsplit("::").next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Sketch, fit};
    use crate::explore::{Explore, Shapes};
    use std::fmt::Debug;

    #[track_caller]
    fn check<T: Explore + PartialEq + Debug>(sketch: &Sketch, expected: Option<T>) {
        let mut shapes = Shapes::default();
        let id = shapes.of::<T>();
        shapes.settle();
        let mut line = String::new();
        sketch.write(&mut line);
        assert_eq!(Sketch::parse(&line).as_ref(), Some(sketch), "{line}");
        assert_eq!(
            fit(sketch, id, &shapes).and_then(|tree| T::build(&tree)),
            expected
        );
    }

    #[test]
    fn what_was_recorded_becomes_a_value_of_the_same_form() {
        check(&Sketch::Int(200), Some(200_u8));
        check::<i8>(&Sketch::Int(200), None);
        check(&Sketch::Text("a;\n".into()), Some(String::from("a;\n")));
        let pair = Sketch::Node(
            String::new(),
            vec![Sketch::Int(1), Sketch::List(vec![Sketch::Float(0.5)])],
        );
        check(&pair, Some((1_u8, vec![0.5_f64])));
        check(
            &Sketch::Node("Some".into(), vec![Sketch::Int(3)]),
            Some(Some(3_u32)),
        );
        check(&Sketch::Node("None".into(), Vec::new()), Some(None::<u32>));
        check::<bool>(&Sketch::Text("a".into()), None);
    }
}

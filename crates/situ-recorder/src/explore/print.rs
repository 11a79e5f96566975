//! Formatting of a tree as the Rust expression that constructs its value.

use super::made::Step;
use super::shape::{Form, Id, Shape, Shapes, Variant};
use super::tree::Tree;
use std::fmt::Write as _;

/// Returns the expression. Type names stand between `‹` and `›`.
pub fn expression(tree: &Tree, id: Id, shapes: &Shapes) -> String {
    let mut out = String::new();
    write(tree, id, shapes, &mut out);
    out
}

fn write(tree: &Tree, id: Id, shapes: &Shapes, out: &mut String) {
    match (shapes.get(id), tree) {
        (Shape::Bool, Tree::Int(value)) => out.push_str(if *value == 0 { "false" } else { "true" }),
        (Shape::Char, Tree::Int(value)) => {
            let character = u32::try_from(*value)
                .ok()
                .and_then(char::from_u32)
                .unwrap_or_default();
            let _ = write!(out, "{character:?}");
        }
        (
            Shape::Int {
                signed: false,
                bits: 128,
            },
            Tree::Int(value),
        ) => {
            let _ = write!(out, "{}", *value as u128);
        }
        (Shape::Int { .. }, Tree::Int(value)) => {
            let _ = write!(out, "{value}");
        }
        (Shape::Float { bits }, Tree::Float(value)) => out.push_str(&float(*value, *bits)),
        (Shape::Text { open, close }, Tree::Text(text)) => {
            let _ = write!(out, "{open}{text:?}{close}");
        }
        (
            Shape::List {
                of, open, close, ..
            },
            Tree::List(parts),
        ) => {
            out.push_str(open);
            separated(parts.iter().map(|part| (part, *of)), shapes, out);
            out.push_str(close);
        }
        (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
            if let Some(variant) = variants.get(*variant as usize) {
                write_variant(variant, parts, shapes, out);
            }
        }
        (Shape::Points { points, .. }, Tree::Point(number)) => {
            out.push_str(points.get(*number as usize).map_or("?", String::as_str));
        }
        (Shape::Points { of: Some(of), .. }, tree) => write(tree, *of, shapes, out),
        _ => out.push('?'),
    }
}

fn write_variant(variant: &Variant, parts: &[Tree], shapes: &Shapes, out: &mut String) {
    let pairs = || parts.iter().zip(variant.parts.iter().copied());
    match &variant.form {
        Form::Unit(text) => out.push_str(text),
        Form::Call(head) => {
            out.push_str(head);
            out.push('(');
            separated(pairs(), shapes, out);
            out.push(')');
        }
        Form::Method(_, name, end) => write_call(name, pairs(), end, shapes, out),
        Form::CallOf(name, end) => write_call_of(name, pairs(), end, shapes, out),
        Form::Tuple => {
            out.push('(');
            separated(pairs(), shapes, out);
            out.push_str(if parts.len() == 1 { ",)" } else { ")" });
        }
        Form::Named(head, names) => {
            out.push_str(head);
            out.push_str(" { ");
            for (at, (name, (part, id))) in names.iter().zip(pairs()).enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                let _ = write!(out, "{name}: ");
                write(part, id, shapes, out);
            }
            out.push_str(" }");
        }
        Form::Between(separator) => {
            for (at, (part, id)) in pairs().enumerate() {
                out.push_str(if at == 0 { "" } else { separator });
                write(part, id, shapes, out);
            }
        }
        Form::Around(before, after) => {
            out.push_str(before);
            separated(pairs(), shapes, out);
            out.push_str(after);
        }
        Form::Made => write_made(variant, parts, shapes, out),
    }
}

/// Writes a method call, without its receiver.
fn write_call<'t>(
    name: &str,
    arguments: impl Iterator<Item = (&'t Tree, Id)>,
    end: &str,
    shapes: &Shapes,
    out: &mut String,
) {
    let _ = write!(out, ".{name}(");
    separated(arguments, shapes, out);
    let _ = write!(out, "){end}");
}

/// The beginning and end of a block that constructs a value with method calls.
const MADE: (&str, &str) = ("{ let mut made = ", "made }");

/// Writes a method call on the first argument. Inside a block that constructs a value, it becomes
/// one more statement.
fn write_call_of<'t>(
    name: &str,
    mut arguments: impl Iterator<Item = (&'t Tree, Id)>,
    end: &str,
    shapes: &Shapes,
    out: &mut String,
) {
    let Some((receiver, id)) = arguments.next() else {
        return;
    };
    let receiver = expression(receiver, id, shapes);
    match receiver
        .strip_suffix(" }")
        .filter(|_| receiver.starts_with(MADE.0) && receiver.ends_with(MADE.1))
    {
        Some(block) => {
            out.push_str(block);
            write_call(name, arguments, end, shapes, out);
            out.push_str(" }");
        }
        None => {
            out.push_str(&receiver);
            write_call(name, arguments, end, shapes, out);
        }
    }
}

/// Writes a constructor's call and the method calls after it, as one chain if each returns the next
/// value.
fn write_made(variant: &Variant, parts: &[Tree], shapes: &Shapes, out: &mut String) {
    let ([made, Tree::List(calls)], [constructor, methods]) = (parts, variant.parts.as_slice())
    else {
        return;
    };
    let Shape::List { of, .. } = shapes.get(*methods) else {
        return;
    };
    let step_of = |call: &Tree| match (shapes.get(*of), call) {
        (Shape::Choice { variants }, Tree::Node(which, _)) => {
            match variants.get(*which as usize)?.form {
                Form::Method(step, ..) => Some(step),
                _ => None,
            }
        }
        _ => None,
    };
    let first = expression(made, *constructor, shapes);
    let is_chain = calls
        .iter()
        .all(|call| step_of(call) == Some(Step::Another))
        && !first.starts_with('{');
    if calls.is_empty() || is_chain {
        out.push_str(&first);
        calls.iter().for_each(|call| write(call, *of, shapes, out));
        return;
    }
    let _ = write!(out, "{}{first}; ", MADE.0);
    for call in calls {
        out.push_str(if step_of(call) == Some(Step::Another) {
            "made = made"
        } else {
            "made"
        });
        write(call, *of, shapes, out);
        out.push_str("; ");
    }
    out.push_str(MADE.1);
}

fn separated<'t>(parts: impl Iterator<Item = (&'t Tree, Id)>, shapes: &Shapes, out: &mut String) {
    for (at, (part, id)) in parts.enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        write(part, id, shapes, out);
    }
}

fn float(value: f64, bits: u32) -> String {
    let single = value as f32;
    match value {
        _ if value.is_nan() => format!("f{bits}::NAN"),
        f64::INFINITY => format!("f{bits}::INFINITY"),
        f64::NEG_INFINITY => format!("f{bits}::NEG_INFINITY"),
        _ if bits == 32 => format!("{single:?}"),
        _ => format!("{value:?}"),
    }
}

/// Returns the arguments of an input as expressions. A mark distinguishes data points, which exist
/// already, from new values.
pub fn arguments(tree: &Tree, root: Id, shapes: &Shapes) -> Vec<String> {
    let (Shape::Choice { variants }, Tree::Node(_, parts)) = (shapes.get(root), tree) else {
        return Vec::new();
    };
    let ids = variants
        .last()
        .map(|variant| variant.parts.as_slice())
        .unwrap_or_default();
    let shown = parts.iter().zip(ids).map(|(part, id)| {
        let mark = if matches!(part, Tree::Point(_)) {
            "\u{1}"
        } else {
            ""
        };
        format!("{mark}{}", expression(part, *id, shapes))
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::expression;
    use crate::explore::{Explore, Shapes};
    use std::collections::BTreeMap;

    fn shown<T: Explore>(value: T) -> String {
        let mut shapes = Shapes::default();
        let id = shapes.of::<T>();
        expression(&value.tree().unwrap(), id, &shapes)
    }

    #[test]
    fn values_are_written_as_rust() {
        assert_eq!(shown((1_u8, -2_i64, true, 'x')), "(1, -2, true, 'x')");
        assert_eq!(shown(u128::MAX), u128::MAX.to_string());
        assert_eq!(
            shown(vec![Some(String::from("a\n"))]),
            "vec![Some(String::from(\"a\\n\"))]"
        );
        assert_eq!(shown((f64::NAN, 0.1_f32, 1e300)), "(f64::NAN, 0.1, 1e300)");
        assert_eq!(shown([1_u8, 2]), "[1, 2]");
        assert_eq!(shown(Ok::<u8, ()>(1)), "Ok(1)");
        assert_eq!(
            shown(BTreeMap::from([(1_u8, 2_u8)])),
            "‹std::collections::BTreeMap›::from([(1, 2)])"
        );
        assert_eq!(shown(0_u8..3), "0..3");
        assert_eq!(shown(Box::new(1_u8)), "Box::new(1)");
    }
}

//! A call of a function as Rust.

use crate::generate::explore::plan::{Function, Passing, Written};
use crate::mutate::killing_call::Difference;
use situ_recorder::kill::Outcome;

/// Where two outcomes differ first: results before arguments.
pub(super) fn difference(
    function: &Function,
    original: &Outcome,
    mutated: Option<&Outcome>,
) -> Difference {
    match (original, mutated) {
        (Outcome::Values(one), Some(Outcome::Values(other))) => {
            let slot = one
                .iter()
                .zip(other)
                .find(|(one, other)| one != other)
                .map_or(0, |((slot, _), _)| *slot as usize);
            match (slot, function.has_receiver) {
                (0, _) => Difference::Result,
                (1, true) => Difference::Receiver,
                (slot, has_receiver) => Difference::Argument(slot - 1 - usize::from(has_receiver)),
            }
        }
        (_, None | Some(Outcome::Endless)) | (Outcome::Endless, _) => Difference::End,
        _ => Difference::Panic,
    }
}

/// An expression whose value is what differs.
pub(super) fn call_text(
    function: &Function,
    arguments: &[String],
    difference: &Difference,
) -> String {
    let changed = match difference {
        Difference::Receiver => Some(0),
        Difference::Argument(at) => Some(at + usize::from(function.has_receiver)),
        Difference::Result | Difference::Panic | Difference::End => None,
    };
    let Some(at) = changed else {
        return plain(function, arguments);
    };
    let name = if at == 0 && function.has_receiver {
        "receiver"
    } else {
        "value"
    };
    let made = arguments.get(at).cloned().unwrap_or_default();
    let made = made.strip_prefix("&mut ").unwrap_or(&made).to_owned();
    // A slice is made of an array, which keeps what the call did to it.
    let mut others = arguments.to_vec();
    others[at] = if at == 0 && function.has_receiver {
        name.to_owned()
    } else {
        format!("&mut {name}")
    };
    format!(
        "{{ let mut {name} = {made}; let _ = {}; {name} }}",
        plain(function, &others)
    )
}

fn plain(function: &Function, arguments: &[String]) -> String {
    let ending = &function.ending;
    match (&function.written, arguments.split_first()) {
        (Written::Format(format), Some((value, _))) if format == "{}" => {
            format!("{}.to_string()", receiver(value))
        }
        (Written::Format(format), Some((value, _))) => format!("format!({format:?}, {value})"),
        (Written::Parse(of), Some((text, _))) => format!("{text}.parse::<{of}>()"),
        (Written::Method(name), Some((value, others)))
            if value.starts_with(MADE) && value.ends_with("made }") =>
        {
            let block = value.strip_suffix(" }").unwrap_or(value);
            format!("{block}.{name}({}){ending} }}", others.join(", "))
        }
        (Written::Method(name), Some((value, others))) => {
            format!("{}.{name}({}){ending}", receiver(value), others.join(", "))
        }
        (Written::Call(path), _) => {
            let mut all = arguments.to_vec();
            // A receiver in front of others is borrowed as the signature says.
            if function.has_receiver
                && let (Some(first), Some(passing)) = (all.first_mut(), function.passing.first())
            {
                let mark = match passing {
                    Passing::Value => "",
                    Passing::Borrow => "&",
                    Passing::BorrowMut => "&mut ",
                };
                *first = format!("{mark}{first}");
            }
            format!("{path}({}){ending}", all.join(", "))
        }
        _ => String::new(),
    }
}

/// How a value begins that methods were called on.
const MADE: &str = "{ let mut made = ";

/// An expression that a method can be called on.
fn receiver(value: &str) -> String {
    let is_simple = value.ends_with([')', '"', '}', ']'])
        || value
            .chars()
            .all(|one| one.is_alphanumeric() || one == '_' || one == ':');
    let is_block = value.starts_with('{') || value.starts_with('&') || value.starts_with('-');
    if is_simple && !is_block && !value.contains("..") {
        value.to_owned()
    } else {
        format!("({value})")
    }
}

#[cfg(test)]
mod tests {
    use super::call_text;
    use crate::generate::explore::plan::{Function, Passing, Written};
    use crate::mutate::killing_call::Difference;

    #[track_caller]
    fn check(
        written: Written,
        passing: &[Passing],
        arguments: &[&str],
        difference: Difference,
        expected: &str,
    ) {
        let function = Function {
            path: "f".into(),
            file: "src/lib.rs".into(),
            lines: (1, 2),
            module: String::new(),
            is_public: true,
            has_receiver: matches!(written, Written::Method(_) | Written::Format(_)),
            passing: passing.to_vec(),
            written,
            ending: String::new(),
            test: Ok("f".into()),
        };
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        assert_eq!(call_text(&function, &arguments, &difference), expected);
    }

    #[test]
    fn a_call_is_written_so_that_its_value_is_what_differs() {
        use Passing::{Borrow, BorrowMut, Value};
        let method = || Written::Method("push".into());
        check(
            Written::Call("size".into()),
            &[Value],
            &["1024"],
            Difference::Result,
            "size(1024)",
        );
        check(
            method(),
            &[BorrowMut, Value],
            &["Stack::new()", "1"],
            Difference::Result,
            "Stack::new().push(1)",
        );
        check(
            method(),
            &[BorrowMut, Value],
            &["Stack::new()", "1"],
            Difference::Receiver,
            "{ let mut receiver = Stack::new(); let _ = receiver.push(1); receiver }",
        );
        check(
            Written::Call("fill".into()),
            &[BorrowMut],
            &["&mut vec![1]"],
            Difference::Argument(0),
            "{ let mut value = vec![1]; let _ = fill(&mut value); value }",
        );
        check(
            method(),
            &[Value, Value],
            &["-1", "2"],
            Difference::Panic,
            "(-1).push(2)",
        );
        check(
            method(),
            &[Borrow],
            &["{ let mut made = Stack::new(); made.push(1); made }"],
            Difference::Result,
            "{ let mut made = Stack::new(); made.push(1); made.push() }",
        );
        check(
            Written::Format("{}".into()),
            &[Borrow],
            &["Level(3)"],
            Difference::Result,
            "Level(3).to_string()",
        );
        check(
            Written::Parse("Level".into()),
            &[Borrow],
            &["\"3\""],
            Difference::Result,
            "\"3\".parse::<Level>()",
        );
    }
}

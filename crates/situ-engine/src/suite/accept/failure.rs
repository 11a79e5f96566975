//! Reads from the output of a failed in-situ test which oracle failed and what it found.

/// Failed oracle of an in-situ test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// Line of the oracle's clause, counted from one.
    pub line: usize,
    /// Column of the oracle's clause in chars, counted from one.
    pub column: usize,
    /// Number of the element of an `each`, counted from one.
    pub case: Option<usize>,
    /// Found value, as the message shows it.
    pub found: String,
}

/// Returns the last failure that an output tells of; `None` if the test failed otherwise, such as
/// by a panic of the code under test.
pub(super) fn failure(output: &str) -> Option<Failure> {
    const HEAD: &str = " panicked at ";
    let head = output.rfind(HEAD)?;
    let (place, message) = output[head + HEAD.len()..].split_once('\n')?;
    let mut parts = place.trim_end().strip_suffix(':')?.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let facts = &message[..message.rfind("\n     test  ")?];
    let (before, found) = facts.rsplit_once("\n    found  ")?;
    let case = before.rsplit_once("\n     case  #");
    let case = case.and_then(|(_, case)| case.split(' ').next()?.parse().ok());
    Some(Failure {
        line,
        column,
        case,
        found: found.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_case_and_value_are_read_from_a_message() {
        let output = "said before\n\nthread 'situ_f::a' panicked at src/lib.rs:5:33:\nlet y = x;\n    given  x = 1\n     \
                      case  #2 (1, 2)\n expected  \"a\"\n    found  \"b\"\n     test  src/lib.rs:5  check_eq(y, z)\n   target  src/lib.rs:4\n";
        let read = Failure {
            line: 5,
            column: 33,
            case: Some(2),
            found: "\"b\"".to_owned(),
        };
        assert_eq!(failure(output), Some(read));
    }

    #[test]
    fn a_panic_of_the_code_is_no_failed_oracle() {
        let output =
            "thread 'situ_f::a' panicked at src/lib.rs:4:9:\nindex out of bounds\nnote: run with\n";
        assert_eq!(failure(output), None);
    }
}

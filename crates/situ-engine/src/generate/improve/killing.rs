//! Calls that a search found, as calls that tests can make.

use super::expected::{Call, Expected};
use super::place::TestModule;
use super::subject::Subject;
use crate::mutate::killing_call::{KillingCall, Outcome};

/// Characters of a call or of what it gives that a reader takes in.
const MAX_LENGTH: usize = 160;

/// A found call of the function `subject`, if a reader can take it in and what it gives can be compared.
pub(crate) fn call_of(
    found: &KillingCall,
    at: usize,
    subject: &Subject,
    module: &TestModule<'_>,
) -> Option<Call> {
    let expected = match &found.original {
        Outcome::Value { expression, .. } => Expected::Value(expression.clone()?),
        Outcome::Panic(message) => Expected::Panic(panic_part(message)?),
        Outcome::End(_) => return None,
    };
    let is_short = found.call.len().max(expected.text().len()) <= MAX_LENGTH;
    let is_plain = found.call == module.call(subject, &found.arguments);
    is_short.then(|| Call {
        subject: at,
        arguments: found.arguments.clone(),
        written: (!is_plain).then(|| found.call.clone()),
        expected,
    })
}

/// The first line of a panic's message, which says what it is about.
fn panic_part(message: &str) -> Option<String> {
    let line = message.lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::improve::subject::holder;
    use crate::mutate::killing_call::Difference;
    use std::path::Path;

    fn called(call: &str, arguments: &[&str], original: Outcome) -> Option<Call> {
        let text = "fn size(bytes: u64) -> u64 { bytes }\n";
        let subject = holder(text, 1)?;
        let module = TestModule::of(Path::new("src/lib.rs"), text, &subject)?;
        let found = KillingCall {
            mutant: 1,
            function: "size".to_owned(),
            file: "src/lib.rs".into(),
            line: 1,
            module: String::new(),
            root: "src/lib.rs".into(),
            is_public: true,
            call: call.to_owned(),
            arguments: arguments.iter().map(|one| (*one).to_owned()).collect(),
            difference: Difference::Result,
            original,
            mutated: Outcome::End("it does not end".to_owned()),
        };
        call_of(&found, 0, &subject, &module)
    }

    #[test]
    fn what_can_be_compared_becomes_a_call() {
        let value = |expression: Option<&str>| Outcome::Value {
            expression: expression.map(str::to_owned),
            shown: "1".to_owned(),
        };
        let plain = called("size(1)", &["1"], value(Some("1"))).unwrap();
        assert_eq!(plain.written, None);
        assert_eq!(plain.expected, Expected::Value("1".to_owned()));
        let other = called("1.size()", &["1"], value(Some("1"))).unwrap();
        assert_eq!(other.written.as_deref(), Some("1.size()"));
        assert!(called("size(1)", &["1"], value(None)).is_none());
        assert!(called("size(1)", &["1"], Outcome::End(String::new())).is_none());
        let long = "1".repeat(MAX_LENGTH + 1);
        assert!(called(&long, &["1"], value(Some("1"))).is_none());
        let panic = called("size(1)", &["1"], Outcome::Panic("no\nleft: 1".to_owned()));
        assert_eq!(panic.unwrap().expected, Expected::Panic("no".to_owned()));
    }
}

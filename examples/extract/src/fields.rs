//! A statement in a loop that every test of the program executes (Fig. 3.1): where a field has its `=`.

use situ::prelude::*;
use std::collections::BTreeMap;

/// What stands between two fields.
pub const DELIMITER: char = ',';
/// What stands between a field's name and its value.
pub const EQ: char = '=';

/// Adds the fields that a line of settings asks for to a message; a part without a value is none.
#[situ]
pub fn add_fields(settings: &str, message: &mut BTreeMap<String, String>) {
    for field in settings.split(DELIMITER) {
        itest!(
            given(settings = ""),
            check_eq(items(), vec![""]),
            observed("94r4")
        );
        let index = field.find(EQ);
        itest!(
            each(
                (field, expected),
                [("", None), ("host=alpha=beta", Some(4))]
            ),
            check_eq(index, expected),
            observed("ye0h")
        );
        let Some(index) = index else {
            continue;
        };
        message.insert(field[..index].to_owned(), field[index + 1..].to_owned());
        itest!(
            given(
                message = &mut BTreeMap::new(),
                field = "host=alpha",
                index = 4usize
            ),
            check_eq(
                *message,
                BTreeMap::from([(String::from("host"), String::from("alpha"))])
            ),
            observed("b5vy")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(settings: &str) -> BTreeMap<String, String> {
        let mut message = BTreeMap::new();
        add_fields(settings, &mut message);
        message
    }

    #[test]
    fn fields_are_added() {
        let message = fields("host=alpha,facility=local,level=");
        assert_eq!(message.len(), 3);
        assert_eq!(message["facility"], "local");
    }

    #[test]
    fn what_has_no_value_is_left_out() {
        assert!(fields("").is_empty());
        assert!(!fields("verbose,host=alpha=beta").contains_key("verbose"));
    }
}

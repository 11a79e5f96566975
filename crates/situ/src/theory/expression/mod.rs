//! Formatting of a value as a Rust expression that can be pasted, from its `Debug` output and its
//! type's name.
//!
//! Only `Debug` is required of the user's types. Output without such a reading is returned
//! unchanged.

mod debug_text;
mod render;
mod type_text;

use std::any::type_name_of_val;
use std::fmt::Debug;

pub(crate) use type_text::short_name;

/// Returns the expression that constructs `value`.
pub(crate) fn expression_of<T: Debug + ?Sized>(value: &T) -> String {
    let text = format!("{value:?}");
    expression(&text, type_name_of_val(value)).unwrap_or(text)
}

fn expression(text: &str, type_name: &str) -> Option<String> {
    let value = debug_text::parse(text)?;
    Some(render::render(&value, type_text::parse(type_name).as_ref()))
}

/// Selects, by autoref, how a value is shown in a report: `(&&Show(&value)).shown()`.
pub struct Show<'a, T: ?Sized>(pub &'a T);

/// Types with `Debug`.
pub trait ShowDebug {
    /// Returns the expression.
    fn shown(&self) -> Option<String>;
    /// Returns the `Debug` output.
    fn debug_text(&self) -> Option<String>;
}

impl<T: Debug + ?Sized> ShowDebug for &Show<'_, T> {
    fn shown(&self) -> Option<String> {
        Some(expression_of(self.0))
    }

    fn debug_text(&self) -> Option<String> {
        Some(format!("{:?}", self.0))
    }
}

/// All other types.
pub trait ShowNothing {
    /// Returns `None`.
    fn shown(&self) -> Option<String>;
    /// Returns `None`.
    fn debug_text(&self) -> Option<String>;
}

impl<T: ?Sized> ShowNothing for Show<'_, T> {
    fn shown(&self) -> Option<String> {
        None
    }

    fn debug_text(&self) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::expression_of;
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Debug;
    use std::path::Path;
    use std::time::Duration;

    #[track_caller]
    fn check(value: impl Debug, expression: &str) {
        assert_eq!(expression_of(&value), expression);
    }

    #[derive(Debug)]
    struct Point {
        x: i32,
        name: String,
        tags: Vec<&'static str>,
    }

    #[derive(Debug)]
    struct Unit;

    #[derive(Debug)]
    #[expect(dead_code, reason = "only `Debug` looks into it")]
    enum Shape {
        Empty,
        Round(f64),
        Square { side: u8 },
    }

    #[test]
    fn numbers_and_text_are_literals() {
        check(-3_i64, "-3");
        check(2.5_f32, "2.5");
        check(1e21_f64, "1e21");
        check(true, "true");
        check('\'', r"'\''");
        check("a\n\"€", r#""a\n\"€""#);
        check(String::from("a, b"), r#"String::from("a, b")"#);
        assert_eq!(expression_of(Path::new("a/b")), r#"Path::new("a/b")"#);
    }

    #[test]
    fn numbers_without_a_literal_are_constants() {
        check(f64::NAN, "f64::NAN");
        check(f32::NEG_INFINITY, "f32::NEG_INFINITY");
        check(vec![f32::INFINITY], "vec![f32::INFINITY]");
    }

    #[test]
    fn collections_are_built() {
        check(vec![String::from("x")], r#"vec![String::from("x")]"#);
        check(Vec::<u8>::new(), "vec![]");
        check([1, 2], "[1, 2]");
        check(&[1_u8, 2][..], "&[1, 2]");
        check(BTreeMap::from([(1, "a")]), r#"BTreeMap::from([(1, "a")])"#);
        check(BTreeSet::from([1, 2]), "BTreeSet::from([1, 2])");
        check((1, (), ("a",)), r#"(1, (), ("a",))"#);
        check(Some(vec![None, Some(1)]), "Some(vec![None, Some(1)])");
        check(Ok::<u8, String>(1), "Ok(1)");
        check(
            Err::<u8, String>(String::from("no")),
            r#"Err(String::from("no"))"#,
        );
        check(Box::new(1), "Box::new(1)");
    }

    #[test]
    fn types_of_the_user_are_written_as_they_are_declared() {
        let point = Point {
            x: 1,
            name: String::from("p"),
            tags: vec!["a"],
        };
        check(
            &point,
            r#"&Point { x: 1, name: "p".into(), tags: ["a".into()].into() }"#,
        );
        check(Unit, "Unit");
        check(Shape::Empty, "Shape::Empty");
        check(Shape::Round(1.0), "Shape::Round(1.0)");
        check(
            Some(Shape::Square { side: 2 }),
            "Some(Shape::Square { side: 2 })",
        );
        let _ = (point.x, point.name, point.tags);
    }

    #[test]
    fn text_without_such_a_reading_stays() {
        check(Duration::from_millis(1500), "1.5s");
    }
}

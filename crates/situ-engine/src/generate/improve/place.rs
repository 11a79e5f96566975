//! Where a new assertion goes: into the existing test that it belongs to, or into a new one beside the others.

use super::expected::{Call, Expected};
use super::report::Form;
use super::subject::Subject;
use super::trial_tests::{Home, TrialTest, attributes};
use crate::source::lines::{indent_of_line, line_number};
use crate::source::{byte_range, parse, parse_part, parse_tokens_with};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use std::path::Path;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, FnArg, Item, ItemFn, ItemMod, Macro, Pat, Stmt, Token};

/// A proposed text with its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub form: Form,
    /// The line that it goes behind.
    pub line: usize,
    /// What a reader sees of it.
    pub text: String,
    /// Insertions: the byte, and what goes there.
    pub splices: Vec<(usize, String)>,
    /// The test that holds it.
    pub test: String,
    /// The calls in it, by their places in the list.
    pub calls: Vec<usize>,
}

/// The tests of a file that stand where a function of it is tested.
pub(crate) struct TestModule<'t> {
    text: &'t str,
    tests: Vec<ItemFn>,
    /// Whether names of the module around can be used as they are.
    sees_parent: bool,
    /// Blanks before the items of the module.
    indent: &'static str,
    pub home: Home,
}

impl<'t> TestModule<'t> {
    /// The test module beside a function. None where tests stand in another file.
    pub(crate) fn of(path: &Path, text: &'t str, subject: &Subject) -> Option<TestModule<'t>> {
        let file = parse(text).ok()?;
        let items = items_of(&file.items, &subject.modules)?;
        let modules = items.iter().filter_map(|item| match item {
            Item::Mod(module) => Some(module),
            _ => None,
        });
        let mut of_tests = modules.filter(|module| is_of_tests(module));
        match of_tests.next() {
            Some(module) => {
                let (brace, items) = module.content.as_ref()?;
                let close = crate::source::range_of(brace.span.close()).start;
                // Behind the last item, before the blanks of the closing brace's line.
                let at = text[..close].trim_end().len();
                Some(TestModule {
                    text,
                    tests: test_functions(items),
                    sees_parent: sees_parent(items, &subject.path),
                    indent: "    ",
                    home: Home {
                        file: path.to_path_buf(),
                        at,
                        is_new: false,
                    },
                })
            }
            None if subject.modules.is_empty() => {
                // Tests may stand beside what they test, in no module of their own.
                let tests = test_functions(items);
                let last = tests.last().map(|test| byte_range(test).end);
                Some(TestModule {
                    text,
                    sees_parent: true,
                    indent: if tests.is_empty() { "    " } else { "" },
                    tests,
                    home: Home {
                        file: path.to_path_buf(),
                        at: last.unwrap_or(text.len()),
                        is_new: last.is_none(),
                    },
                })
            }
            None => None,
        }
    }

    /// A call as the tests here write it.
    pub(crate) fn call(&self, subject: &Subject, arguments: &[String]) -> String {
        let path = match self.sees_parent {
            true => subject.path.clone(),
            false => format!("super::{}", subject.path),
        };
        format!("{path}({})", arguments.join(", "))
    }

    /// The names of the tests here.
    pub(crate) fn test_names(&self) -> impl Iterator<Item = String> {
        self.tests.iter().map(|test| test.sig.ident.to_string())
    }

    /// A trial test of what a call gives.
    pub(crate) fn trial(&self, subject: &Subject, call: &Call) -> TrialTest {
        TrialTest {
            home: self.home.clone(),
            panic: panic_of(call).map(str::to_owned),
            body: self.statements(subject, call).join(" "),
        }
    }

    /// The statements that check what a call gives; one assertion in the style of the existing ones where that is enough.
    fn statements(&self, subject: &Subject, call: &Call) -> Vec<String> {
        let written = match &call.written {
            Some(written) => written.clone(),
            None => self.call(subject, &call.arguments),
        };
        let (mut before, written) = in_statements(&written);
        if !subject.has_result {
            // Nothing is given that could be ignored.
            for statement in &mut before {
                if let Some(call) = statement.strip_prefix("let _ = ") {
                    *statement = call.to_owned();
                }
            }
        }
        before.push(match &call.expected {
            Expected::Panic(_) if subject.has_result => format!("let _ = {written};"),
            Expected::Panic(_) => format!("{written};"),
            Expected::Value(value) => match value.as_str() {
                "true" => format!("assert!({written});"),
                "false" => format!("assert!(!{written});"),
                "()" => format!("{written};"),
                expected => match self.expects_first(&subject.name) {
                    true => format!("assert_eq!({expected}, {written});"),
                    false => format!("assert_eq!({written}, {expected});"),
                },
            },
        });
        before
    }

    /// Whether the assertions here say first what they expect.
    fn expects_first(&self, name: &str) -> bool {
        let sides: Vec<bool> = self
            .tests
            .iter()
            .flat_map(|test| assertions(&test.block.stmts))
            .filter(|(_, call)| call.path.is_ident("assert_eq"))
            .filter_map(|(_, call)| {
                let sides = arguments(call)?;
                let first = mentions(sides.first()?, name);
                (first || mentions(sides.get(1)?, name)).then_some(!first)
            })
            .collect();
        sides.iter().filter(|first| **first).count() * 2 > sides.len()
    }

    /// Places the calls of one function that are to be added. `name` makes the name of a new test with calls.
    pub(crate) fn placed(
        &self,
        subject: &Subject,
        calls: &[&Call],
        name: &mut dyn FnMut(&[&Call]) -> String,
    ) -> Vec<Placed> {
        let (plain, own): (Vec<usize>, Vec<usize>) =
            (0..calls.len()).partition(|at| self.is_assertion(subject, calls[*at]));
        let mut placed = self
            .cases(subject, calls, &plain)
            .unwrap_or_else(|| vec![self.new_test(subject, calls, plain.clone(), name)]);
        placed.extend(
            own.into_iter()
                .map(|at| self.new_test(subject, calls, vec![at], name)),
        );
        placed
    }

    /// Whether a call is checked by one assertion, which can stand beside others.
    fn is_assertion(&self, subject: &Subject, call: &Call) -> bool {
        let checks = self.statements(subject, call);
        panic_of(call).is_none() && checks.len() == 1 && checks[0].starts_with("assert")
    }

    /// Places calls in existing tests of their function, if there are any.
    fn cases(&self, subject: &Subject, calls: &[&Call], plain: &[usize]) -> Option<Vec<Placed>> {
        let row = |at: &usize| {
            let row = self.table_row(subject, calls[*at])?;
            Some(Placed {
                calls: vec![*at],
                ..row
            })
        };
        if let Some(rows) = plain.iter().map(row).collect::<Option<Vec<Placed>>>() {
            return Some(rows);
        }
        let (test, end) = self.fitting_test(&subject.name)?;
        let indent = indent_of_line(self.text, statement_start(self.text, end));
        let place = |at: &usize| {
            let text = self.statements(subject, calls[*at]).concat();
            Placed {
                form: Form::Case,
                line: line_number(self.text, end),
                splices: vec![(end, format!("\n{indent}{text}"))],
                text,
                test: test.sig.ident.to_string(),
                calls: vec![*at],
            }
        };
        Some(plain.iter().map(place).collect())
    }

    /// A new test with some of the calls.
    fn new_test(
        &self,
        subject: &Subject,
        calls: &[&Call],
        together: Vec<usize>,
        name: &mut dyn FnMut(&[&Call]) -> String,
    ) -> Placed {
        let own: Vec<&Call> = together.iter().map(|at| calls[*at]).collect();
        let name = name(&own);
        let lines: Vec<String> = own
            .iter()
            .flat_map(|call| self.statements(subject, call))
            .map(|line| format!("{}    {line}", self.indent))
            .collect();
        let panic = own.first().and_then(|call| panic_of(call));
        let indent = self.indent;
        let text = format!(
            "{}{indent}fn {name}() {{\n{}\n{indent}}}",
            attributes(panic, indent),
            lines.join("\n")
        );
        let whole = match self.home.is_new {
            true => format!("\n#[cfg(test)]\nmod tests {{\n    use super::*;\n\n{text}\n}}\n"),
            false => format!("\n\n{text}"),
        };
        Placed {
            form: Form::Unit,
            line: line_number(self.text, self.home.at),
            splices: vec![(self.home.at, whole)],
            text,
            test: name,
            calls: together,
        }
    }

    /// The test with most assertions about a function, and where the last of them ends.
    fn fitting_test(&self, name: &str) -> Option<(&ItemFn, usize)> {
        let own = |test: &ItemFn| -> Vec<usize> {
            assertions(&test.block.stmts)
                .into_iter()
                .filter(|(_, call)| mentions(&call.tokens, name))
                .map(|(end, _)| end)
                .collect()
        };
        let fitting = self
            .tests
            .iter()
            .map(|test| (test, own(test)))
            .filter(|(test, ends)| !ends.is_empty() && !is_parameterized(test));
        let (test, ends) = fitting.max_by_key(|(_, ends)| ends.len())?;
        Some((test, *ends.last()?))
    }

    /// A row of a table, or a `#[case]`, of a test that goes through calls of the function.
    fn table_row(&self, subject: &Subject, call: &Call) -> Option<Placed> {
        self.tests.iter().find_map(|test| {
            self.loop_row(test, subject, call)
                .or_else(|| self.case_row(test, subject, call))
        })
    }

    fn loop_row(&self, test: &ItemFn, subject: &Subject, call: &Call) -> Option<Placed> {
        test.block.stmts.iter().find_map(|statement| {
            let Stmt::Expr(Expr::ForLoop(table), _) = statement else {
                return None;
            };
            let names = pattern_names(&table.pat)?;
            let rows = match &*table.expr {
                Expr::Array(array) => &array.elems,
                Expr::Reference(reference) => match &*reference.expr {
                    Expr::Array(array) => &array.elems,
                    _ => return None,
                },
                _ => return None,
            };
            let last = rows.last().filter(|row| matches!(row, Expr::Tuple(_)))?;
            let row = filled(&names, &table.body.stmts, subject, call)?;
            let end = byte_range(last).end;
            let text = format!("({})", row.join(", "));
            Some(Placed {
                form: Form::Case,
                line: line_number(self.text, end),
                splices: vec![(end, format!(",\n{}{text}", indent_of_line(self.text, end)))],
                text,
                test: test.sig.ident.to_string(),
                calls: Vec::new(),
            })
        })
    }

    fn case_row(&self, test: &ItemFn, subject: &Subject, call: &Call) -> Option<Placed> {
        let last = test.attrs.iter().rfind(|attribute| is_case(attribute))?;
        // A named case wants a name that nobody can make up.
        if last.path().segments.len() > 1 {
            return None;
        }
        let names: Option<Vec<String>> = test
            .sig
            .inputs
            .iter()
            .map(|input| match input {
                FnArg::Typed(typed) if typed.attrs.iter().any(is_case) => match &*typed.pat {
                    Pat::Ident(name) => Some(name.ident.to_string()),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let row = filled(&names?, &test.block.stmts, subject, call)?;
        let end = byte_range(last).end;
        let text = format!("#[case({})]", row.join(", "));
        Some(Placed {
            form: Form::Case,
            line: line_number(self.text, end),
            splices: vec![(end, format!("\n{}{text}", indent_of_line(self.text, end)))],
            text,
            test: test.sig.ident.to_string(),
            calls: Vec::new(),
        })
    }
}

/// The message that a call panics with.
fn panic_of(call: &Call) -> Option<&str> {
    match &call.expected {
        Expected::Panic(message) => Some(message),
        Expected::Value(_) => None,
    }
}

/// The statements of a block, and the expression at its end. Any other expression has no statements before it.
fn in_statements(expression: &str) -> (Vec<String>, String) {
    let whole = || (Vec::new(), expression.to_owned());
    let Ok(Expr::Block(block)) = parse_part(expression) else {
        return whole();
    };
    let part = |statement: &Stmt| expression.get(byte_range(statement)).map(str::to_owned);
    let parts: Option<Vec<String>> = block.block.stmts.iter().map(part).collect();
    match (parts, block.block.stmts.last()) {
        (Some(mut parts), Some(Stmt::Expr(_, None))) => {
            let last = parts.pop().unwrap_or_default();
            (parts, last)
        }
        _ => whole(),
    }
}

/// The values of a row: for each name what the assertion in the body uses it for.
fn filled(names: &[String], body: &[Stmt], subject: &Subject, call: &Call) -> Option<Vec<String>> {
    let (Expected::Value(given), None) = (&call.expected, &call.written) else {
        return None;
    };
    let [(_, assertion)] = assertions(body).try_into().ok()?;
    if body.len() != 1 || !assertion.path.is_ident("assert_eq") {
        return None;
    }
    let sides = arguments(assertion)?;
    let (calling, expected) = match mentions(sides.first()?, &subject.name) {
        true => (sides.first()?, sides.get(1)?),
        false => (sides.get(1)?, sides.first()?),
    };
    let expected = expected.to_string();
    let passed: Vec<String> = call_arguments(calling, &subject.name)?;
    let value = |name: &String| {
        let at = passed.iter().position(|own| own == name);
        match at {
            Some(at) => call.arguments.get(at).cloned(),
            None if *name == expected => Some(given.clone()),
            None => None,
        }
    };
    let is_complete = passed.len() == call.arguments.len()
        && passed.iter().all(|own| names.contains(own))
        && names.contains(&expected);
    names
        .iter()
        .map(value)
        .collect::<Option<Vec<_>>>()
        .filter(|_| is_complete)
}

/// The arguments of the call of a function that tokens consist of.
fn call_arguments(tokens: &TokenStream, name: &str) -> Option<Vec<String>> {
    let Ok(Expr::Call(call)) = crate::source::parse_tokens(tokens.clone()) else {
        return None;
    };
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let is_named = path.path.segments.last()?.ident == name;
    let arguments = call
        .args
        .iter()
        .map(|one| one.to_token_stream().to_string());
    is_named.then(|| arguments.collect())
}

fn pattern_names(pattern: &Pat) -> Option<Vec<String>> {
    let Pat::Tuple(tuple) = pattern else {
        return None;
    };
    let names = tuple.elems.iter().map(|part| match part {
        Pat::Ident(name) => Some(name.ident.to_string()),
        _ => None,
    });
    names.collect()
}

/// The statements that assert something, each with where it ends.
fn assertions(statements: &[Stmt]) -> Vec<(usize, &Macro)> {
    let all = statements.iter().filter_map(|statement| match statement {
        Stmt::Macro(call) => Some((byte_range(call).end, &call.mac)),
        Stmt::Expr(Expr::Macro(call), _) => Some((byte_range(statement).end, &call.mac)),
        _ => None,
    });
    all.filter(|(_, call)| {
        ["assert_eq", "assert"]
            .iter()
            .any(|name| call.path.is_ident(name))
    })
    .collect()
}

/// The arguments of a macro, as tokens.
fn arguments(call: &Macro) -> Option<Vec<TokenStream>> {
    let parsed = parse_tokens_with(
        Punctuated::<Expr, Token![,]>::parse_terminated,
        call.tokens.clone(),
    );
    Some(
        parsed
            .ok()?
            .iter()
            .map(|one| one.to_token_stream())
            .collect(),
    )
}

/// Whether tokens call a function of this name.
fn mentions(tokens: &TokenStream, name: &str) -> bool {
    let mut is_named = false;
    for token in tokens.clone() {
        match token {
            TokenTree::Group(group) if (is_named || mentions(&group.stream(), name)) => {
                return true;
            }
            TokenTree::Ident(ident) => {
                is_named = ident == name;
                continue;
            }
            _ => {}
        }
        is_named = false;
    }
    false
}

fn statement_start(text: &str, end: usize) -> usize {
    let line = &text[..end];
    // The first line of the statement is the last one that is no deeper than the line it ends on.
    let last = line.rfind('\n').map_or(0, |newline| newline + 1);
    last + (line[last..].len() - line[last..].trim_start().len())
}

fn is_case(attribute: &Attribute) -> bool {
    attribute
        .path()
        .segments
        .first()
        .is_some_and(|first| first.ident == "case")
}

fn is_parameterized(test: &ItemFn) -> bool {
    !test.sig.inputs.is_empty()
}

fn is_of_tests(module: &ItemMod) -> bool {
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .meta
                .to_token_stream()
                .to_string()
                .replace(' ', "")
                == "cfg(test)"
    };
    module.attrs.iter().any(is_test)
}

fn test_functions(items: &[Item]) -> Vec<ItemFn> {
    let tests = items.iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    tests
        .filter(|function| {
            function.attrs.iter().any(|attribute| {
                attribute.path().is_ident("test") || attribute.path().is_ident("rstest")
            }) && !function
                .attrs
                .iter()
                .any(|attribute| attribute.path().is_ident("should_panic"))
        })
        .cloned()
        .collect()
}

/// Whether items import everything of the module around them, or a path's first name.
fn sees_parent(items: &[Item], path: &str) -> bool {
    let first = path.split("::").next().unwrap_or(path);
    items.iter().any(|item| match item {
        Item::Use(import) => {
            let text = import.tree.to_token_stream().to_string().replace(' ', "");
            let names = text
                .strip_prefix("super::")
                .or_else(|| text.strip_prefix("crate::"));
            names.is_some_and(|names| {
                names == "*" || names.split(['{', '}', ',', ':']).any(|name| name == first)
            })
        }
        _ => false,
    })
}

/// The items of an inline module.
fn items_of<'i>(items: &'i [Item], modules: &[String]) -> Option<&'i [Item]> {
    let Some((first, rest)) = modules.split_first() else {
        return Some(items);
    };
    let inner = items.iter().find_map(|item| match item {
        Item::Mod(module) if module.ident == first => module.content.as_ref(),
        _ => None,
    })?;
    items_of(&inner.1, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::improve::subject::subjects;
    use crate::source::{Splice, apply};

    const CODE: &str = "fn size(bytes: u64) -> String { todo!() }\n";

    /// A file of one function with its tests once `size(1024)` is asserted.
    fn with_case(tests: &str) -> (Form, String) {
        let text = format!("{CODE}#[cfg(test)]\nmod tests {{\n    use super::*;\n{tests}\n}}\n");
        let (form, made) = added(&text, &kilobyte());
        parse(&made).unwrap();
        (form, made)
    }

    fn kilobyte() -> Call {
        Call {
            subject: 0,
            arguments: vec!["1024".to_owned()],
            written: None,
            expected: Expected::Value("\"1.0 KB\"".to_owned()),
        }
    }

    /// A file, once a call of its first function is checked.
    fn added(text: &str, call: &Call) -> (Form, String) {
        let subject = &subjects(text)[0];
        let module = TestModule::of(Path::new("src/lib.rs"), text, subject).unwrap();
        let placed = module
            .placed(subject, &[call], &mut |_| "a_kilobyte".to_owned())
            .remove(0);
        let splices: Vec<Splice> = placed
            .splices
            .iter()
            .map(|(at, text)| Splice {
                range: *at..*at,
                text: text.clone(),
            })
            .collect();
        (placed.form, apply(text, &splices))
    }

    const TESTED: &str = "fn size(bytes: u64) -> String { todo!() }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn sizes() {
        assert_eq!(size(1), \"1 B\");
    }
}
";

    #[test]
    fn a_panic_and_a_block_get_tests_of_their_own() {
        let mut call = Call {
            subject: 0,
            arguments: vec!["7".to_owned()],
            written: None,
            expected: Expected::Panic("no \"size\"".to_owned()),
        };
        let (form, made) = added(TESTED, &call);
        assert_eq!(form, Form::Unit);
        assert!(
            made.contains(
                "\n\n    #[test]\n    #[should_panic(expected = \"no \\\"size\\\"\")]\n    fn a_kilobyte() {\n        let _ = size(7);\n    }\n}"
            ),
            "{made}"
        );
        call.written = Some("{ let mut value = [2, 1]; let _ = size(&mut value); value }".into());
        call.expected = Expected::Value("[1, 2]".to_owned());
        let (form, made) = added(TESTED, &call);
        assert_eq!(form, Form::Unit);
        assert!(
            made.contains(
                "        let mut value = [2, 1];\n        let _ = size(&mut value);\n        assert_eq!(value, [1, 2]);\n"
            ),
            "{made}"
        );
    }

    #[test]
    fn an_assertion_joins_the_last_one_about_its_function() {
        let (form, made) = with_case(
            "    #[test]\n    fn sizes() {\n        assert_eq!(size(1), \"1 B\");\n        other();\n    }",
        );
        assert_eq!(form, Form::Case);
        assert!(
            made.contains(
                "\"1 B\");\n        assert_eq!(size(1024), \"1.0 KB\");\n        other();"
            ),
            "{made}"
        );
    }

    #[test]
    fn what_is_expected_stands_on_the_side_where_the_others_have_it() {
        let (_, made) = with_case(
            "    #[test]\n    fn sizes() {\n        assert_eq!(\"1 B\", size(1));\n    }",
        );
        assert!(
            made.contains("assert_eq!(\"1.0 KB\", size(1024));"),
            "{made}"
        );
    }

    #[test]
    fn a_table_gets_a_row_and_rstest_a_case() {
        let (form, made) = with_case(
            "    #[test]\n    fn sizes() {\n        for (bytes, text) in [\n            (1, \"1 B\"),\n        ] {\n            assert_eq!(size(bytes), text);\n        }\n    }",
        );
        assert_eq!(form, Form::Case);
        assert!(
            made.contains("(1, \"1 B\"),\n            (1024, \"1.0 KB\"),\n"),
            "{made}"
        );
        let (_, made) = with_case(
            "    #[rstest]\n    #[case(1, \"1 B\")]\n    fn sizes(#[case] bytes: u64, #[case] text: &str) {\n        assert_eq!(size(bytes), text);\n    }",
        );
        assert!(
            made.contains("    #[case(1024, \"1.0 KB\")]\n    fn sizes"),
            "{made}"
        );
    }

    #[test]
    fn a_new_test_joins_tests_that_stand_in_no_module() {
        let text = format!("{CODE}\n#[test]\nfn other() {{}}\n\nfn last() {{}}\n");
        let (form, made) = added(&text, &kilobyte());
        assert_eq!(form, Form::Unit);
        let test = "fn other() {}\n\n#[test]\nfn a_kilobyte() {\n    assert_eq!(size(1024), \"1.0 KB\");\n}\n\nfn last";
        assert!(made.contains(test), "{made}");
        assert!(!made.contains("mod tests"), "{made}");
    }

    #[test]
    fn without_a_fitting_test_there_is_a_new_one() {
        let (form, made) = with_case("    #[test]\n    fn other() {}");
        assert_eq!(form, Form::Unit);
        assert!(
            made.contains("fn other() {}\n\n    #[test]\n    fn a_kilobyte() {\n        assert_eq!(size(1024), \"1.0 KB\");\n    }\n}"),
            "{made}"
        );
        let subject = &subjects(CODE)[0];
        let module = TestModule::of(Path::new("src/lib.rs"), CODE, subject).unwrap();
        assert!(module.home.is_new);
    }
}

//! Plans of small files: which sites they have, and whether the instrumented text still parses.

use super::*;
use std::collections::BTreeSet;

fn planned(source: &str, wanted: &Wanted) -> (Plan, String) {
    planned_in("2021", source, wanted)
}

fn planned_in(edition: &str, source: &str, wanted: &Wanted) -> (Plan, String) {
    let krate = Crate {
        package: "p".to_owned(),
        name: "p".to_owned(),
        edition: edition.to_owned(),
        workspace: WorkspaceNames::default(),
        has_serde: true,
    };
    let file = SourceFile::root(source);
    let files = as_watched(vec![file]);
    let plan = plan(&krate, &files, wanted);
    let woven = weave(
        &files[0].text,
        &plan.insertions[0],
        &plan.pieces,
        &BTreeSet::new(),
    );
    if let Err(error) = syn::parse_file(&woven.text) {
        panic!("{error}:\n{}", woven.text);
    }
    assert_eq!(
        woven.text.lines().count(),
        source.lines().count(),
        "lines moved:\n{}",
        woven.text
    );
    let keys: BTreeSet<&str> = plan.pieces.iter().map(|piece| piece.key.as_str()).collect();
    assert_eq!(keys.len(), plan.pieces.len(), "two pieces share a key");
    (plan, woven.text)
}

fn targets() -> Wanted {
    Wanted {
        targets: true,
        through_traits: true,
        ..Wanted::default()
    }
}

fn slots(source: &str) -> Vec<(Position, Vec<(Phase, String)>)> {
    let (plan, _) = planned(source, &targets());
    let sites = plan
        .sites
        .iter()
        .filter(|site| site.position.is_statement());
    sites
        .map(|site| {
            (
                site.position,
                site.slots
                    .iter()
                    .map(|slot| (slot.phase, slot.key.to_string()))
                    .collect(),
            )
        })
        .collect()
}

const EVERYTHING: &str = r#"
use std::fmt;
pub trait Named: fmt::Debug { fn name(&self) -> String { format!("{self:?}") } }
pub trait Plain<T> where T: Clone { fn get(&self) -> T; }
pub struct W<'a, T: ?Sized + 'a, const N: usize> where T: fmt::Debug { pub r#type: &'a T, #[cfg(any())] gone: u8, n: [u8; N] }
pub enum E { A, B(u8, String), C { x: u8 } }
pub enum Never {}
pub union U { a: u8, b: i8 }
static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
const fn no(x: u8) -> u8 { x & 1 }
impl<'a, T: ?Sized + fmt::Debug, const N: usize> W<'a, T, N> {
    fn f(&mut self, v: Vec<u8>) -> Result<usize, String> {
        let Some(x) = v.iter().position(|b| *b == 1) else { return Err("no".trim().to_owned()) };
        'l: for (i, b) in v.iter().enumerate() { if b & 1 == 0 { continue 'l } else if v.contains(b) { break } }
        while x & 1 == 1 { return Ok(x >> 1) }
        if let Some(y) = v.first() && y.count_ones() > 1 { return Ok(1) }
        let z = match v.len() { 0 => "a".repeat(2), n if n > 3 => { let q = "b".repeat(n); q } _ => String::new() };
        let c = |s: &str| s.trim().len();
        self.n.iter_mut().for_each(|b| *b ^= 1);
        unsafe { let _k = z.chars().count(); }
        loop { if v.is_empty() { return Ok(c(&z)); } break }
        println!("{}", z.trim());
        async { z.lines().count() };
        let home = std::env::var("HOME").map(|h| h.trim().to_owned()).map_err(|e| e.to_string())?;
        let w = 'w: { if v.is_empty() { break 'w 1 } match std::fs::read(&home)?.get(x)? { 0 => return Ok(2), b => *b & 7 } };
        dep::send(&format!("{w}"), self.n[0], &mut self.n, w as u16, |_| 1).flush(w).await;
        Ok(z.split(',').count() + COUNT.fetch_add(1, std::sync::atomic::Ordering::SeqCst))
    }
}
fn g(s: &str) { print!("{}", s.trim()) }
fn h() { fn inner() -> u8 { 1u8.rotate_left(1) } struct L { a: u8 } let _ = inner() | L { a: 1 }.a; }
#[cfg(test)] mod tests { #[test] fn t() { assert_eq!("a".trim(), "a"); } }
"#;

#[test]
fn every_way_of_watching_gives_code_that_parses_on_the_same_lines() {
    let ways = [
        targets(),
        Wanted {
            all_statements: true,
            ..targets()
        },
        Wanted {
            functions: true,
            ..targets()
        },
        Wanted {
            functions: true,
            all_statements: true,
            ..targets()
        },
        Wanted {
            calls: true,
            ..targets()
        },
        Wanted {
            answers: true,
            streams: true,
            all_statements: true,
            ..targets()
        },
        Wanted {
            answers: true,
            calls: true,
            functions: true,
            ..targets()
        },
        Wanted {
            functions: true,
            all_statements: true,
            calls: true,
            ..targets()
        },
        Wanted {
            fragments: true,
            calls: true,
            ..Wanted::default()
        },
        Wanted {
            fragments: true,
            functions: true,
            all_statements: true,
            calls: true,
            ..targets()
        },
    ];
    for wanted in ways {
        planned(EVERYTHING, &wanted);
    }
}

#[test]
fn inputs_are_the_places_that_a_statement_mentions() {
    let found = slots("fn f(o: &O, n: usize) -> usize { let t = o.line.trim().len() + n; t }");
    let before = |name: &str| (Phase::Before, name.to_owned());
    assert_eq!(
        found,
        [(
            Position::Statement,
            vec![before("o.line"), before("n"), (Phase::Made, "t".to_owned())]
        )]
    );
}

#[test]
fn what_a_closure_binds_is_no_input_and_shadowing_hides_what_was() {
    let found = slots(
        "fn f(mut x: String, v: &[u8]) { let x = x.trim().len() + v.iter().map(|x| x & 1).count(); }",
    );
    let names: Vec<&str> = found[0].1.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(
        names,
        ["x", "v", "x"],
        "before x, before v, made x; x before is not there any more"
    );
}

#[test]
fn what_the_block_behind_else_reads_is_an_input_too() {
    let found = slots(
        "fn f(o: &O, best: usize) -> usize { let Some(n) = o.line.find('a') else { return best; }; n }",
    );
    let before: Vec<&str> = found[0]
        .1
        .iter()
        .filter(|(phase, _)| *phase == Phase::Before)
        .map(|(_, name)| name.as_str())
        .collect();
    assert_eq!(before, ["o.line", "best"]);
}

#[test]
fn what_is_only_assigned_is_not_read_before() {
    let found = slots("fn f(s: &str) { let n; n = s.trim().len(); let _ = n; }");
    assert_eq!(
        found[0].1,
        [
            (Phase::Before, "s".to_owned()),
            (Phase::Made, "n".to_owned())
        ]
    );
}

#[test]
fn an_identity_survives_edits_elsewhere() {
    let id = |source: &str| {
        let (plan, _) = planned(source, &targets());
        plan.sites
            .iter()
            .filter(|site| site.function == "g")
            .map(|site| site.id)
            .collect::<Vec<_>>()
    };
    let before = id("fn g(s: &str) -> usize { s.trim().len() }");
    let after = id(
        "// more\nfn f(s: &str) { let _ = s.trim(); }\nfn g(s: &str) -> usize { s.trim().len() }",
    );
    assert_eq!(before, after);
    let twice = id("fn g(s: &str) { let a = s.trim(); let a = s.trim(); let _ = a; }");
    assert_eq!(
        twice.iter().collect::<BTreeSet<_>>().len(),
        twice.len(),
        "equal statements are two"
    );
}

#[test]
fn code_is_watched_as_if_it_had_no_tests() {
    let tested = "fn f(s: &str) { blocktest!(\n  \"é\",\n  check_runs()\n); let t = s.trim(); itest!(check_eq(t, s)); if t == s { itest!(check(cond())); g(t); } }";
    let (plan, woven) = planned(tested, &targets());
    assert!(!woven.contains("test!"), "{woven}");
    let (other, _) = planned(
        "fn f(s: &str) { let t = s.trim(); if t == s { g(t); } }",
        &targets(),
    );
    let identities = |plan: &Plan| plan.sites.iter().map(|site| site.id).collect::<Vec<_>>();
    assert_eq!(
        identities(&plan),
        identities(&other),
        "tests in a statement make it no other"
    );
}

#[test]
fn going_past_an_if_is_a_branch_of_a_fragment() {
    let source = "fn f(a: u8) -> u8 { if a > 1 { return 1 } else if a > 0 { g() } let Some(b) = h() else { return 2 }; b }";
    let (_, woven) = planned(
        source,
        &Wanted {
            fragments: true,
            ..Wanted::default()
        },
    );
    assert_eq!(woven.matches("marks::mark(").count(), 5, "{woven}");
    assert_eq!(
        woven.matches(" else { ::situ_recorder").count(),
        2,
        "{woven}"
    );
}

#[test]
fn conditions_guards_and_what_a_match_is_about_are_watched() {
    let found = slots(
        "fn f(a: u8, b: &[u8], mut c: [u8; 2]) -> u8 { if a > 1 && !b.is_empty() || a == 0 { return 1 } while a < c[0] { break } \
         match b.first() { Some(x) if *x == a => 1, _ => { match c[1] { ref mut y => *y += 1 } 0 } } }",
    );
    let positions: Vec<Position> = found.iter().map(|(position, _)| *position).collect();
    let conditions = [
        Position::Condition,
        Position::Condition,
        Position::Scrutinee,
        Position::Condition,
    ];
    assert_eq!(
        positions, conditions,
        "not the place, whose pattern binds to it"
    );
    let operands = found[0]
        .1
        .iter()
        .filter(|(phase, _)| *phase == Phase::Operand)
        .map(|(_, name)| name.as_str());
    assert_eq!(
        operands.collect::<Vec<_>>(),
        ["cond(1)", "cond(2)"],
        "of the outermost `||`"
    );
}

fn fragments(source: &str) -> Vec<(Position, Vec<(Phase, String)>)> {
    let (plan, _) = planned(
        source,
        &Wanted {
            fragments: true,
            ..Wanted::default()
        },
    );
    let sites = plan
        .sites
        .iter()
        .filter(|site| site.position.is_statement());
    sites
        .map(|site| {
            (
                site.position,
                site.slots
                    .iter()
                    .map(|slot| (slot.phase, slot.key.to_string()))
                    .collect(),
            )
        })
        .collect()
}

#[test]
fn a_fragment_reads_what_it_does_not_make_and_gives_what_it_changes() {
    let found = fragments(
        "fn f(o: &mut O, n: usize, mut late: u8) { late = 1; let k = o.lines.len() + n; for n in 0..k { o.sum += n; } }",
    );
    let of = |phase: Phase, name: &str| (phase, name.to_owned());
    let before = [
        of(Phase::Before, "o.lines"),
        of(Phase::Before, "n"),
        of(Phase::Before, "o.sum"),
    ];
    let made = [of(Phase::Made, "k")];
    let after = [
        of(Phase::After, "o.lines"),
        of(Phase::After, "o.sum"),
        of(Phase::After, "late"),
    ];
    assert_eq!(
        found,
        [(Position::Fragment, [&before[..], &made, &after].concat())]
    );
}

#[test]
fn a_fragment_tells_what_changed_where_it_leaves() {
    let found = fragments(
        "fn f(v: &mut Vec<u8>) -> Option<u8> { v.push(1); if v.len() > 3 { return None } v.pop() }",
    );
    let names: Vec<(Phase, &str)> = found[0]
        .1
        .iter()
        .map(|(phase, name)| (*phase, name.as_str()))
        .collect();
    let left = [(Phase::Left, "return"), (Phase::After, "v")];
    assert_eq!(
        names,
        [
            &[
                (Phase::Before, "v"),
                (Phase::Result, "result"),
                (Phase::After, "v")
            ][..],
            &left
        ]
        .concat()
    );
}

#[test]
fn a_closure_has_arguments_and_what_it_captures() {
    let found =
        fragments("fn f(v: &[u8], k: u8) -> usize { v.iter().filter(|x| **x & k == 1).count() }");
    let of = |phase: Phase, name: &str| (phase, name.to_owned());
    let slots = vec![
        of(Phase::Before, "k"),
        of(Phase::Argument, "x"),
        of(Phase::Result, "result"),
    ];
    assert_eq!(found, [(Position::Closure, slots)]);
}

#[test]
fn a_fragment_keeps_its_identity_when_tests_stand_in_it() {
    let wanted = Wanted {
        fragments: true,
        ..Wanted::default()
    };
    let id = |tests: [&str; 2]| {
        let [first, second] = tests;
        let source = format!(
            "fn f(s: &str) {{ {first} let t = s.trim(); if t > \"a\" {{ {second} g(); h(); }} }}"
        );
        let (plan, _) = planned(&source, &wanted);
        plan.sites
            .iter()
            .filter(|site| site.position == Position::Fragment)
            .map(|site| site.id)
            .collect::<Vec<_>>()
    };
    let without = id(["", ""]);
    assert_eq!(without.len(), 2);
    assert_eq!(
        id([
            "blocktest!(given(s = \"b\"), check_runs());",
            "itest!(check_true(cond()));"
        ]),
        without
    );
}

#[test]
fn in_edition_2015_serde_is_named_only_where_the_root_declares_it() {
    let named = |source: &str| {
        planned_in("2015", source, &targets())
            .1
            .contains("__situ_serde")
    };
    assert!(named("extern crate serde; pub struct A;"));
    assert!(!named(
        "#[cfg(feature = \"serde\")] extern crate serde; pub struct A;"
    ));
    assert!(
        planned("pub struct A;", &targets())
            .1
            .contains("__situ_serde")
    );
}

#[test]
fn elements_are_captured_where_they_are_evaluated_for_sure_and_nothing_changes_them() {
    let elements = |body: &str| -> Vec<String> {
        let source = format!("fn f(cap: &Cap, i: usize, mut j: usize) {{ {body} }}");
        let (plan, _) = planned(
            &source,
            &Wanted {
                all_statements: true,
                ..Wanted::default()
            },
        );
        let slots = plan.sites.into_iter().flat_map(|site| site.slots);
        slots
            .filter(|slot| slot.phase == Phase::Element)
            .map(|slot| slot.key.to_string())
            .collect()
    };
    assert_eq!(
        elements("let x = cap[1].len() + cap[i].len();"),
        ["cap[1]", "cap[i]"]
    );
    assert_eq!(
        elements("if cap[1].is_empty() && cap[2].is_empty() {}"),
        ["cap[1]"]
    );
    assert_eq!(
        elements("let x = words.iter().map(|i| cap[i].len()).sum();"),
        [""; 0]
    );
    assert_eq!(
        elements("let x = cap[j].len() + bump(&mut j).len();"),
        [""; 0]
    );
}

#[test]
fn calls_on_what_may_not_be_shown_are_kept_where_they_are_not_all_that_a_statement_does() {
    let answers = |body: &str| -> Vec<String> {
        let source = format!(
            "impl S {{ fn f(&self, s: &str, of: &dyn Of, go: impl Fn() -> u8) {{ {body} }} }}"
        );
        let (plan, _) = planned(
            &source,
            &Wanted {
                answers: true,
                all_statements: true,
                ..Wanted::default()
            },
        );
        let slots = plan.sites.into_iter().flat_map(|site| site.slots);
        slots
            .filter(|slot| slot.phase == Phase::Answer)
            .map(|slot| slot.key.to_string())
            .collect()
    };
    assert_eq!(
        answers("if s.len() > self.len() && go() == 1 {}"),
        ["self.len()", "go()"]
    );
    assert_eq!(
        answers("let x = format!(\"{} {s}\", of.year());"),
        ["of.year()"]
    );
    assert_eq!(
        answers("if of.name().is_empty() {}"),
        ["of.name()"],
        "not the condition itself"
    );
    assert_eq!(
        answers("let x = s.trim().len() + count(of, 1);"),
        ["count(of, 1)"]
    );
    for whole in [
        "if self.is_empty() {}",
        "let x = &of.name()?;",
        "self.a = of.year();",
        "return go();",
    ] {
        assert_eq!(answers(whole), [""; 0], "{whole}");
    }
    assert_eq!(
        answers("let x = s.bytes().map(|b| b + go()).sum::<u8>();"),
        [""; 0],
        "closures run at other times"
    );
    assert_eq!(
        answers("let x = of.iter().rev().count() + fill(of, &mut y);"),
        ["of.iter().rev().count()"]
    );
}

#[test]
fn values_are_whole_before_anything_unsafe_has_run_and_when_nothing_unsafe_is_left() {
    let validity = |function: &str, wanted: Wanted, position: &str| -> Vec<[bool; 2]> {
        let (_, woven) = planned(function, &wanted);
        let (_, sites) = woven.split_once("Sites::new(\"").unwrap();
        let position = format!("\\u{{1f}}{position}\\u{{1f}}");
        let codes = sites
            .split("\\u{1c}")
            .filter(|site| site.contains(&position));
        let code =
            |site: &str| u32::from_str_radix(site.split("\\u{1d}").nth(2).unwrap(), 16).unwrap();
        codes
            .map(code)
            .map(|code| [code & 1 != 0, code & 2 != 0])
            .collect()
    };
    let (whole, half, begins) = ([true, true], [false, false], [true, false]);
    let statements = |text: &str| {
        validity(
            text,
            Wanted {
                all_statements: true,
                ..Wanted::default()
            },
            "statement",
        )
    };
    assert_eq!(
        statements("fn f(s: &str) { let x = s.len() > 1; unsafe { go() } let y = s.len() > 2; }"),
        [whole; 2]
    );
    assert_eq!(
        statements("fn f(s: &str) { unsafe { go() } let x = s.len() > 1; unsafe { go() } }"),
        [half],
        "what one block has begun another one ends"
    );
    assert_eq!(
        statements("fn f(s: &str) { unsafe { let x = s.len() > 1; let y = go(); } }"),
        [begins, [false, true]]
    );
    let all =
        "unsafe fn f(s: &str) { let x = s.len() > 1; let y = s.len() > 2; let z = s.len() > 3; }";
    assert_eq!(statements(all), [begins, half, [false, true]]);
    assert_eq!(
        statements("unsafe fn f(s: &str) { let x = s.len() > 1; unsafe { go() } }"),
        [whole]
    );
    let comes_round = "fn f(s: &str) { loop { let x = s.len() > 1; unsafe { go() } } }";
    assert_eq!(statements(comes_round), [half], "it comes round again");
    assert_eq!(
        statements("impl Drop for S { fn drop(&mut self) { let x = self.s.len() > 1; } }"),
        [half]
    );
    let fragments = |text: &str| {
        validity(
            text,
            Wanted {
                fragments: true,
                ..Wanted::default()
            },
            "fragment",
        )
    };
    let nested = "fn f(s: &str) { if s.len() > 1 { let x = 1; go(); } unsafe { go(); let y = 1; } let z = 1; }";
    assert_eq!(fragments(nested), [whole; 3]);
    let two = "fn f(s: &str) { unsafe { go(); let y = 1; } unsafe { go(); let y = 1; } }";
    assert_eq!(fragments(two), [whole, begins, [false, true]]);
}

/// Returns for each slot of a site whether its value is captured as a secret, by name.
fn secrecy_in(body: &str) -> BTreeMap<String, bool> {
    let source = format!("fn f(user: &str, password: &str, text: &str, map: &Map) {{ {body} }}");
    let (plan, _) = planned(
        &source,
        &Wanted {
            all_statements: true,
            ..Wanted::default()
        },
    );
    let statements = plan
        .sites
        .iter()
        .filter(|site| site.position.is_statement());
    statements
        .flat_map(|site| &site.slots)
        .map(|slot| (slot.key.to_string(), slot.secret))
        .collect()
}

#[test]
fn what_is_made_from_a_secret_is_one() {
    for body in [
        "let line = format!(\"login {user} {password}\");",
        "let line = password.to_uppercase();",
        "let line = std::env::var(\"DB_PASSWORD\").unwrap();",
        "let line = map.get(\"api-key\").unwrap().trim();",
        "let line = map[\"authorization\"].to_owned();",
        "let line = prompt_password(user)?;",
        "let line = text.chars().map(|c| password.contains(c)).count();",
    ] {
        assert!(secrecy_in(body)["line"], "{body}");
    }
    for body in [
        "let line = format!(\"login {user}, enter password\");",
        "let line = auth::parse(text);",
        "let line = Session::new(text);",
        "let line = std::env::var(\"HOME\").unwrap();",
        "let line = text == \"password\";",
    ] {
        assert!(!secrecy_in(body)["line"], "{body}");
    }
}

#[test]
fn values_with_the_names_of_secrets_are_looked_at_wherever_they_are_made() {
    let source = "pub struct L { password: String, name: String }\n\
                  pub fn f(api_key: &str, token: &str, n: u8) -> L { let session_id = g(n); \
                  h.header(\"Authorization\", session_id.as_str()); L { password: api_key.to_owned(), name: token.into() } }";
    let (_, woven) = planned(
        source,
        &Wanted {
            fragments: true,
            ..Wanted::default()
        },
    );
    for look in [
        "look!(Always, \"p\", api_key)",
        "look!(IfText, \"p\", token)",
        "look!(Always, \"p\", session_id)",
    ] {
        assert!(woven.contains(look), "{look} in {woven}");
    }
    assert_eq!(woven.matches("look!").count(), 5, "{woven}");
}

#[test]
fn types_and_pairs_of_fields_say_what_is_secret_in_them() {
    let source = "pub struct ApiKey(String); pub struct Header { name: String, value: String } pub struct Token(String);";
    let (_, woven) = planned(source, &targets());
    assert_eq!(
        woven
            .matches("w.secret_part(::situ_recorder::secret::Secrecy::Always")
            .count(),
        1,
        "{woven}"
    );
    assert!(
        woven.contains("__behind = w.part(::situ_recorder::secret::Secrecy::None"),
        "{woven}"
    );
    assert!(woven.contains("w.part(__behind, "), "{woven}");
}

mod conditional;
mod instrumented;

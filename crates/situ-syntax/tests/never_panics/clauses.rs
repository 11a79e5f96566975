//! Tests with every clause, to be put at statements they were not written for.

use syn::Stmt;

use crate::insertion::Surroundings;

/// Tests that fit most statements. `GIVEN` is one value for each local name that the statement tested mentions.
const FITTING: &[&str] = &[
    "blocktest!(given(GIVEN), next(1), check_runs());",
    "itest!(given(GIVEN), check_runs());",
    "blocktest!(given(GIVEN), next(1), repeat(2), timeout_ms(100), tag(\"a\"), check_panic());",
    "itest!(\"named\", given(GIVEN), setup({ let _ = 1; }), assume(true), check(made() < 2));",
];

/// Tests with every other clause; `NAME` is the first of the names that are given.
const OTHERS: &[&str] = &[
    "blocktest!(\"named\", given(GIVEN), check_eq(NAME, 1));",
    "itest!(\"named\", given(GIVEN), check_ne(NAME, 1), check_true(NAME), check_false(NAME), check_some(NAME));",
    "itest!(given(GIVEN), check_none(NAME), check_ok(NAME), check_err(NAME), check_same(&NAME, &NAME));",
    "itest!(given(GIVEN), check_approx(NAME, 1.0, 0.1), check_matches(NAME, Some(1 | 2)));",
    "blocktest!(given(GIVEN), end(first_block), check_flow(If.ElseIf(2).Then), check_no_flow(If(2).Else));",
    "blocktest!(given(GIVEN), end(first_block, 2), check_flow(Match.Arm(3)), check_flow(For.Body.times(2)));",
    "blocktest!(given(GIVEN), end(first_assign), check(NAME > 0), check_flow(While.Body), check_flow(Loop.Body));",
    "blocktest!(given(GIVEN), end(first_exit), check_return(None));",
    "blocktest!(given(GIVEN), start(first_block), check_runs());",
    "blocktest!(given(GIVEN), start(first_block, 2), check_runs());",
    "blocktest!(given(GIVEN), start(first_assign), check_eq(NAME, 3));",
    "blocktest!(given(GIVEN), start(first_exit), check_break(\"outer\"));",
    "blocktest!(given(GIVEN), check_return(returned()), check(returned().len() > 2));",
    "blocktest!(given(GIVEN), check_value(3), check_eq(value(), 4));",
    "blocktest!(given(GIVEN), next(2), check_break(), check_continue());",
    "blocktest!(given(GIVEN), next(3), check_panic());",
    "blocktest!(given(GIVEN), next(1), check_panic(\"text\"), tag(\"a\", \"b\"), ignore(\"why\"), repeat(3));",
    "blocktest!(given(GIVEN), timeout_ms(100), assume(NAME == 1), delay_ms(1), runtime(tokio), check_runs());",
    "blocktest!(given(GIVEN), setup({ let _ = 1; }), each(NAME, [1, 2]), each((a, b), pairs()), check_runs());",
    "blocktest!(given(GIVEN), mock(self.NAME(..), Ok(1)), mock(NAME(_, 6).await, 4), check_called(NAME(..), 2));",
    "blocktest!(given(GIVEN), mock_seq(NAME(..), [1, 2]), check_runs());",
    "blocktest!(given(GIVEN), mock(NAME(1), 2), mock(NAME(2), 3), check_order(NAME(2), NAME(..)));",
    "blocktest!(given(T = u32, N = 3, Self = Square), given(self.width = 3, buf[i] = 2), check_runs());",
    "itest!(given(GIVEN), check(cond()));",
    "itest!(given(GIVEN), check(cond(1)), check(!cond(2)));",
    "itest!(given(GIVEN), check_eq(items(), vec![1]));",
    "itest!(given(GIVEN), check_eq(scrutinee(), Some(1)));",
    "itest!(given(GIVEN), check_return(1), check_err(returned()));",
    "closuretest!(args(1, 2), check_return(3));",
    "closuretest!(nth(2), args(), given(GIVEN), check_return(3));",
    "closuretest!(of(NAME), args(1), check_panic());",
    "endtest!(\"never begun\");",
    "itest!();",
    "blocktest!(unknown(1), given(), check_eq(1), end(nowhere), next(0), each(), mock(), check_flow(1), check_flow());",
];

/// How many different tests there are.
pub const KINDS: usize = FITTING.len() + OTHERS.len();

/// A test of the statement that follows.
pub fn blocktest(around: &Surroundings) -> Stmt {
    made(FITTING[0], 0, around)
}

/// The test of this number, of all kinds in turn.
pub fn any(number: usize, around: &Surroundings) -> Stmt {
    let template = FITTING
        .iter()
        .chain(OTHERS)
        .nth(number % KINDS)
        .expect("there are that many");
    made(template, number, around)
}

/// The test for what stands around it, with a name that no test of another number has.
fn made(template: &str, number: usize, around: &Surroundings) -> Stmt {
    let names = if template.starts_with("itest") {
        &around.before
    } else {
        &around.after
    };
    let given: Vec<String> = names
        .iter()
        .map(|name| format!("{name} = made()"))
        .collect();
    let first = names.first().map_or("nothing", String::as_str);
    let template = if given.is_empty() {
        template.replace("given(GIVEN), ", "")
    } else {
        template.to_string()
    };
    let name = format!("\"named {number}\"");
    let text = template
        .replace("GIVEN", &given.join(", "))
        .replace("NAME", first)
        .replace("\"named\"", &name);
    syn::parse_str(&text).unwrap_or_else(|error| panic!("{text} is no statement: {error}"))
}

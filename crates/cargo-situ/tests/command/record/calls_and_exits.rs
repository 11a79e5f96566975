//! Outgoing calls with what they gave, and what leaves a statement before its end.

use super::project::Project;

#[test]
fn outgoing_calls_are_with_the_functions_and_statements_that_make_them() {
    let project = Project::copy_of("outgoing");
    let (summary, code) = project.summary(&["record", "--functions", "--calls", "--json"]);
    assert_eq!(code, 0, "{summary}");
    assert_eq!(summary["outcome_differences"], 0, "{summary}");
    assert_eq!(
        (&summary["calls_found"], &summary["calls_dropped"]),
        (&9.into(), &0.into()),
        "{summary}"
    );
    assert_eq!(summary["calls_reached"], 9, "{summary}");

    let page = project.shown(&["Page"]);
    for expected in [
        // Of one and the same arguments, told apart by what the call gave.
        "argument 1 = &String::from(\"site/a\") → Ok::<_, far::Refused>(String::from(\"site/a 1\"))",
        "argument 1 = &String::from(\"site/a\") → Ok::<_, far::Refused>(String::from(\"site/a 2\"))",
        "calls self.wire.later(name.to_owned()).await with receiver = Wire { sent: 3 }, argument 1 = \
         String::from(\"abc\") → 3usize",
        "argument 1 = &vec![1u8] → (), argument 1 = &vec![1u8, 7]",
    ] {
        assert!(page.contains(expected), "{expected} is not in\n{page}");
    }
    let throws = project.shown(&["throws"]);
    let once = "calls far::dice(*sides) with argument 1 = 6u32 → 3u32\n          calls far::dice(*sides) with argument 1 = \
                8u32 → 4u32\n          calls far::dice(sides) with argument 1 = 4u32 → 2u32\n          calls \
                far::apply(|sides| far::dice(sides) + 1) → 3u32\n";
    assert_eq!(
        throws.matches(once).count(),
        2,
        "each of two calls of the function has its own:\n{throws}"
    );
    let folder = project.shown(&["folder"]);
    assert!(
        folder.contains("→ Err::<String, _>(std::env::VarError::NotPresent)"),
        "{folder}"
    );

    every_way_to_leave(&project);
    without_calls_nothing_is_said_of_them(&project);
}

/// On the same project, whose dependency is built already.
fn every_way_to_leave(project: &Project) {
    let sum = project.shown(&["sum", "--rows", "40"]);
    for expected in [
        "word = \".\" → breaks\n",
        "word = \"\" → continues\n",
        "word = \"#\" → continues 'lines\n",
        "word = \"!\" → returns Err::<u32, _>(Trouble::Refused(1u16))\n",
        "word = \"5.\" → `?` returns Err::<u32, _>(Trouble::Number(String::from(",
        "line = \"# 9\" → items = [\"#\"], continues 'lines\n",
        "text = \"7 !\" → result = Err::<u32, _>(Trouble::Refused(1u16))\n",
    ] {
        assert!(sum.contains(expected), "{expected} is not in\n{sum}");
    }
    let first = project.shown(&["first_char"]);
    assert!(
        first.contains("text = \" \" → `?` returns None::<char>"),
        "{first}"
    );
    assert!(
        first.contains("text = \" \" → result = None::<char>"),
        "the function has it as its result:\n{first}"
    );
    // The error is what the function returns, not what the dependency gave.
    let load = project.shown(&["load"]);
    assert!(
        load.contains("`?` returns Err::<usize, _>(Trouble::Refused(403u16))"),
        "{load}"
    );
}

fn without_calls_nothing_is_said_of_them(project: &Project) {
    let (summary, code) = project.summary(&["record", "--json"]);
    assert_eq!(code, 0, "{summary}");
    assert_eq!(
        (&summary["calls_found"], &summary["outgoing_calls"]),
        (&0.into(), &0.into()),
        "{summary}"
    );
}

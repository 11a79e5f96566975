//! Real faults of published crates, each with a property that its fixed version has.

/// Versions that cargo does not let stand beside another one of the same crate, brought by the build script.
mod brought {
    #![allow(warnings, clippy::all)]
    include!(concat!(env!("OUT_DIR"), "/brought.rs"));
}

/// Matches by trying everything: `*` any characters, `?` one.
fn matches(pattern: &[char], text: &[char]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some(('*', rest)), _) => {
            matches(rest, text) || (!text.is_empty() && matches(pattern, &text[1..]))
        }
        (Some(('?', rest)), Some((_, text))) => matches(rest, text),
        (Some((one, rest)), Some((other, text))) if one == other => matches(rest, text),
        _ => false,
    }
}

fn agrees(pattern: &str, text: &str, found: bool) -> bool {
    // Trying everything takes for ever on long inputs.
    let is_small = pattern.chars().count() <= 12 && text.chars().count() <= 24;
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    !is_small || pattern.is_empty() || text.is_empty() || matches(&pattern, &text) == found
}

/// wildmatch 2.3.2: a byte length bounds characters.
pub fn wildmatch_itself(text: &str) -> bool {
    text.is_empty() || wildmatch::WildMatch::new(text).matches(text)
}

/// wildmatch 2.3.3: the order of two branches.
pub fn wildmatch_branches(pattern: &str, text: &str) -> bool {
    agrees(
        pattern,
        text,
        brought::wildmatch_2_3_3::WildMatch::new(pattern).matches(text),
    )
}

/// wildmatch 2.3.1: a state machine that goes on where it should not.
pub fn wildmatch_states(pattern: &str, text: &str) -> bool {
    agrees(
        pattern,
        text,
        brought::wildmatch_2_3_1::WildMatch::new(pattern).matches(text),
    )
}

/// wildmatch 2.3.0: a pattern that is not tried again from its start.
pub fn wildmatch_restart(text: &str, end: usize) -> bool {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let Some(end) = starts.get(end).map(|at| &text[*at..]) else {
        return true;
    };
    let is_plain = !text.contains(['*', '?']);
    !is_plain || brought::wildmatch_2_3_0::WildMatch::new(&format!("*{end}")).matches(text)
}

/// wildmatch 2.1.0: another state machine.
pub fn wildmatch_older(pattern: &str, text: &str) -> bool {
    agrees(
        pattern,
        text,
        brought::wildmatch_2_1_0::WildMatch::new(pattern).matches(text),
    )
}

/// strsim 0.9.2: `jaro` of a letter with itself.
pub fn jaro_of_itself(text: &str) -> bool {
    (strsim_0_9_2::jaro(text, text) - 1.0).abs() < 1e-9
}

/// strsim 0.10.0: only equal texts are wholly alike.
pub fn jaro_winkler_of_different(one: &str, other: &str) -> bool {
    one == other || strsim_0_10_0::jaro_winkler(one, other) < 1.0
}

/// strsim 0.5.2: a way over a third text is never shorter.
pub fn triangle(one: &str, other: &str, third: &str) -> bool {
    let distance = strsim_0_5_2::damerau_levenshtein;
    let is_small = [one, other, third].iter().all(|text| text.len() <= 24);
    !is_small || distance(one, other) <= distance(one, third) + distance(third, other)
}

/// textwrap 0.13.2: no indentation changes nothing.
pub fn indent_by_nothing(text: &str) -> bool {
    textwrap_0_13_2::indent(text, "") == text
}

/// textwrap 0.10.0: where there was no newline at the end, there is none.
pub fn dedent_without_newline(text: &str) -> bool {
    text.ends_with('\n') || !textwrap_0_10_0::dedent(text).ends_with('\n')
}

/// textwrap 0.14.0: wrapping does not panic.
pub fn wrapping(text: &str) -> bool {
    textwrap_0_14_0::wrap(text, 5);
    true
}

/// num-integer 0.1.39: every two numbers have a least common multiple.
pub fn least_common_multiple(one: u16, other: u16) -> bool {
    let multiple = num_integer::lcm(u64::from(one), u64::from(other));
    multiple == 0 || multiple % u64::from(one) == 0
}

/// num-integer 0.1.39: whether a number is a multiple of another can always be said.
pub fn multiple_of_any(one: u32, other: u32) -> bool {
    let is_multiple = num_integer::Integer::is_multiple_of(&one, &other);
    other == 0 || is_multiple == (one % other == 0)
}

/// shlex 1.2.0: a shell reads what was quoted as one word.
pub fn quoted_word(text: &str) -> bool {
    !is_expanded(&shlex::quote(text))
}

/// Whether a shell makes several words of this by its braces: one that opens, a comma, one that closes, none quoted.
fn is_expanded(word: &str) -> bool {
    if word.contains(['"', '\'']) {
        return false;
    }
    let open = word.find('{').map(|at| &word[at..]);
    let comma = open.and_then(|rest| rest.find(',').map(|at| &rest[at..]));
    comma.is_some_and(|rest| rest.contains('}'))
}

/// size 0.1.1: each unit is a thousand of the one before.
pub fn units(step: u8) -> bool {
    let chain = [
        size::BYTE,
        size::KILOBYTE,
        size::MEGABYTE,
        size::GIGABYTE,
        size::TERABYTE,
        size::PETABYTE,
    ];
    let step = usize::from(step);
    step + 1 >= chain.len() || chain[step + 1] == 1000 * chain[step]
}

/// idna 0.5.0: a label that is encoded needed it, so that what comes out is not plain.
pub fn encoded_label(label: &str) -> bool {
    let encoded = format!("xn--{label}");
    match idna::domain_to_unicode(&encoded) {
        (decoded, Ok(())) => decoded.starts_with("xn--") || !decoded.is_ascii(),
        _ => true,
    }
}

/// convert_case 0.5.0: changing the case does not panic.
pub fn change_of_case(text: &str) -> bool {
    use convert_case::Casing as _;
    text.to_case(convert_case::Case::Title);
    true
}

/// heck 0.5.0: a title is its own title.
pub fn title_of_title(text: &str) -> bool {
    use heck::ToTitleCase as _;
    text.to_title_case() == text.to_title_case().to_title_case()
}

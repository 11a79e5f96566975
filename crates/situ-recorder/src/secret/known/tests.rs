//! Secrets that are recognised, and strings that only look similar.

use super::*;

fn knowing(secrets: &[&str]) -> Known {
    let mut known = Known::new([1, 2]);
    secrets
        .iter()
        .for_each(|secret| drop(known.add(secret.as_bytes(), Trust::Named)));
    known
}

/// Returns the set as a reader of the fingerprints has it.
fn elsewhere(secrets: &[&str]) -> Known {
    let (mut known, mut read) = (Known::new([1, 2]), Known::from_elsewhere([1, 2]));
    for print in secrets
        .iter()
        .flat_map(|secret| known.add(secret.as_bytes(), Trust::Named))
    {
        read.add_fingerprint(Fingerprint::from_bytes(&print.to_bytes()).unwrap());
    }
    read
}

fn check(secret: &str, made: &[&str], other: &[&str]) {
    for known in [knowing(&[secret]), elsewhere(&[secret])] {
        for text in made {
            assert!(
                known.is_in(text.as_bytes()),
                "`{text}` was made from `{secret}`"
            );
            assert!(
                known.is_in(text.to_uppercase().as_bytes()),
                "`{text}` in capitals was made from `{secret}`"
            );
        }
        for text in other {
            assert!(
                !known.is_in(text.as_bytes()),
                "`{text}` was not made from `{secret}`"
            );
        }
    }
}

#[test]
fn a_secret_is_recognised_in_what_is_made_from_it() {
    check(
        "hunter22",
        &[
            "hunter22",
            "HUNTER22",
            " hunter22\n",
            "login admin hunter22",
            "workload_hunter22(\"hunter22\")",
            "68756e7465723232",
            "prefix 68756E7465723232 suffix",
            "aHVudGVyMjI=",
            "P2h1bnRlcjIy",
            "Basic YWRtaW46aHVudGVyMjI=",
            "https://h/?p=%68unter22",
            "%68%75%6e%74%65%72%32%32",
            "hunt",
            "unter2",
            "er22",
        ],
        &[
            "a hunter of 22",
            "hun",
            "hunter-22",
            "100 % hunter 22",
            "aHVudGV is short",
        ],
    );
}

#[test]
fn parts_of_a_long_secret_are_recognised() {
    check(
        "sk-live.4eC39HqLyjWDarjtT1zdp7dc",
        &[
            "sk-live.4e…",
            "key 39hqlyjw is cut",
            "7dc\": 4ec39hqlyjwdarjtt1zdp7dc",
            "4ec3",
            "dp7dc",
        ],
        &["sk-live is a prefix", "lyjw in a text", "4eC is short"],
    );
    check(
        "p@ss wörd/42",
        &[
            "p%40ss%20w%C3%B6rd%2F42",
            "P@SS WÖRD/42",
            "say \"p@ss wörd/42\"",
        ],
        &["p@ s"],
    );
    check("DE89 3704 0044", &["DE8937040044", "3704"], &["DE893"]);
    check(
        "quo\"ted\\secret1",
        &["Login { p: \"quo\\\"ted\\\\secret1\" }"],
        &[],
    );
}

#[test]
fn short_words_and_numbers_are_recognised_as_whole_words_only() {
    check(
        "hunter",
        &["hunter", "login bob hunter", "68756e746572", "hunt"],
        &["hunters meet", "bounty_hunter2"],
    );
    check(
        "491827",
        &["491827", "code: 491827."],
        &["1491827", "4918270"],
    );
    check(
        "4711",
        &["4711", "Some(4711)", "pin=4711;", "34373131"],
        &["47110", "x4711", "471", "in 1471"],
    );
}

#[test]
fn what_is_too_common_is_recognised_only_where_it_is_everything() {
    check(
        "true",
        &["true", "TRUE", " true"],
        &["it is true", "trueish", "tru"],
    );
    check(
        "1234",
        &["1234", "31323334", "MTIzNA=="],
        &["12345", "a 1234 b", "0x1234"],
    );
    check(
        "password",
        &["password"],
        &["the password is wrong", "passwords"],
    );
    check("********", &["********"], &["a ******** b", "*********"]);
    check(
        "/home/me/key2.pem",
        &["/home/me/key2.pem"],
        &["/home/me/other", "see /home/me/key2.pem"],
    );
    check(
        "----------------",
        &["----------------"],
        &["-----------------"],
    );
}

#[test]
fn what_others_begin_with_is_no_part_of_a_secret() {
    check(
        "Bearer 0918273645",
        &["Bearer 0918273645", "0918273645", "x 09182736"],
        &["Bearer token", "a bearer of"],
    );
    check(
        "xy0123456789",
        &["xy0123456789", "a xy012345"],
        &["0123456789", "2345678"],
    );
    check(
        "https://hooks.example.org/T00/9f8e7d",
        &["hooks.example.org/T00"],
        &["https://crates.io"],
    );
}

#[test]
fn of_what_was_made_from_a_secret_only_what_looks_random_is_one() {
    let mut known = Known::new([3, 4]);
    known.add(
        b"login admin on x86_64-unknown-linux-gnu with 8f14e45fceea167a",
        Trust::Derived,
    );
    assert!(known.is_in(b"8f14e45fceea167a") && known.is_in(b"see 4e45fcee"));
    for other in ["login admin", "x86_64-unknown-linux-gnu", "admin"] {
        assert!(!known.is_in(other.as_bytes()), "{other}");
    }
    known.add(b"while", Trust::Ambiguous);
    known.add(b"function", Trust::Ambiguous);
    known.add(b"tok-5512-of-me", Trust::Ambiguous);
    assert!(known.is_in(b"function") && known.is_in(b"at tok-5512-of-me"));
    assert!(!known.is_in(b"a function call") && !known.is_in(b"func"));
}

#[test]
fn a_secret_is_added_once() {
    let mut known = knowing(&["hunter22"]);
    assert!(known.has(b"hunter22", Trust::Named) && !known.has(b"hunter23", Trust::Named));
    assert!(known.add(b"hunter22", Trust::Named).is_empty());
    assert!(
        known.add(b"abc", Trust::Named).is_empty(),
        "too short to be known"
    );
}

#[test]
fn numbers_are_recognised_by_their_digits() {
    let known = knowing(&["4711", "60385", "9182736455", "abc20245678x"]);
    for secret in [4711, -4711, 60385, 9_182_736_455] {
        assert!(known.is_number(secret), "{secret}");
    }
    for other in [471, 4712, 14711, 47110, 0, 2024] {
        assert!(!known.is_number(other), "{other}");
    }
    assert!(!knowing(&["hunter22"]).is_number(4711));
}

#[test]
fn nothing_is_found_without_the_key() {
    let (mut known, mut other) = (Known::new([1, 2]), Known::from_elsewhere([1, 3]));
    for print in known.add(b"hunter22", Trust::Named) {
        other.add_fingerprint(print);
    }
    assert!(!other.is_in(b"hunter22"));
}

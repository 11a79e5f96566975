//! Methods of the standard library (and of `regex`) that make a statement a target.

use super::Kind;

const REGEX: &[&str] = &[
    "is_match",
    "captures",
    "captures_iter",
    "find_iter",
    "replace_all",
    "shortest_match",
    "captures_len",
];

const TEXT: &[&str] = &[
    "char_indices",
    "chars",
    "ends_with",
    "eq_ignore_ascii_case",
    "find",
    "insert_str",
    "is_char_boundary",
    "lines",
    "match_indices",
    "matches",
    "parse",
    "push_str",
    "repeat",
    "replace",
    "replace_range",
    "replacen",
    "rfind",
    "rmatches",
    "rsplit",
    "rsplit_once",
    "rsplitn",
    "split",
    "split_ascii_whitespace",
    "split_at",
    "split_inclusive",
    "split_once",
    "split_terminator",
    "split_whitespace",
    "splitn",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
    "to_ascii_lowercase",
    "to_ascii_uppercase",
    "to_lowercase",
    "to_uppercase",
    "make_ascii_lowercase",
    "make_ascii_uppercase",
    "trim",
    "trim_end",
    "trim_end_matches",
    "trim_left",
    "trim_left_matches",
    "trim_matches",
    "trim_right",
    "trim_right_matches",
    "trim_start",
    "trim_start_matches",
];

const BITS: &[&str] = &[
    "count_ones",
    "count_zeros",
    "from_be",
    "from_le",
    "leading_ones",
    "leading_zeros",
    "reverse_bits",
    "rotate_left",
    "rotate_right",
    "swap_bytes",
    "to_be",
    "to_be_bytes",
    "to_le",
    "to_le_bytes",
    "to_ne_bytes",
    "trailing_ones",
    "trailing_zeros",
    "wrapping_shl",
    "wrapping_shr",
    "checked_shl",
    "checked_shr",
];

const SEQUENCE: &[&str] = &[
    "all",
    "any",
    "binary_search",
    "binary_search_by",
    "chunks",
    "chunks_exact",
    "collect",
    "concat",
    "copy_from_slice",
    "dedup",
    "dedup_by",
    "dedup_by_key",
    "drain",
    "enumerate",
    "filter_map",
    "find_map",
    "flat_map",
    "flatten",
    "fold",
    "for_each",
    "group_by",
    "join",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "partition",
    "position",
    "product",
    "retain",
    "rposition",
    "scan",
    "skip_while",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "splice",
    "split_off",
    "step_by",
    "sum",
    "take_while",
    "truncate",
    "try_fold",
    "unzip",
    "windows",
    "zip",
];

/// Returns what a method with this name and number of arguments manipulates.
pub(super) fn kind_of_method(name: &str, arguments: usize) -> Option<Kind> {
    // Types such as `io::Split` have methods of the same names; the number of arguments tells them
    // apart.
    let takes_none = ["chars", "lines", "trim", "sum", "product", "concat"];
    if takes_none.contains(&name) && arguments > 0 {
        return None;
    }
    let tables = [
        (REGEX, Kind::Regex),
        (TEXT, Kind::Text),
        (BITS, Kind::Bits),
        (SEQUENCE, Kind::Sequence),
    ];
    tables
        .into_iter()
        .find(|(names, _)| names.contains(&name))
        .map(|(_, kind)| kind)
}

/// Returns whether a method manipulates strings, bits or sequences of the standard library.
pub(crate) fn is_plain_manipulation(name: &str, arguments: usize) -> bool {
    kind_of_method(name, arguments).is_some_and(|kind| kind != Kind::Regex)
}

//! A check of e-mail addresses.

/// Whether `address` has a local part and a host, in the form that the standard allows.
pub fn is_valid(address: &str) -> bool {
    let Some((local, host)) = address.rsplit_once('@') else {
        return false;
    };
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    // Only what is in quotes may have a space in it.
    let local_is_fine = if cfg!(feature = "bugs") {
        local.trim().len() == local.len() && !local.is_empty()
    } else {
        quoted || (!local.is_empty() && !local.contains([' ', '"']))
    };
    let host_is_fine =
        host.contains('.') && !host.contains(' ') && !host.starts_with('.') && !host.ends_with('.');
    local_is_fine && host_is_fine
}

#[cfg(test)]
mod tests {
    use super::is_valid;
    use situ::prelude::*;

    #[datapoints("addresses")]
    const ADDRESSES: [&str; 6] = [
        "ada@example.org",
        "\"ada lovelace\"@example.org",
        "ada lovelace@example.org",
        "ada",
        "a@b",
        " @example.org",
    ];

    #[datapoints("names")]
    const NAMES: [&str; 3] = ["ada", "grace hopper", ""];

    // An address can contain a space only if it also contains quotes.
    #[theory]
    fn an_address_with_a_space_has_quotes(#[from("addresses")] address: &str) {
        assume!(address.contains(' '));
        assume!(is_valid(address));
        assert!(address.contains('"'));
    }

    #[theory]
    fn a_name_without_spaces_needs_no_quotes(#[from("names")] name: &str) {
        assume!(!name.is_empty() && !name.contains(' '));
        assert!(is_valid(&format!("{name}@example.org")));
    }
}

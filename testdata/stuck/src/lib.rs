//! Tests that do not end.

/// A number that is made of another one.
pub fn mixed(number: u32) -> u32 {
    let mixed = number.wrapping_mul(31) ^ number >> 3;
    mixed
}

#[cfg(test)]
mod tests {
    fn wait_while(is_waiting: impl Fn() -> bool) {
        while is_waiting() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    #[test]
    fn ends() {
        assert_eq!(super::mixed(8), 249);
    }

    #[test]
    fn ends_where_it_is_not_recorded() {
        assert_eq!(super::mixed(16), 498);
        wait_while(|| std::env::var_os("SITU_RECORDING_DIR").is_some());
    }

    #[test]
    #[cfg(feature = "endless")]
    fn never_ends() {
        wait_while(|| true);
    }
}

//! Names of generated tests that hold the rows of a table. The name contains the number of the
//! table and of its rows.

/// Prefix of the names of tests with rows: `situ_rows_12_of_30` is test number 12, with 30 rows.
pub(crate) const ROWS_NAME: &str = "situ_rows_";

/// Returns the number of the test and the number of its rows, parsed from its name.
pub(crate) fn number_and_rows(name: &str) -> Option<(usize, usize)> {
    let (_, rest) = name.rsplit_once(ROWS_NAME)?;
    let (number, rows) = rest.split_once("_of_")?;
    Some((number.parse().ok()?, rows.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_number_and_the_rows() {
        assert_eq!(number_and_rows("encode_situ_rows_12_of_30"), Some((12, 30)));
        assert_eq!(number_and_rows("line_12"), None);
    }
}

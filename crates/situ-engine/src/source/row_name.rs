//! The names of generated tests that hold the rows of a table: they say which table, and how many rows it has.

/// How the tests that hold rows are called, before their number: `situ_rows_12_of_30` is the twelfth, with thirty rows.
pub(crate) const ROWS_NAME: &str = "situ_rows_";

/// The number of a test with rows and how many it has, from its name.
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

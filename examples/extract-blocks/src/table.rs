//! Lines of a table: cells in quotes, comments, and a line that ends it all.

use situ::prelude::*;

/// The cells of each line up to the line `end`; what stands behind `#` is a comment.
#[situ]
pub fn cells(text: &str) -> Vec<Vec<String>> {
    blocktest!(
        tag("nearby"),
        each(
            text,
            [
                "a,\"b,c\" # first\n\n1,2\nend\n3,4",
                " a,\"b,c\" # first\n\n1,2\nend\n3,4"
            ]
        ),
        check_return(vec![
            vec![String::from("a"), String::from("b,c")],
            vec![String::from("1"), String::from("2")]
        ]),
        observed("ngkj")
    );
    let mut rows = Vec::new();
    for line in text.lines() {
        blocktest!(
            tag("nearby"),
            each(line, ["a,\"b,c\" # first", " a,\"b,c\" # first"]),
            given(rows = Vec::<Vec<String>>::new()),
            check_eq(rows, vec![vec!["a", "b,c"]]),
            observed("ryw5")
        );
        blocktest!(
            given(
                line = "end",
                rows = vec![
                    vec![String::from("a"), String::from("b,c")],
                    vec![String::from("1"), String::from("2")]
                ]
            ),
            check_break(),
            check_eq(rows, vec![vec!["a", "b,c"], vec!["1", "2"]]),
            observed("q2vk")
        );
        blocktest!(
            given(
                line = "",
                rows = vec![vec![String::from("a"), String::from("b,c")]]
            ),
            check_continue(),
            check_eq(rows, vec![vec!["a", "b,c"]]),
            observed("wc1b")
        );
        let line = line.split('#').next().unwrap_or_default().trim();
        if line == "end" {
            break;
        }
        if line.is_empty() {
            continue;
        }
        rows.push(split(line));
    }
    rows
}

#[situ]
fn split(line: &str) -> Vec<String> {
    blocktest!(
        given(line = "a,\"b,c\""),
        check_return(vec![String::from("a"), String::from("b,c")]),
        observed("je6q")
    );
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        if letter == '"' {
            quoted = !quoted;
        } else if letter == ',' && !quoted {
            cells.push(String::new());
        } else if let Some(cell) = cells.last_mut() {
            cell.push(letter);
        }
    }
    cells
}

/// The sum of each column of numbers, none where a cell is no number.
#[situ]
pub fn sums(rows: &[Vec<String>]) -> Option<Vec<i64>> {
    blocktest!(
        tag("nearby"),
        each(
            (rows, expected),
            [
                (&[vec![String::from("1"), String::from("x")]][..], None),
                (
                    &[
                        vec![String::from("1"), String::from("2")],
                        vec![String::from("3")]
                    ][..],
                    Some(vec![4, 2])
                ),
                (
                    &[
                        vec![String::from("1"), String::from("2")],
                        vec![String::from(" 3")]
                    ][..],
                    Some(vec![4, 2])
                ),
                (
                    &[
                        vec![String::from("1"), String::from("2")],
                        vec![String::from("3 ")]
                    ][..],
                    Some(vec![4, 2])
                )
            ]
        ),
        check_return(expected),
        observed("z39e")
    );
    let mut sums: Vec<i64> = Vec::new();
    for row in rows {
        blocktest!(
            tag("nearby"),
            next(2),
            each(
                row,
                [
                    &vec![String::from("1"), String::from("2")],
                    &vec![String::from(" 1"), String::from("2")],
                    &vec![String::from("1 "), String::from("2")]
                ]
            ),
            given(sums = vec![]),
            check_eq(sums, vec![1, 2]),
            observed("1zrv")
        );
        blocktest!(
            given(
                sums = vec![],
                row = &vec![String::from("1"), String::from("x")]
            ),
            check_return(None),
            check_eq(sums, vec![1, 0]),
            observed("3142")
        );
        sums.resize(row.len().max(sums.len()), 0);
        for (sum, cell) in sums.iter_mut().zip(row) {
            *sum += cell.trim().parse::<i64>().ok()?;
        }
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_ends_where_it_says_so() {
        let read = cells("a,\"b,c\" # first\n\n1,2\nend\n3,4");
        assert_eq!(read, [["a", "b,c"], ["1", "2"]]);
    }

    #[test]
    fn columns_are_summed() {
        assert_eq!(sums(&cells("1,2\n3")), Some(vec![4, 2]));
        assert_eq!(sums(&cells("1,x")), None);
    }
}

//! Candidates with the same clauses as one test: its rows, and its text.

pub(crate) mod case_names;
pub(crate) mod group_refusal;
pub(crate) mod required_clauses;
pub(crate) mod rows;
pub(crate) mod test_text;

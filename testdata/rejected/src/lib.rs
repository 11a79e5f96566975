//! Nothing: the mistakes are the test files.

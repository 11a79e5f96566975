situ::datapoints_from!(crate::nowhere + 1);

fn main() {}

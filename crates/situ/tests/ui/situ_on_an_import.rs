use situ::prelude::*;

#[situ]
use std::collections::HashMap;

fn main() {
    let _map: HashMap<u8, u8> = HashMap::new();
}

//! A workload: what somebody might look up in a day.
#![forbid(unsafe_code)]

use periodic_table::PeriodicTable;

fn main() {
    let table = PeriodicTable::create();
    for symbol in ["H", "He", "C", "O", "Ne", "Na", "Ar", "Fe", "Kr", "Xe"] {
        if let Some(element) = table.element(symbol) {
            println!(
                "{symbol}: {} with mass number {}",
                element.full_name,
                element.mass_number()
            );
        }
    }
}

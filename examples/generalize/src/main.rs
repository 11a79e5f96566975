//! A workload: what somebody might do with these units in a day.
#![forbid(unsafe_code)]

use generalize::bag::Schema;
use generalize::form::Document;
use generalize::periodic_table::PeriodicTable;

fn main() {
    let table = PeriodicTable::create();
    for symbol in ["H", "He", "C", "O", "Ne", "Na", "Ar", "Fe", "Kr", "Xe"] {
        if let Some(element) = table.element(symbol) {
            println!("{symbol}: {} with mass number {}", element.full_name, element.mass_number());
        }
    }
    for value in ["a", "c", "Off", "Yes", ""] {
        let mut document = Document::with_radio_button("choice", &["a", "b", "c"]);
        document.select("choice", value);
        println!("{value:?} selects {:?}", document.selected_export_values("choice"));
    }
    let mut schema = Schema::new("http://ns.example/1.0/", "ns");
    for (namespace, prefix, property, value) in [
        (None, "pdf", "PDFVersion", "1.4"),
        (None, "rdf", "li", "application/pdf"),
        (Some("nsURI"), "nsSchem", "li", "valueTwo"),
        (Some("http://purl.example/dc/"), "dc", "title", "A day"),
    ] {
        let text = schema.create_text(namespace, prefix, property, value);
        schema.add_bag_value("day", text);
    }
    println!("{:?}", schema.bag_values("day"));
}

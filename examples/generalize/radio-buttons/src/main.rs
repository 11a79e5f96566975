//! A workload: what somebody might fill in in a day.
#![forbid(unsafe_code)]

use radio_buttons::Document;

fn main() {
    for value in ["a", "c", "Off", "Yes", ""] {
        let mut document = Document::with_radio_button("choice", &["a", "b", "c"]);
        document.select("choice", value);
        println!(
            "{value:?} selects {:?}",
            document.selected_export_values("choice")
        );
    }
}

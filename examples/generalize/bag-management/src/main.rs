//! A workload: what somebody might put into a bag in a day.
#![forbid(unsafe_code)]

use bag_management::Schema;

fn main() {
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

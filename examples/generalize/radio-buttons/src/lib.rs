//! A document with radio buttons that can be stored and read again.
//!
//! `cargo situ generalize -- sh -c '$SITU_BIN'` finds out which assertions of its tests hold for other arguments that the tests
//! and the program use.
#![forbid(unsafe_code)]

/// A group of radio buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RadioButton {
    name: String,
    options: Vec<String>,
    value: String,
}

/// A document with one form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    fields: Vec<RadioButton>,
}

impl Document {
    /// A document whose form has one group of radio buttons, none of them selected.
    pub fn with_radio_button(name: &str, options: &[&str]) -> Document {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        let value = "Off".to_owned();
        Document {
            fields: vec![RadioButton {
                name: name.to_owned(),
                options,
                value,
            }],
        }
    }

    /// Selects a button; any other text turns all of them off.
    pub fn select(&mut self, name: &str, value: &str) {
        for field in self.fields.iter_mut().filter(|field| field.name == name) {
            let is_option = field.options.iter().any(|option| option == value);
            field.value = if is_option {
                value.to_owned()
            } else {
                "Off".to_owned()
            };
        }
    }

    /// The value of a field.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|field| field.name == name)
            .map(|field| field.value.as_str())
    }

    /// The selected button among the options.
    pub fn selected_export_values(&self, name: &str) -> Vec<&str> {
        let fields = self.fields.iter().filter(|field| field.name == name);
        fields
            .map(|field| field.value.as_str())
            .filter(|value| *value != "Off")
            .collect()
    }

    /// The document as text.
    pub fn save(&self) -> String {
        let line = |field: &RadioButton| {
            format!(
                "{}={}|{}\n",
                field.name,
                field.value,
                field.options.join(",")
            )
        };
        self.fields.iter().map(line).collect()
    }

    /// A document from its text; lines that are none of it are left out.
    pub fn load(text: &str) -> Document {
        let field = |line: &str| {
            let (name, rest) = line.split_once('=')?;
            let (value, options) = rest.split_once('|')?;
            let options = options.split(',').map(str::to_owned).collect();
            Some(RadioButton {
                name: name.to_owned(),
                options,
                value: value.to_owned(),
            })
        };
        Document {
            fields: text.lines().filter_map(field).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radio_buttons() {
        let mut document = Document::with_radio_button("MyRadioButton", &["a", "b", "c"]);
        document.select("MyRadioButton", "b");
        let saved = document.save();

        let again = Document::load(&saved);
        assert_eq!(again.value("MyRadioButton"), Some("b"));
        assert_eq!(again.selected_export_values("MyRadioButton").len(), 1);
    }

    #[test]
    fn an_option_can_be_taken_back() {
        let mut document = Document::with_radio_button("MyRadioButton", &["a", "b", "c"]);
        document.select("MyRadioButton", "c");
        document.select("MyRadioButton", "Off");
        assert!(document.selected_export_values("MyRadioButton").is_empty());
    }
}

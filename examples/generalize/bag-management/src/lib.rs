//! Bags of values in the metadata of a document.
//!
//! `cargo situ generalize -- sh -c '$SITU_BIN'` finds out which assertions of its tests hold for other arguments that the tests
//! and the program use.
#![forbid(unsafe_code)]

/// A text property of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its namespace, where it is not that of its schema.
    pub namespace: Option<String>,
    /// Its prefix.
    pub prefix: String,
    /// Its name.
    pub property: String,
    /// What it says.
    pub value: String,
}

/// A schema with bags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    namespace: String,
    prefix: String,
    bags: Vec<(String, Vec<Text>)>,
}

impl Schema {
    /// A schema without bags.
    pub fn new(namespace: &str, prefix: &str) -> Schema {
        Schema {
            namespace: namespace.to_owned(),
            prefix: prefix.to_owned(),
            bags: Vec::new(),
        }
    }

    /// A text that can be put into a bag.
    pub fn create_text(
        &self,
        namespace: Option<&str>,
        prefix: &str,
        property: &str,
        value: &str,
    ) -> Text {
        Text {
            namespace: namespace.map(str::to_owned),
            prefix: prefix.to_owned(),
            property: property.to_owned(),
            value: value.to_owned(),
        }
    }

    /// Puts a text into a bag.
    pub fn add_bag_value(&mut self, bag: &str, text: Text) {
        match self.bags.iter_mut().find(|(name, _)| name == bag) {
            Some((_, texts)) => texts.push(text),
            None => self.bags.push((bag.to_owned(), vec![text])),
        }
    }

    /// Puts a value of the schema's own namespace into a bag.
    pub fn add_qualified_bag_value(&mut self, bag: &str, value: &str) {
        let text = self.create_text(Some(&self.namespace), &self.prefix, "li", value);
        self.add_bag_value(bag, text);
    }

    /// The values in a bag.
    pub fn bag_values(&self, bag: &str) -> Vec<String> {
        let texts = self
            .bags
            .iter()
            .filter(|(name, _)| name == bag)
            .flat_map(|(_, texts)| texts);
        texts.map(|text| text.value.clone()).collect()
    }

    /// Takes all equal values out of a bag.
    pub fn remove_bag_value(&mut self, bag: &str, value: &str) {
        for (_, texts) in self.bags.iter_mut().filter(|(name, _)| name == bag) {
            texts.retain(|text| text.value != value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bag_management() {
        let mut schema = Schema::new("nsURI", "nsSchem");
        let bag = "BAGTEST";
        let value_1 = "valueOne";
        let value_2 = "valueTwo";
        let text = schema.create_text(None, "rdf", "li", value_1);
        schema.add_bag_value(bag, text);
        schema.add_qualified_bag_value(bag, value_2);
        let values = schema.bag_values(bag);
        assert_eq!(values[0], value_1);
        assert_eq!(values[1], value_2);
        schema.remove_bag_value(bag, value_1);
        let rest = schema.bag_values(bag);
        assert_eq!(rest.len(), 1);
        assert_eq!(rest[0], value_2);
    }
}

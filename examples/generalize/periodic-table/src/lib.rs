//! The elements that people meet most.
//!
//! `cargo situ generalize -- sh -c '$SITU_BIN'` finds out which assertions of its tests hold for other arguments that the tests
//! and the program use.
#![forbid(unsafe_code)]

/// A chemical element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// What it is written as.
    pub symbol: &'static str,
    /// What it is called.
    pub full_name: &'static str,
    /// Its protons.
    pub atomic_number: u32,
    /// The neutrons of its most common isotope.
    pub neutrons: u32,
    /// Its column in the table.
    pub group: u32,
}

impl Element {
    /// Protons and neutrons.
    pub fn mass_number(&self) -> u32 {
        self.atomic_number + self.neutrons
    }
}

/// The table of elements.
#[derive(Clone, Debug)]
pub struct PeriodicTable {
    elements: Vec<Element>,
}

impl PeriodicTable {
    /// The table.
    pub fn create() -> PeriodicTable {
        let element = |symbol, full_name, atomic_number, neutrons, group| Element {
            symbol,
            full_name,
            atomic_number,
            neutrons,
            group,
        };
        let elements = vec![
            element("H", "Hydrogen", 1, 0, 1),
            element("He", "Helium", 2, 2, 18),
            element("C", "Carbon", 6, 6, 14),
            element("O", "Oxygen", 8, 8, 16),
            element("Ne", "Neon", 10, 10, 18),
            element("Na", "Sodium", 11, 12, 1),
            element("Ar", "Argon", 18, 22, 18),
            element("Fe", "Iron", 26, 30, 8),
            element("Kr", "Krypton", 36, 48, 18),
            element("Xe", "Xenon", 54, 78, 18),
        ];
        PeriodicTable { elements }
    }

    /// The element with a symbol.
    pub fn element(&self, symbol: &str) -> Option<&Element> {
        self.elements
            .iter()
            .find(|element| element.symbol == symbol)
    }

    /// The noble gases.
    pub fn group_18(&self) -> Vec<&Element> {
        self.elements
            .iter()
            .filter(|element| element.group == 18)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_element() {
        let table = PeriodicTable::create();
        let element = table.element("He").unwrap();
        assert_eq!(element.full_name, "Helium");
        assert_eq!(element.mass_number(), 4);
        assert!(table.group_18().contains(&element));
        assert_eq!(
            element.neutrons,
            element.mass_number() - element.atomic_number
        );
    }

    #[test]
    fn there_is_no_unobtainium() {
        assert_eq!(PeriodicTable::create().element("Uo"), None);
    }
}

//! A crate of the edition of 2015, with the paths of that time.

#![allow(bare_trait_objects)]

mod inner;

use inner::Thing;

pub fn name(text: &str) -> Result<String, Box<std::error::Error>> {
    let thing = try!(::inner::parse(text));
    Ok(show(&thing))
}

fn show(thing: &Thing) -> String {
    let upper = thing.name.to_uppercase();
    upper
}

#[cfg(test)]
mod tests {
    #[test]
    fn names() {
        assert_eq!(super::name("a:1").unwrap(), "A");
        assert!(super::name("a").is_err());
    }
}

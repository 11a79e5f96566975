//! A statement about an object (Fig. 3.6): the name under which a template is kept. Its test builds the object.

use situ::prelude::*;

/// A template that was found somewhere.
#[derive(Clone, Debug)]
pub struct Source {
    id: String,
    text: String,
}

impl Source {
    /// A template with the path that it was found by.
    pub fn new(id: &str, text: &str) -> Source {
        Source {
            id: id.to_owned(),
            text: text.to_owned(),
        }
    }

    /// The path.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// A template that is ready for use.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    name: String,
    holes: usize,
}

/// Compiles a template; its name has no slashes, so that it can be a file's.
#[situ]
pub fn compile(source: &Source) -> Compiled {
    let name = source.id().replace('/', ";");
    itest!(
        given(
            source = &Source {
                id: String::from("/pages/start.txt"),
                text: String::from("Dear ${name}, it is ${day}.")
            }
        ),
        check_eq(name, ";pages;start.txt"),
        observed("4nc9")
    );
    let holes = source.text.matches("${").count();
    itest!(
        each(
            (source_text, expected),
            [
                (String::from("Dear ${name}, it is ${day}."), 2),
                (String::from("text"), 0)
            ]
        ),
        given(source.text = source_text),
        check_eq(holes, expected),
        observed("f14g")
    );
    Compiled { name, holes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_compiled() {
        let page = compile(&Source::new(
            "/pages/start.txt",
            "Dear ${name}, it is ${day}.",
        ));
        assert!(page.name.ends_with("start.txt"));
        assert_eq!(page.holes, 2);
    }

    #[test]
    fn a_template_may_be_plain() {
        assert_eq!(
            compile(&Source::new("plain", "text")),
            Compiled {
                name: "plain".to_owned(),
                holes: 0
            }
        );
    }
}

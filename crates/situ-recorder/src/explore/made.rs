//! Types whose values are constructed by a call and changed by method calls.

use super::shape::{Form, Id, Shape, Shapes, Variant};
use super::tree::Tree;

/// A function that constructs a value from the arguments of a call.
pub type Maker<T> = fn(&[Tree]) -> Option<T>;

/// A function that applies a method to a value.
pub type Changer<T> = fn(T, &[Tree]) -> Option<T>;

/// The effect of a method on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It changes the value in place.
    InPlace,
    /// It returns another value.
    Another,
}

/// Returns the shape of a type with these constructors and methods.
pub fn made_shape(shapes: &mut Shapes, makers: Vec<Variant>, methods: Vec<Variant>) -> Shape {
    let makers = shapes.add(Shape::Choice { variants: makers });
    let methods = shapes.add(Shape::Choice { variants: methods });
    let calls = Shape::List {
        of: methods,
        open: String::new(),
        close: String::new(),
        length: None,
    };
    let calls = shapes.add(calls);
    Shape::single(Form::Made, vec![makers, calls])
}

/// Builds the value of a tree of such a shape.
pub fn made<T>(tree: &Tree, makers: &[Maker<T>], methods: &[Changer<T>]) -> Option<T> {
    let [maker, calls] = tree.parts::<2>()?;
    let Tree::Node(which, parts) = maker else {
        return None;
    };
    let value = makers.get(*which as usize)?(parts)?;
    let Tree::List(calls) = calls else {
        return None;
    };
    calls.iter().try_fold(value, |value, call| {
        let Tree::Node(which, parts) = call else {
            return None;
        };
        methods.get(*which as usize)?(value, parts)
    })
}

/// Returns the tree behind a borrow.
pub fn behind(tree: &Tree) -> Option<&Tree> {
    tree.parts::<1>().map(|[inner]| inner)
}

impl Shapes {
    /// Adds the shape of a string literal.
    pub fn text(&mut self) -> Id {
        self.add(Shape::Text {
            open: "",
            close: "",
        })
    }

    /// Adds the shape of a reference to a value.
    pub fn borrowed(&mut self, of: Id) -> Id {
        self.add(Shape::single(
            Form::Around("&".to_owned(), String::new()),
            vec![of],
        ))
    }

    /// A mutable borrow of a value.
    pub fn borrowed_mutably(&mut self, of: Id) -> Id {
        self.add(Shape::single(
            Form::Around("&mut ".to_owned(), String::new()),
            vec![of],
        ))
    }

    /// A mutable borrow of elements.
    pub fn mutable_slice(&mut self, of: Id) -> Id {
        self.add(Shape::List {
            of,
            open: "&mut [".to_owned(),
            close: "]".to_owned(),
            length: None,
        })
    }

    /// Adds the shape of a slice.
    pub fn slice(&mut self, of: Id) -> Id {
        self.add(Shape::List {
            of,
            open: "&[".to_owned(),
            close: "]".to_owned(),
            length: None,
        })
    }

    /// Creates a variant that cannot be written in the theory's module.
    pub fn hidden(&mut self) -> Variant {
        let part = self.impossible();
        Variant::new(Form::Tuple, vec![part])
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, behind, made, made_shape};
    use crate::explore::print::expression;
    use crate::explore::{Explore, Form, Shape, Shapes, Tree, Variant};

    /// A number of at most `most`, an invariant that only its functions maintain.
    #[derive(Debug, PartialEq)]
    struct Level {
        value: u8,
        most: u8,
    }

    impl Explore for Level {
        fn shape(shapes: &mut Shapes) -> Shape {
            let byte = shapes.of::<u8>();
            let borrowed = shapes.borrowed(byte);
            let text = |text: &str| text.to_owned();
            let up = Form::Method(Step::InPlace, text("up"), String::new());
            let by = Form::Method(Step::Another, text("by"), text(".unwrap()"));
            let hidden = shapes.hidden();
            let makers = vec![
                Variant::new(Form::Call(text("Level::new")), vec![borrowed]),
                hidden,
            ];
            let methods = vec![Variant::new(up, Vec::new()), Variant::new(by, vec![byte])];
            made_shape(shapes, makers, methods)
        }

        fn build(tree: &Tree) -> Option<Level> {
            made(
                tree,
                &[
                    |parts| {
                        Some(Level {
                            value: 0,
                            most: u8::build(behind(&parts[0])?)?,
                        })
                    },
                    |_| None,
                ],
                &[
                    |made, _| {
                        Some(Level {
                            value: made.most.min(made.value + 1),
                            ..made
                        })
                    },
                    |made, parts| {
                        let value = made.value + u8::build(&parts[0])?;
                        (value <= made.most).then_some(Level { value, ..made })
                    },
                ],
            )
        }

        fn tree(&self) -> Option<Tree> {
            None
        }
    }

    #[track_caller]
    fn check(calls: Vec<Tree>, expected: Option<Level>, written: &str) {
        let mut shapes = Shapes::default();
        let id = shapes.of::<Level>();
        shapes.settle();
        let most = Tree::Node(0, vec![Tree::Int(3)]);
        let tree = Tree::Node(0, vec![Tree::Node(0, vec![most]), Tree::List(calls)]);
        assert!(shapes.fits(&tree, id));
        assert_eq!(Level::build(&tree), expected);
        assert_eq!(expression(&tree, id, &shapes), written);
    }

    #[test]
    fn calls_make_a_value_and_are_written_as_they_are_made() {
        let (up, by) = (
            || Tree::Node(0, Vec::new()),
            |by| Tree::Node(1, vec![Tree::Int(by)]),
        );
        check(
            Vec::new(),
            Some(Level { value: 0, most: 3 }),
            "Level::new(&3)",
        );
        check(
            vec![by(1), by(2)],
            Some(Level { value: 3, most: 3 }),
            "Level::new(&3).by(1).unwrap().by(2).unwrap()",
        );
        check(vec![by(4)], None, "Level::new(&3).by(4).unwrap()");
        let mixed =
            "{ let mut made = Level::new(&3); made.up(); made = made.by(1).unwrap(); made }";
        check(vec![up(), by(1)], Some(Level { value: 2, most: 3 }), mixed);
    }
}

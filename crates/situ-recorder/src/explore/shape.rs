//! Shapes: the values that a type has, as trees, and how each is written in Rust.

use super::kinds::Explore;
use super::made::Step;
use super::tree::Tree;
use std::collections::HashMap;

/// The index of a shape.
pub type Id = usize;

/// The values of a type.
#[derive(Clone, Debug)]
pub enum Shape {
    /// `false`, `true`.
    Bool,
    /// A character.
    Char,
    /// An integer of so many bits.
    Int {
        /// Whether it can be negative.
        signed: bool,
        /// Its width.
        bits: u32,
    },
    /// A floating-point number of so many bits.
    Float {
        /// Its width.
        bits: u32,
    },
    /// A string literal between two pieces of code.
    Text {
        /// The code before the literal.
        open: &'static str,
        /// The code after the literal.
        close: &'static str,
    },
    /// Elements between two pieces of code.
    List {
        /// The shape of an element.
        of: Id,
        /// The code before the first element.
        open: String,
        /// The code after the last element.
        close: String,
        /// The number of elements, if it is fixed.
        length: Option<usize>,
    },
    /// One of several variants; structs and tuples have exactly one.
    Choice {
        /// All of them.
        variants: Vec<Variant>,
    },
    /// The values of a parameter: those of a shape, and data points.
    Points {
        /// The shape, if values can be generated.
        of: Option<Id>,
        /// The expressions of the data points.
        points: Vec<String>,
    },
    /// A type without values that can be generated.
    Impossible,
}

/// One variant of a choice.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its parts.
    pub parts: Vec<Id>,
    /// How it is written.
    pub form: Form,
}

/// How a variant is written. Type names stand between `‹` and `›`, as the compiler names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The path alone.
    Unit(String),
    /// The path, and the parts in parentheses.
    Call(String),
    /// The path, and the named parts in braces.
    Named(String, Vec<String>),
    /// The parts in parentheses.
    Tuple,
    /// The parts, separated by this.
    Between(String),
    /// The first part between these two.
    Around(String, String),
    /// A value constructed by a call and changed by a list of method calls.
    Made,
    /// A method call on the value being constructed: its name, and what follows the arguments.
    Method(Step, String, String),
    /// A method call on the first part with the others as arguments: its name, and what follows
    /// them.
    CallOf(String, String),
}

impl Variant {
    /// Creates a variant.
    pub fn new(form: Form, parts: Vec<Id>) -> Variant {
        Variant { parts, form }
    }
}

impl Shape {
    /// Creates a choice of one variant.
    pub fn single(form: Form, parts: Vec<Id>) -> Shape {
        Shape::Choice {
            variants: vec![Variant::new(form, parts)],
        }
    }
}

/// The shapes of all parameters of a theory.
#[derive(Debug, Default)]
pub struct Shapes {
    all: Vec<Shape>,
    by_type: HashMap<&'static str, Id>,
    /// The depth of the shallowest value of each shape; `None` for shapes without values.
    depths: Vec<Option<usize>>,
    /// The module in which expressions will stand; `None` if none are written.
    here: Option<&'static str>,
    /// The instance of the generic parameters.
    instance: Instance,
}

/// One of several instances of a theory's generic parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its number.
    pub number: usize,
    /// The number of instances.
    pub of: usize,
    /// The generic arguments: `T = u8, N = 3`.
    pub label: &'static str,
}

impl Default for Instance {
    fn default() -> Self {
        Instance {
            number: 0,
            of: 1,
            label: "",
        }
    }
}

impl Shapes {
    /// Creates shapes for expressions in a module.
    pub fn seen_from(module: &'static str) -> Shapes {
        Shapes {
            here: Some(module),
            ..Shapes::default()
        }
    }

    /// Sets the instance of the generic parameters.
    pub fn of_instance(self, number: usize, of: usize, label: &'static str) -> Shapes {
        Shapes {
            instance: Instance { number, of, label },
            ..self
        }
    }

    /// Returns the instance of the generic parameters.
    pub fn instance(&self) -> Instance {
        self.instance
    }

    /// Returns whether expressions stand in the ancestor of `module` that is `depth` levels below
    /// the crate root, or anywhere inside that ancestor.
    pub fn sees(&self, module: &str, depth: usize) -> bool {
        let Some(here) = self.here else { return true };
        let mut own = here.split("::");
        module
            .split("::")
            .take(depth + 1)
            .all(|step| own.next() == Some(step))
    }

    /// Returns a type's name for expressions: as the compiler names it, without generic arguments.
    pub fn name<T>() -> String {
        let name = std::any::type_name::<T>();
        format!("‹{}›", name.split('<').next().unwrap_or(name))
    }

    /// Returns the shape of a type, which is described at the first call.
    pub fn of<T: Explore>(&mut self) -> Id {
        let name = std::any::type_name::<T>();
        if let Some(id) = self.by_type.get(name) {
            return *id;
        }
        // The index exists before the description, because a type may contain itself.
        let id = self.add(Shape::Impossible);
        self.by_type.insert(name, id);
        self.all[id] = T::shape(self);
        id
    }

    /// Adds a shape that belongs to no single type.
    pub fn add(&mut self, shape: Shape) -> Id {
        self.all.push(shape);
        self.all.len() - 1
    }

    /// Adds a shape without values.
    pub fn impossible(&mut self) -> Id {
        self.add(Shape::Impossible)
    }

    /// Returns the shape with this index.
    pub fn get(&self, id: Id) -> &Shape {
        &self.all[id]
    }

    /// Computes the depths of the shallowest values. Must be called after all shapes are added.
    pub fn settle(&mut self) {
        self.depths = vec![None; self.all.len()];
        loop {
            let depths: Vec<Option<usize>> = self
                .all
                .iter()
                .map(|shape| self.depth_of_shape(shape))
                .collect();
            if depths == self.depths {
                return;
            }
            self.depths = depths;
        }
    }

    fn depth_of_shape(&self, shape: &Shape) -> Option<usize> {
        match shape {
            Shape::Bool
            | Shape::Char
            | Shape::Int { .. }
            | Shape::Float { .. }
            | Shape::Text { .. } => Some(0),
            Shape::List {
                length: None | Some(0),
                ..
            } => Some(0),
            Shape::List { of, .. } => self.depths[*of].map(|depth| depth + 1),
            Shape::Choice { variants } => variants
                .iter()
                .filter_map(|variant| self.depth_of_variant(variant))
                .min(),
            Shape::Points { of, points } => {
                if points.is_empty() {
                    of.and_then(|of| self.depths[of])
                } else {
                    Some(0)
                }
            }
            Shape::Impossible => None,
        }
    }

    /// Returns the depth of the shallowest value of a variant.
    pub fn depth_of_variant(&self, variant: &Variant) -> Option<usize> {
        variant
            .parts
            .iter()
            .try_fold(0, |deepest, part| Some(self.depths[*part]?.max(deepest)))
            .map(|depth| depth + 1)
    }

    /// Returns the depth of the shallowest value of a shape, or `None` if it has no value.
    pub fn depth(&self, id: Id) -> Option<usize> {
        self.depths.get(id).copied().flatten()
    }

    /// Returns whether a tree is a value of a shape. A kept input may come from another version of
    /// the code.
    pub fn fits(&self, tree: &Tree, id: Id) -> bool {
        match (self.get(id), tree) {
            (Shape::Bool, Tree::Int(value)) => matches!(value, 0 | 1),
            (Shape::Char, Tree::Int(value)) => u32::try_from(*value)
                .ok()
                .and_then(char::from_u32)
                .is_some(),
            (Shape::Int { signed, bits }, Tree::Int(value)) => {
                wrapped(*value, *signed, *bits) == *value
            }
            (Shape::Float { .. }, Tree::Float(_)) | (Shape::Text { .. }, Tree::Text(_)) => true,
            (Shape::List { of, length, .. }, Tree::List(parts)) => {
                length.is_none_or(|length| length == parts.len())
                    && parts.iter().all(|part| self.fits(part, *of))
            }
            (Shape::Choice { variants }, Tree::Node(variant, parts)) => {
                variants.get(*variant as usize).is_some_and(|variant| {
                    variant.parts.len() == parts.len()
                        && variant
                            .parts
                            .iter()
                            .zip(parts)
                            .all(|(id, part)| self.fits(part, *id))
                })
            }
            (Shape::Points { points, .. }, Tree::Point(number)) => {
                (*number as usize) < points.len()
            }
            (Shape::Points { of: Some(of), .. }, tree) => self.fits(tree, *of),
            _ => false,
        }
    }
}

/// Wraps a number to so many bits.
pub fn wrapped(value: i128, signed: bool, bits: u32) -> i128 {
    if bits >= 128 {
        return value;
    }
    let shift = 128 - bits;
    if signed {
        (value << shift) >> shift
    } else {
        (((value as u128) << shift) >> shift) as i128
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, Shape, Shapes, Variant, wrapped};
    use crate::explore::Tree;

    #[test]
    fn what_is_private_is_seen_from_its_module_and_inside_of_it() {
        let from = |here| Shapes::seen_from(here);
        assert!(from("a::b::tests").sees("a::b", 1) && from("a::b").sees("a::b", 1));
        assert!(!from("a").sees("a::b", 1) && !from("a::bc").sees("a::b", 1));
        assert!(from("a::x").sees("a::b", 0) && !from("x::b").sees("a::b", 0));
        assert!(Shapes::default().sees("a::b", 1));
    }

    #[test]
    fn numbers_wrap_as_their_type_does() {
        assert_eq!(wrapped(256, false, 8), 0);
        assert_eq!(wrapped(-1, false, 8), 255);
        assert_eq!(wrapped(128, true, 8), -128);
        assert_eq!(wrapped(-1, false, 128), -1);
    }

    #[test]
    fn what_holds_itself_in_every_variant_cannot_be_made() {
        let mut shapes = Shapes::default();
        let endless = shapes.impossible();
        shapes.all[endless] = Shape::single(Form::Tuple, vec![endless]);
        let leaf = shapes.add(Shape::Bool);
        let ends = shapes.impossible();
        let variants = vec![
            Variant::new(Form::Tuple, vec![ends]),
            Variant::new(Form::Tuple, vec![leaf]),
        ];
        shapes.all[ends] = Shape::Choice { variants };
        shapes.settle();
        assert_eq!((shapes.depth(endless), shapes.depth(ends)), (None, Some(1)));
    }

    #[test]
    fn a_tree_of_another_type_does_not_fit() {
        let mut shapes = Shapes::default();
        let byte = shapes.of::<u8>();
        let list = shapes.of::<Vec<u8>>();
        shapes.settle();
        assert!(shapes.fits(&Tree::Int(255), byte) && !shapes.fits(&Tree::Int(256), byte));
        assert!(shapes.fits(&Tree::List(vec![Tree::Int(1)]), list));
        assert!(!shapes.fits(&Tree::List(vec![Tree::Text(String::new())]), list));
    }
}

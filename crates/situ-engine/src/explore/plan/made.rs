//! Types that are made by their constructors, and changed by their methods.

use super::methods::{Changes, Gives, constructor, functions, mutator};
use super::{CRATE, conditions, generics, written};
use quote::ToTokens as _;
use syn::{FnArg, ImplItemFn, ItemImpl, ItemStruct, Type};

/// The implementation for the type of this block.
pub fn implementation(block: &ItemImpl, item: &ItemStruct) -> Option<String> {
    let (declared, _) = generics(&block.generics)?;
    let constructors: Vec<(Call, Gives)> =
        functions(block).filter_map(|one| Some((Call::of(one)?, constructor(one)?))).collect();
    let methods: Vec<(Call, Changes)> =
        functions(block).filter_map(|one| Some((Call::of(one)?, mutator(one)?))).collect();
    if constructors.is_empty() {
        return None;
    }
    let head = format!(
        "{}{}impl{declared} ::{CRATE}::Explore for {}",
        conditions(&item.attrs),
        conditions(&block.attrs),
        block.self_ty.to_token_stream()
    );
    let bounds = block.generics.where_clause.to_token_stream().to_string();
    Some(written(&head, &bounds, &shape(&constructors, &methods), &build(&constructors, &methods), "None"))
}

/// A function with what it takes.
struct Call {
    name: String,
    /// Without `self`.
    arguments: Vec<Argument>,
}

/// The type that is made for an argument, and how it is handed over.
struct Argument {
    of: String,
    lent: bool,
}

impl Call {
    /// None where an argument cannot be made.
    fn of(function: &ImplItemFn) -> Option<Call> {
        let typed = function.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(argument) => Some(&*argument.ty),
            FnArg::Receiver(_) => None,
        });
        let arguments = typed.map(Argument::of).collect::<Option<Vec<_>>>()?;
        Some(Call { name: function.sig.ident.to_string(), arguments })
    }

    fn ids(&self) -> String {
        self.arguments.iter().map(|argument| format!("{}.id(shapes), ", argument.slot())).collect()
    }

    /// The arguments, from a variable `parts`.
    fn values(&self) -> String {
        let value = |(at, argument): (usize, &Argument)| {
            let lent = if argument.lent { "&" } else { "" };
            format!("{lent}{}.build(parts.get({at})?)?, ", argument.slot())
        };
        self.arguments.iter().enumerate().map(value).collect()
    }
}

impl Argument {
    fn of(declared: &Type) -> Option<Argument> {
        match declared {
            Type::Reference(reference) if reference.mutability.is_some() => None,
            Type::Reference(reference) => {
                let of = match &*reference.elem {
                    Type::Slice(slice) => format!("::std::vec::Vec<{}>", slice.elem.to_token_stream()),
                    Type::Path(path) if path.path.is_ident("str") => "::std::string::String".to_owned(),
                    Type::Path(path) if path.path.is_ident("Path") => "::std::path::PathBuf".to_owned(),
                    Type::TraitObject(_) | Type::ImplTrait(_) => return None,
                    other => other.to_token_stream().to_string(),
                };
                Some(Argument { of, lent: true })
            }
            Type::ImplTrait(bounds) => {
                let text = bounds.bounds.to_token_stream().to_string().replace(' ', "");
                let of = match text.as_str() {
                    "AsRef<str>" | "Into<String>" | "ToString" => "::std::string::String".to_owned(),
                    "AsRef<Path>" | "Into<PathBuf>" => "::std::path::PathBuf".to_owned(),
                    _ => {
                        let item = text.strip_prefix("IntoIterator<Item=").or(text.strip_prefix("Iterator<Item="))?;
                        format!("::std::vec::Vec<{}>", item.strip_suffix('>')?)
                    }
                };
                Some(Argument { of, lent: false })
            }
            other => Some(Argument { of: other.to_token_stream().to_string(), lent: false }),
        }
    }

    fn slot(&self) -> String {
        format!("(&&&&::{CRATE}::Slot::<{}>::new())", self.of)
    }
}

fn shape(constructors: &[(Call, Gives)], methods: &[(Call, Changes)]) -> String {
    let constructor = |(call, gives): &(Call, Gives)| {
        let form = match gives {
            Gives::Itself => format!("Call(format!(\"{{}}::{}\", name))", call.name),
            Gives::Optionally | Gives::OrError => {
                format!("Around(format!(\"{{}}::{}(\", name), \").unwrap()\".to_owned())", call.name)
            }
        };
        format!("::{CRATE}::Variant::new(::{CRATE}::Form::{form}, vec![{}]), ", call.ids())
    };
    let method = |(call, changes): &(Call, Changes)| {
        let head = match changes {
            Changes::InPlace => format!("made.{}", call.name),
            Changes::ByValue => format!("made = made.{}", call.name),
        };
        format!("::{CRATE}::Variant::new(::{CRATE}::Form::Method({head:?}.to_owned()), vec![{}]), ", call.ids())
    };
    let constructors: String = constructors.iter().map(constructor).collect();
    let methods: String = methods.iter().map(method).collect();
    format!(
        "let name = ::{CRATE}::Shapes::name::<Self>(); \
         let constructors = ::{CRATE}::Shape::Choice {{ variants: vec![{constructors}] }}; \
         let constructors = shapes.add(constructors); \
         let methods = ::{CRATE}::Shape::Choice {{ variants: vec![{methods}] }}; \
         let methods = shapes.add(methods); \
         let calls = shapes.add(::{CRATE}::Shape::List {{ \
             of: methods, open: String::new(), close: String::new(), length: None }}); \
         ::{CRATE}::Shape::single(::{CRATE}::Form::Made, vec![constructors, calls])"
    )
}

fn build(constructors: &[(Call, Gives)], methods: &[(Call, Changes)]) -> String {
    let constructor = |(at, (call, gives)): (usize, &(Call, Gives))| {
        let end = match gives {
            Gives::Itself => "",
            Gives::Optionally => "?",
            Gives::OrError => ".ok()?",
        };
        format!("{at} => Self::{}({}){end}, ", call.name, call.values())
    };
    let method = |(at, (call, changes)): (usize, &(Call, Changes))| match changes {
        Changes::InPlace => format!("{at} => {{ let _ = made.{}({}); }} ", call.name, call.values()),
        Changes::ByValue => format!("{at} => {{ made = made.{}({}); }} ", call.name, call.values()),
    };
    let constructors: String = constructors.iter().enumerate().map(constructor).collect();
    let methods: String = methods.iter().enumerate().map(method).collect();
    format!(
        "let [constructor, calls] = tree.parts::<2>()?; \
         let ::{CRATE}::Tree::Node(which, parts) = constructor else {{ return None }}; \
         let mut made: Self = match which {{ {constructors} _ => return None }}; \
         let ::{CRATE}::Tree::List(calls) = calls else {{ return None }}; \
         for call in calls {{ \
             let ::{CRATE}::Tree::Node(which, parts) = call else {{ return None }}; \
             match which {{ {methods} _ => return None }} \
         }} \
         Some(made)"
    )
}

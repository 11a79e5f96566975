//! Finds which type of a crate a function returns. This is the one place that decides whether a
//! function constructs a type, however its signature names it.

use super::SourceFile;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{
    GenericArgument, GenericParam, Item, PathArguments, ReturnType, Signature, Type, UseTree,
};

/// Form in which a function returns a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gives {
    /// The value itself.
    Itself,
    /// An `Option` of the value.
    Option,
    /// A `Result` of the value.
    Result,
    /// Another type that contains the value: a list, a pair, a box, a future.
    Inside,
}

/// Type of the crate that a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Module and name of the type: `level::Level`.
    pub of: String,
    pub gives: Gives,
    /// Type as the signature writes it, or `None` if it uses an alias.
    pub written: Option<Type>,
}

/// Names of types in each module of a crate.
#[derive(Clone, Debug, Default)]
pub struct TypeNames {
    modules: BTreeMap<Vec<String>, Names>,
}

#[derive(Clone, Debug, Default)]
struct Names {
    /// Names of structs, enums and unions.
    types: BTreeSet<String>,
    aliases: BTreeMap<String, Alias>,
    /// Paths that `use` declarations import, by their local name.
    imports: BTreeMap<String, Vec<String>>,
    /// Modules that are imported with `*`.
    globs: Vec<Vec<String>>,
}

#[derive(Clone, Debug)]
struct Alias {
    parameters: Vec<String>,
    of: Type,
}

/// Meaning of a path in a module.
enum Found<'n> {
    /// Type of the crate, as a path.
    Own(String),
    /// Type alias, and the module that declares it.
    Alias(&'n Alias, Vec<String>),
    /// Any other type; its last path segment.
    Other(String),
}

/// Maximum number of imports and aliases to follow, which may form a cycle.
const MAX_STEPS: usize = 16;

/// Arguments of an alias: parameter name to type, and the module that the type is written in.
type Arguments<'a> = BTreeMap<String, (&'a Type, &'a [String])>;

impl TypeNames {
    /// Collects the type names of a crate.
    pub fn of(files: &[SourceFile]) -> TypeNames {
        let mut names = TypeNames::default();
        files
            .iter()
            .for_each(|file| names.add(&file.module, &file.tree.items));
        names
    }

    fn add(&mut self, module: &[String], items: &[Item]) {
        let mut own = self.modules.remove(module).unwrap_or_default();
        for item in items {
            match item {
                Item::Struct(item) => drop(own.types.insert(item.ident.to_string())),
                Item::Enum(item) => drop(own.types.insert(item.ident.to_string())),
                Item::Union(item) => drop(own.types.insert(item.ident.to_string())),
                Item::Type(item) => {
                    let parameters =
                        item.generics
                            .params
                            .iter()
                            .filter_map(|parameter| match parameter {
                                GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
                                GenericParam::Lifetime(_) | GenericParam::Const(_) => None,
                            });
                    let alias = Alias {
                        parameters: parameters.collect(),
                        of: (*item.ty).clone(),
                    };
                    own.aliases.insert(item.ident.to_string(), alias);
                }
                Item::Use(item) => own.import(&item.tree, &mut Vec::new()),
                Item::Mod(inner) => {
                    let mut path = module.to_vec();
                    path.push(inner.ident.to_string());
                    self.add(
                        &path,
                        inner.content.as_ref().map_or(&[], |(_, items)| items),
                    );
                }
                _ => {}
            }
        }
        self.modules.insert(module.to_vec(), own);
    }

    /// Returns the type of the crate that a function returns. `own` is the type that `Self` means
    /// there.
    pub fn given(
        &self,
        signature: &Signature,
        module: &[String],
        own: Option<&str>,
    ) -> Option<Given> {
        let ReturnType::Type(_, returned) = &signature.output else {
            return None;
        };
        self.given_as(returned, module, own, &Arguments::new(), MAX_STEPS)
    }

    /// Returns the type of the crate that a function without receiver returns, which makes it a
    /// constructor.
    pub fn constructed(
        &self,
        signature: &Signature,
        module: &[String],
        own: Option<&str>,
    ) -> Option<Given> {
        self.given(signature, module, own)
            .filter(|_| signature.receiver().is_none())
    }

    /// Returns the type of the crate that a type names directly, not inside another type.
    pub fn own_type(&self, of: &Type, module: &[String]) -> Option<String> {
        let given = self.given_as(of, module, None, &Arguments::new(), MAX_STEPS)?;
        (given.gives == Gives::Itself).then_some(given.of)
    }

    fn given_as(
        &self,
        of: &Type,
        module: &[String],
        own: Option<&str>,
        arguments: &Arguments<'_>,
        steps: usize,
    ) -> Option<Given> {
        let steps = steps.checked_sub(1)?;
        let path = match of {
            Type::Paren(inner) => return self.given_as(&inner.elem, module, own, arguments, steps),
            Type::Group(inner) => return self.given_as(&inner.elem, module, own, arguments, steps),
            Type::Path(path) if path.qself.is_none() => &path.path,
            other => return self.mentioned(other, module, own, arguments, steps),
        };
        let itself = |of: String| Given {
            of,
            gives: Gives::Itself,
            written: None,
        };
        if let Some(name) = path.get_ident().map(ToString::to_string) {
            if name == "Self" {
                return own.map(|own| Given {
                    written: Some(of.clone()),
                    ..itself(own.to_owned())
                });
            }
            if let Some((of, module)) = arguments.get(&name) {
                return self.given_as(of, module, own, &Arguments::new(), steps);
            }
        }
        let words: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        match self.find(&words, module, steps) {
            Found::Own(found) => Some(Given {
                written: Some(of.clone()),
                ..itself(found)
            }),
            Found::Alias(alias, place) => {
                let given = type_arguments(path).map(|argument| (argument, module));
                let given = alias.parameters.iter().cloned().zip(given).collect();
                let given = self.given_as(&alias.of, &place, own, &given, steps)?;
                // The spelling inside an alias may mean another type where the alias is used.
                Some(Given {
                    written: None,
                    ..given
                })
            }
            Found::Other(word) => {
                let gives = match word.as_str() {
                    "Option" => Gives::Option,
                    "Result" => Gives::Result,
                    _ => return self.mentioned(of, module, own, arguments, steps),
                };
                let inner =
                    self.given_as(type_arguments(path).next()?, module, own, arguments, steps)?;
                let gives = if inner.gives == Gives::Itself {
                    gives
                } else {
                    Gives::Inside
                };
                Some(Given { gives, ..inner })
            }
        }
    }

    /// Returns the first type of the crate that another type contains.
    fn mentioned(
        &self,
        of: &Type,
        module: &[String],
        own: Option<&str>,
        arguments: &Arguments<'_>,
        steps: usize,
    ) -> Option<Given> {
        let mut search = Mentions {
            names: self,
            module,
            own,
            arguments,
            steps,
            outer: of,
            found: None,
        };
        search.visit_type(of);
        search.found.map(|found| Given {
            gives: Gives::Inside,
            ..found
        })
    }

    fn find(&self, words: &[String], module: &[String], steps: usize) -> Found<'_> {
        let other = || Found::Other(words.last().cloned().unwrap_or_default());
        let Some(steps) = steps.checked_sub(1) else {
            return other();
        };
        let Some((last, before)) = words.split_last() else {
            return other();
        };
        match self.module_of(before, module, steps) {
            Some(place) => self.find_in(last, &place, steps).unwrap_or_else(other),
            None => other(),
        }
    }

    /// Resolves a name in a module to a type, an alias or something else.
    fn find_in(&self, name: &str, module: &[String], steps: usize) -> Option<Found<'_>> {
        let steps = steps.checked_sub(1)?;
        let names = self.modules.get(module)?;
        if names.types.contains(name) {
            let path = module.iter().map(String::as_str).chain([name]);
            return Some(Found::Own(path.collect::<Vec<_>>().join("::")));
        }
        if let Some(alias) = names.aliases.get(name) {
            return Some(Found::Alias(alias, module.to_vec()));
        }
        if let Some(path) = names.imports.get(name) {
            return Some(self.find(path, module, steps));
        }
        names.globs.iter().find_map(|glob| {
            let place = self
                .module_of(glob, module, steps)
                .filter(|place| place != module)?;
            self.find_in(name, &place, steps)
        })
    }

    /// Returns the module that a path leads to from another module.
    fn module_of(&self, words: &[String], module: &[String], steps: usize) -> Option<Vec<String>> {
        let steps = steps.checked_sub(1)?;
        let Some((first, rest)) = words.split_first() else {
            return Some(module.to_vec());
        };
        let next = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            name => {
                let inner: Vec<String> = module.iter().cloned().chain([name.to_owned()]).collect();
                match self.modules.get(module)?.imports.get(name) {
                    _ if self.modules.contains_key(&inner) => inner,
                    Some(path) if path != words => self.module_of(path, module, steps)?,
                    _ => return None,
                }
            }
        };
        self.module_of(rest, &next, steps)
    }
}

impl Names {
    fn import(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(step) => {
                before.push(step.ident.to_string());
                self.import(&step.tree, before);
                before.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                self.imports
                    .extend(before.last().map(|last| (last.clone(), before.clone())));
            }
            UseTree::Name(name) => {
                let path = before
                    .iter()
                    .cloned()
                    .chain([name.ident.to_string()])
                    .collect();
                self.imports.insert(name.ident.to_string(), path);
            }
            UseTree::Rename(name) => {
                let path = before
                    .iter()
                    .cloned()
                    .chain([name.ident.to_string()])
                    .collect();
                self.imports.insert(name.rename.to_string(), path);
            }
            UseTree::Glob(_) => self.globs.push(before.clone()),
            UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.import(tree, before)),
        }
    }
}

fn type_arguments(path: &syn::Path) -> impl Iterator<Item = &Type> {
    let arguments = path.segments.last().and_then(|last| match &last.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        PathArguments::None | PathArguments::Parenthesized(_) => None,
    });
    arguments
        .into_iter()
        .flatten()
        .filter_map(|argument| match argument {
            GenericArgument::Type(of) => Some(of),
            _ => None,
        })
}

/// Visitor that finds a type of the crate inside another type.
struct Mentions<'m> {
    names: &'m TypeNames,
    module: &'m [String],
    own: Option<&'m str>,
    arguments: &'m Arguments<'m>,
    steps: usize,
    outer: &'m Type,
    found: Option<Given>,
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_type(&mut self, of: &'ast Type) {
        if self.found.is_none() && of != self.outer {
            self.found = self
                .names
                .given_as(of, self.module, self.own, self.arguments, self.steps);
        }
        if self.found.is_none() {
            visit::visit_type(self, of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Gives, TypeNames};
    use crate::source::SourceFile;
    use syn::{ImplItem, Item};

    /// Checks which type of a source `fn f` returns, and in which form.
    #[track_caller]
    fn check(source: &str, expected: Option<(&str, Gives)>) {
        let file = SourceFile::root(source);
        let names = TypeNames::of(std::slice::from_ref(&file));
        let mut found = None;
        let mut modules = vec![(Vec::new(), &file.tree.items)];
        while let Some((module, items)) = modules.pop() {
            for item in items {
                match item {
                    Item::Mod(inner) => {
                        let path: Vec<String> = module
                            .iter()
                            .cloned()
                            .chain([inner.ident.to_string()])
                            .collect();
                        modules.push((path, &inner.content.as_ref().unwrap().1));
                    }
                    Item::Fn(function) => found = names.constructed(&function.sig, &module, None),
                    Item::Impl(block) => {
                        let own = names.own_type(&block.self_ty, &module);
                        for item in &block.items {
                            let ImplItem::Fn(function) = item else {
                                continue;
                            };
                            found = names.constructed(&function.sig, &module, own.as_deref());
                        }
                    }
                    _ => {}
                }
            }
        }
        assert_eq!(
            found.map(|found| (found.of, found.gives)),
            expected.map(|(of, gives)| (of.to_owned(), gives))
        );
    }

    #[test]
    fn a_constructor_names_its_type_in_any_way() {
        let level = |gives| Some(("Level", gives));
        check(
            "struct Level; impl Level { fn f() -> Self {} }",
            level(Gives::Itself),
        );
        check(
            "struct Level; impl Level { fn f() -> Level {} }",
            level(Gives::Itself),
        );
        check(
            "struct Level; impl Level { fn f() -> crate::Level {} }",
            level(Gives::Itself),
        );
        check(
            "struct Level; impl Level { fn f() -> Option<Self> {} }",
            level(Gives::Option),
        );
        check(
            "struct Level; impl Level { fn f() -> Result<Level, String> {} }",
            level(Gives::Result),
        );
        check(
            "struct Level; impl Level { fn f() -> std::io::Result<(Level)> {} }",
            level(Gives::Result),
        );
        check(
            "struct Level<T>(T); impl<T> Level<T> { fn f() -> Level<T> {} }",
            level(Gives::Itself),
        );
        check("struct Level; impl Level { fn f(&self) -> Level {} }", None);
        check(
            "struct Level; impl Level { fn f() -> Result<(), Level> {} }",
            None,
        );
        check("struct Level; impl Level { fn f() -> u8 {} }", None);
    }

    #[test]
    fn aliases_and_imports_are_followed() {
        let result = "struct Level; type Result<T> = std::result::Result<T, String>; type L = Level; type Made = Result<L>;";
        check(
            &format!("{result} impl L {{ fn f() -> L {{}} }}"),
            Some(("Level", Gives::Itself)),
        );
        check(
            &format!("{result} impl Level {{ fn f() -> Result<Self> {{}} }}"),
            Some(("Level", Gives::Result)),
        );
        check(
            &format!("{result} impl Level {{ fn f() -> Made {{}} }}"),
            Some(("Level", Gives::Result)),
        );
        let elsewhere = "mod a { pub mod b { pub struct Level; } pub use b::Level as Up; }";
        let level = |gives| Some(("a::b::Level", gives));
        check(
            &format!("{elsewhere} use a::Up; fn f() -> Option<Up> {{}}"),
            level(Gives::Option),
        );
        check(
            &format!("{elsewhere} mod c {{ use super::a::b::*; fn f() -> Level {{}} }}"),
            level(Gives::Itself),
        );
        check(
            &format!("{elsewhere} use a::b; impl b::Level {{ fn f() -> Self {{}} }}"),
            level(Gives::Itself),
        );
        check(
            &format!("{elsewhere} mod c {{ use crate::a; fn f() -> a::Up {{}} }}"),
            level(Gives::Itself),
        );
        // A type of the same name in another module is another type.
        check(
            &format!("{elsewhere} mod c {{ use other::Level; fn f() -> Level {{}} }}"),
            None,
        );
        check(
            "use self::x::*; mod x { pub use super::*; } fn f() -> Nothing {}",
            None,
        );
    }

    #[test]
    fn what_only_holds_a_value_gives_it_inside() {
        let inside = Some(("Level", Gives::Inside));
        check(
            "struct Level; impl Level { fn f() -> Vec<Self> {} }",
            inside,
        );
        check(
            "struct Level; impl Level { fn f() -> (u8, Level) {} }",
            inside,
        );
        check(
            "struct Level; impl Level { fn f() -> &'static Self {} }",
            inside,
        );
        check(
            "struct Level; impl Level { fn f() -> Option<Box<Level>> {} }",
            inside,
        );
        check(
            "struct Level; impl Level { fn f() -> impl Iterator<Item = Level> {} }",
            inside,
        );
    }
}

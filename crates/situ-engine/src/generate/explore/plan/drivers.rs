//! Tests that call functions with made values: one for each function whose receiver and arguments can be made.

use super::argument::{tight, written};
use super::declared::{Block, Place};
use super::fields::slot;
use super::{CRATE, Inserting, PRELUDE, Planning, conditions};
use crate::source::SourceFile;
use crate::source::lines::line_number;
use quote::ToTokens as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use syn::{Attribute, FnArg, GenericParam, Generics, ImplItem, Pat, ReceiverKind, Signature, Type};

/// How a value is passed to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Passing {
    /// By value.
    Value,
    /// By `&`.
    Borrow,
    /// By `&mut`.
    BorrowMut,
}

/// How a call is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Written {
    /// `path(arguments)`.
    Call(String),
    /// `receiver.name(arguments)`.
    Method(String),
    /// `format!("{}", receiver)`.
    Format(String),
    /// `argument.parse::<Type>()`.
    Parse(String),
}

/// A function of a crate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Function {
    /// Its path below the crate: `units::Size::parse`.
    pub path: String,
    /// The file, as the compiler names it.
    pub file: PathBuf,
    /// Its first line, and its last.
    pub lines: (usize, usize),
    /// Its module below the crate.
    pub module: String,
    /// Whether code outside of the crate can call it.
    pub is_public: bool,
    /// Whether the first value is the receiver.
    pub has_receiver: bool,
    /// How each value is passed, the receiver first.
    pub passing: Vec<Passing>,
    /// How a call is written.
    pub written: Written,
    /// What follows a call so that it is a value: `.collect::<Vec<_>>()`.
    pub ending: String,
    /// The test that calls it, or why there is none.
    pub test: Result<String, String>,
}

/// What is inserted beside functions.
pub(crate) struct Work<'w> {
    /// Whether a function gets a test that calls it with made values.
    pub is_wanted: &'w dyn Fn(&Function) -> bool,
    /// Whether functions are called that reach outside of the program.
    pub allows_effects: bool,
    /// Written calls to verify, by the number of the function, each with a number of its own.
    pub checks: &'w BTreeMap<usize, Vec<(usize, String)>>,
}

/// How modules with written calls are called, before their number.
pub(crate) const VERIFIED: &str = "__situ_verify_";

/// A module that executes a call as it is written.
fn verifying(number: usize, call: &str) -> String {
    format!(
        "#[cfg(test)] #[allow(warnings, clippy::all)] mod {VERIFIED}{number} {{ use super::*; #[test] fn call() {{ \
         ::situ_recorder::kill::verify(|| match ({call}) {{ value => ::situ_recorder::kill::keep(|writer| \
         ::situ_recorder::capture::by_level(&value).capture_by_level(writer)) }}) }} }} "
    )
}

/// What a function takes.
struct Parameter {
    name: String,
    of: String,
    passing: Passing,
    shape: ParameterShape,
}

/// What is made for a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ParameterShape {
    Plain,
    Text,
    Slice,
}

/// A function on its way to a test.
struct Candidate<'c> {
    signature: &'c Signature,
    place: &'c Place<'c>,
    /// The file and bytes of the function itself.
    node: std::ops::Range<usize>,
    block: Option<&'c Block<'c>>,
    attributes: Vec<&'c Attribute>,
    is_public: bool,
}

/// The traits of `std::fmt`, with how their text is asked for.
const FORMATS: [(&str, &str); 6] = [
    ("Display", "{}"),
    ("Debug", "{:?}"),
    ("LowerHex", "{:x}"),
    ("UpperHex", "{:X}"),
    ("Binary", "{:b}"),
    ("Octal", "{:o}"),
];

impl Planning<'_> {
    /// Inserts a test for each function that `is_wanted`, and lists all functions.
    pub(super) fn drivers(
        &self,
        files: &[SourceFile],
        inserting: &mut Inserting,
        work: &Work<'_>,
    ) -> Vec<Function> {
        let mut all = Vec::new();
        for candidate in self.candidates(files) {
            let number = all.len();
            let mut function = self.function(&candidate, files);
            let at = (candidate.place.file, candidate.place.node.clone());
            for (check, call) in work.checks.get(&number).into_iter().flatten() {
                let piece = inserting.piece(format!("{VERIFIED}{check}"), None);
                inserting.insert(&at, piece, verifying(*check, call));
            }
            let driver = self.driver(&candidate, &function, number, work.allows_effects);
            match driver {
                Err(why) => function.test = Err(why),
                Ok(_) if !(work.is_wanted)(&function) => function.test = Err(String::new()),
                Ok((text, passing)) => {
                    function.passing = passing;
                    let name = format!("__situ_call_{number}");
                    function.test = Ok(match function.module.as_str() {
                        "" => name.clone(),
                        module => format!("{module}::{name}"),
                    });
                    let piece = inserting.piece(name, None);
                    inserting.insert(&at, piece, text);
                }
            }
            all.push(function);
        }
        all
    }

    fn candidates<'c>(&'c self, files: &[SourceFile]) -> Vec<Candidate<'c>> {
        let exported = exported_names(files);
        let is_open =
            |visibility: &syn::Visibility| matches!(visibility, syn::Visibility::Public(_));
        let mut all = Vec::new();
        for function in &self.declared.functions {
            let name = function.item.sig.ident.to_string();
            let is_test = function.item.attrs.iter().any(situ_syntax::is_test_only);
            if is_test {
                continue;
            }
            all.push(Candidate {
                signature: &function.item.sig,
                place: &function.place,
                node: function.place.node.clone(),
                block: None,
                attributes: function.item.attrs.iter().collect(),
                is_public: is_open(&function.item.vis)
                    && exported.sees(function.place.module, &name),
            });
        }
        for block in &self.declared.blocks {
            let own = self.declared.types.iter().find(|one| one.key == block.of);
            let type_name = block.of.rsplit("::").next().unwrap_or(&block.of);
            let is_type_public = own.is_some_and(|own| {
                let visibility = match own.declared {
                    super::declared::Declared::Struct(item) => &item.vis,
                    super::declared::Declared::Enum(item) => &item.vis,
                };
                is_open(visibility) && exported.sees(own.place.module, type_name)
            });
            for item in &block.item.items {
                let ImplItem::Fn(function) = item else {
                    continue;
                };
                let is_public =
                    is_type_public && (block.item.trait_.is_some() || is_open(&function.vis));
                all.push(Candidate {
                    signature: &function.sig,
                    place: &block.place,
                    node: crate::source::byte_range(function),
                    block: Some(block),
                    attributes: block.item.attrs.iter().chain(&function.attrs).collect(),
                    is_public,
                });
            }
        }
        all
    }

    /// What is known of a function before anybody knows whether it can be called.
    fn function(&self, candidate: &Candidate<'_>, files: &[SourceFile]) -> Function {
        let name = candidate.signature.ident.to_string();
        let type_name = candidate
            .block
            .map(|block| block.of.rsplit("::").next().unwrap_or(&block.of).to_owned());
        let module = candidate.place.module.join("::");
        let path: Vec<&str> = [module.as_str(), type_name.as_deref().unwrap_or(""), &name]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        let path = path.join("::");
        let file = &files[candidate.place.file];
        let line = |at: usize| line_number(&file.text, at);
        let returns = candidate.signature.output.to_token_stream().to_string();
        let is_lazy = returns.starts_with("-> impl") && returns.contains("Iterator");
        Function {
            file: file.path.clone(),
            lines: (
                line(candidate.node.start),
                line(candidate.node.end.saturating_sub(1)),
            ),
            is_public: candidate.is_public,
            has_receiver: candidate.signature.receiver().is_some(),
            passing: Vec::new(),
            written: written_as(candidate, type_name.as_deref(), &name),
            ending: if is_lazy {
                ".take(1000).collect::<Vec<_>>()".to_owned()
            } else {
                String::new()
            },
            test: Err(String::new()),
            path,
            module,
        }
    }

    /// The text of the test that calls a function, and how each value is passed; or why it is not called.
    fn driver(
        &self,
        candidate: &Candidate<'_>,
        function: &Function,
        number: usize,
        allows_effects: bool,
    ) -> Result<(String, Vec<Passing>), String> {
        let signature = candidate.signature;
        let name = signature.ident.to_string();
        if let Some(why) = refusal(signature, candidate) {
            return Err(why.to_owned());
        }
        let type_name = candidate
            .block
            .map(|block| block.of.rsplit("::").next().unwrap_or(&block.of).to_owned());
        if let Some(effect) = self.effects.of_function(type_name.as_deref(), &name)
            && !allows_effects
        {
            return Err(format!("it reaches {effect} (see --allow-effects)"));
        }
        let mut aliases = String::new();
        if let Some(block) = candidate.block {
            aliases.push_str(&self.aliases(&block.item.generics)?);
        }
        aliases.push_str(&self.aliases(&signature.generics)?);
        let self_type = candidate.block.map(|block| written(&block.item.self_ty));
        let is_format = matches!(function.written, Written::Format(_));
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    let passing = match &receiver.kind {
                        ReceiverKind::Value => Passing::Value,
                        ReceiverKind::Reference(_, _, None) => Passing::Borrow,
                        ReceiverKind::Reference(_, _, Some(_)) => Passing::BorrowMut,
                        _ => return Err("its receiver is a pointer".to_owned()),
                    };
                    parameters.push(Parameter {
                        name: "self".to_owned(),
                        of: self_type.clone().unwrap_or_default(),
                        passing,
                        shape: ParameterShape::Plain,
                    });
                }
                // The text is asked for in another way.
                FnArg::Typed(_) if is_format => {}
                FnArg::Typed(argument) => {
                    let name = match &*argument.pat {
                        Pat::Ident(name) => name.ident.to_string(),
                        _ => "argument".to_owned(),
                    };
                    let of = without_self(&argument.ty, self_type.as_deref());
                    parameters.push(self.parameter(name, &of)?);
                }
            }
        }
        let callee = callee(candidate, self_type.as_deref(), &name);
        let head: String = candidate
            .attributes
            .iter()
            .map(|attribute| conditions(std::slice::from_ref(*attribute)))
            .collect();
        let text = text(&head, number, &aliases, &parameters, &callee, function);
        let passing = parameters.iter().map(|one| one.passing).collect();
        Ok((text, passing))
    }

    /// What is made for a parameter of this type.
    fn parameter(&self, name: String, of: &Type) -> Result<Parameter, String> {
        let plain = |of: String, passing| Parameter {
            name: name.clone(),
            of,
            passing,
            shape: ParameterShape::Plain,
        };
        match of {
            Type::Paren(inner) => self.parameter(name, &inner.elem),
            Type::ImplTrait(bounds) => {
                let chosen = self.chosen(&tight(&bounds.bounds));
                chosen
                    .map(|of| plain(of, Passing::Value))
                    .ok_or_else(|| no_implementor(&tight(&bounds.bounds)))
            }
            Type::Reference(reference) => {
                let passing = if reference.mutability.is_some() {
                    Passing::BorrowMut
                } else {
                    Passing::Borrow
                };
                match &*reference.elem {
                    Type::Slice(slice) => Ok(Parameter {
                        name,
                        of: written(&slice.elem),
                        passing,
                        shape: ParameterShape::Slice,
                    }),
                    Type::Path(path) if path.path.is_ident("str") && passing == Passing::Borrow => {
                        Ok(Parameter {
                            name,
                            of: String::new(),
                            passing,
                            shape: ParameterShape::Text,
                        })
                    }
                    Type::Path(path)
                        if path
                            .path
                            .segments
                            .last()
                            .is_some_and(|last| last.ident == "Path") =>
                    {
                        Ok(plain(
                            "::situ_explore::standard::path::PathBuf".to_owned(),
                            passing,
                        ))
                    }
                    Type::TraitObject(object) => {
                        let bounds = tight(&object.bounds);
                        let chosen = self.chosen(&bounds);
                        chosen
                            .map(|of| plain(of, passing))
                            .ok_or_else(|| no_implementor(&bounds))
                    }
                    Type::ImplTrait(object) => {
                        let bounds = tight(&object.bounds);
                        let chosen = self.chosen(&bounds);
                        chosen
                            .map(|of| plain(of, passing))
                            .ok_or_else(|| no_implementor(&bounds))
                    }
                    other => Ok(plain(written(other), passing)),
                }
            }
            Type::Ptr(_) => Err("an argument is a pointer".to_owned()),
            other => Ok(plain(written(other), Passing::Value)),
        }
    }

    /// Names for generic parameters, so that types can be written as the signature has them.
    fn aliases(&self, generics: &Generics) -> Result<String, String> {
        let mut text = String::new();
        for parameter in &generics.params {
            match parameter {
                GenericParam::Lifetime(_) => {}
                GenericParam::Const(parameter) => {
                    let of = written(&parameter.ty);
                    let value = if of == "bool" { "true" } else { "3" };
                    text.push_str(&format!("const {}: {of} = {value}; ", parameter.ident));
                }
                GenericParam::Type(parameter) => {
                    let mut bounds = vec![tight(&parameter.bounds)];
                    let clauses = generics
                        .where_clause
                        .iter()
                        .flat_map(|clause| &clause.predicates);
                    for clause in clauses {
                        if let syn::WherePredicate::Type(clause) = clause
                            && parameter.ident == tight(&clause.bounded_ty)
                        {
                            bounds.push(tight(&clause.bounds));
                        }
                    }
                    bounds.retain(|bound| !bound.is_empty());
                    let bounds = bounds.join("+");
                    let chosen = self
                        .chosen(&bounds)
                        .ok_or_else(|| no_implementor(&bounds))?;
                    text.push_str(&format!("type {} = {chosen}; ", parameter.ident));
                }
            }
        }
        Ok(text)
    }

    /// A type that has these bounds.
    fn chosen(&self, bounds: &str) -> Option<String> {
        let mut kinds = Vec::new();
        for bound in split_bounds(bounds) {
            if bound.starts_with('\'') || bound.starts_with('?') {
                continue;
            }
            kinds.push(self.of_bound(bound)?);
        }
        let special: Vec<&String> = kinds.iter().flatten().collect();
        match special.as_slice() {
            [] => Some("i32".to_owned()),
            [one, others @ ..] if others.iter().all(|other| other == one) => Some((*one).clone()),
            _ => None,
        }
    }

    /// The type that a bound asks for; nothing inside where every integer has it; none where nothing is known.
    fn of_bound(&self, bound: &str) -> Option<Option<String>> {
        const PLAIN: [&str; 19] = [
            "Clone",
            "Copy",
            "Debug",
            "Display",
            "PartialEq",
            "Eq",
            "PartialOrd",
            "Ord",
            "Hash",
            "Default",
            "Send",
            "Sync",
            "Sized",
            "Unpin",
            "ToString",
            "Add<Output=T>",
            "Sub<Output=T>",
            "Mul<Output=T>",
            "From<u8>",
        ];
        let head = bound.split('<').next().unwrap_or(bound);
        let arguments = &bound[head.len()..];
        let name = head.rsplit("::").next().unwrap_or(head);
        let whole = format!("{name}{arguments}");
        if PLAIN.contains(&whole.as_str()) {
            return Some(None);
        }
        let special = match whole.as_str() {
            "AsRef<str>" | "Into<String>" | "Borrow<str>" | "Into<Box<str>>" => {
                "::situ_explore::standard::string::String"
            }
            "AsRef<[u8]>" | "Into<Vec<u8>>" => "::situ_explore::standard::vec::Vec<u8>",
            "AsRef<Path>" | "Into<PathBuf>" => "::situ_explore::standard::path::PathBuf",
            "Write" if head.contains("fmt") => "::situ_explore::standard::string::String",
            "Write" => "::situ_explore::standard::vec::Vec<u8>",
            _ => "",
        };
        if !special.is_empty() {
            return Some(Some(special.to_owned()));
        }
        if let Some(item) = arguments.strip_prefix("<Item=")
            && name == "IntoIterator"
        {
            let item = item.strip_suffix('>')?;
            return Some(Some(format!("::{CRATE}::standard::vec::Vec<{item}>")));
        }
        let implementor = self.declared.blocks.iter().find(|block| {
            let is_meant = block.item.trait_.as_ref().is_some_and(|(path, _)| {
                path.segments.last().is_some_and(|last| last.ident == name)
            });
            is_meant && block.item.generics.params.is_empty()
        })?;
        Some(Some(format!("crate::{}", implementor.of)))
    }
}

fn no_implementor(bounds: &str) -> String {
    format!("no implementor is known for `{bounds}`")
}

/// Bounds with a `+` between them, outside of brackets.
fn split_bounds(bounds: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0_i32, 0, Vec::new());
    for (at, one) in bounds.char_indices() {
        match one {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            '+' if depth == 0 => {
                all.push(&bounds[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(&bounds[start..]);
    all.retain(|bound| !bound.is_empty());
    all
}

/// Why a function is not called, as far as its signature says.
fn refusal(signature: &Signature, candidate: &Candidate<'_>) -> Option<&'static str> {
    let returns = signature.output.to_token_stream().to_string();
    if signature.asyncness.is_some() {
        Some("it is async")
    } else if matches!(signature.safety, syn::Safety::Unsafe(_)) {
        Some("it is unsafe")
    } else if signature.abi.is_some() {
        Some("it is extern")
    } else if returns == "-> !" {
        Some("it never returns")
    } else if signature.ident == "main" && candidate.block.is_none() {
        Some("it is the program's entry")
    } else if signature.ident == "drop"
        && candidate
            .block
            .is_some_and(|block| block.item.trait_.is_some())
    {
        Some("it is `Drop::drop`")
    } else {
        None
    }
}

/// A type with another one in the place of `Self`.
fn without_self(of: &Type, self_type: Option<&str>) -> Type {
    let Some(replacement) = self_type.and_then(|text| crate::source::parse_part::<Type>(text).ok())
    else {
        return of.clone();
    };
    struct Replacing(Type);
    impl syn::visit_mut::VisitMut for Replacing {
        fn visit_type_mut(&mut self, of: &mut Type) {
            match of {
                Type::Path(path) if path.path.is_ident("Self") => *of = self.0.clone(),
                _ => syn::visit_mut::visit_type_mut(self, of),
            }
        }
    }
    let mut of = of.clone();
    syn::visit_mut::VisitMut::visit_type_mut(&mut Replacing(replacement), &mut of);
    of
}

/// The function as a path that can be called in its module.
fn callee(candidate: &Candidate<'_>, self_type: Option<&str>, name: &str) -> String {
    match (candidate.block, self_type) {
        (Some(block), Some(of)) => match &block.item.trait_ {
            Some((path, _)) => format!("<{of} as {}>::{name}", path.to_token_stream()),
            None => format!("<{of}>::{name}"),
        },
        _ => name.to_owned(),
    }
}

/// How a call of a function is written for people.
fn written_as(candidate: &Candidate<'_>, type_name: Option<&str>, name: &str) -> Written {
    let Some((block, of)) = candidate.block.zip(type_name) else {
        return Written::Call(name.to_owned());
    };
    let Some((path, _)) = &block.item.trait_ else {
        return if candidate.signature.receiver().is_some() {
            Written::Method(name.to_owned())
        } else {
            Written::Call(format!("{of}::{name}"))
        };
    };
    let last = path
        .segments
        .last()
        .map(|last| last.ident.to_string())
        .unwrap_or_default();
    if let Some((_, format)) = FORMATS
        .iter()
        .find(|(known, _)| *known == last && name == "fmt")
    {
        return Written::Format((*format).to_owned());
    }
    match last.as_str() {
        "FromStr" => Written::Parse(of.to_owned()),
        "Default" | "From" | "TryFrom" => Written::Call(format!("{of}::{name}")),
        "Iterator"
        | "Clone"
        | "PartialOrd"
        | "PartialEq"
        | "Ord"
        | "AsRef"
        | "DoubleEndedIterator"
        | "ToString" => Written::Method(name.to_owned()),
        _ => Written::Call(format!("<{of} as {}>::{name}", path.to_token_stream())),
    }
}

/// The text of a test that calls a function.
fn text(
    head: &str,
    number: usize,
    aliases: &str,
    parameters: &[Parameter],
    callee: &str,
    function: &Function,
) -> String {
    let (mut described, mut values, mut passed, mut changed) =
        (String::new(), String::new(), String::new(), String::new());
    for (at, parameter) in parameters.iter().enumerate() {
        let (id, build, pass) = parameter.code(at);
        described.push_str(&format!(
            "::{CRATE}::Parameter {{ name: {:?}, id: {id}, points: ::{CRATE}::standard::vec::Vec::new() }}, ",
            parameter.name
        ));
        values.push_str(&format!("let mut v{at} = {build}; "));
        passed.push_str(&format!("let p{at} = {pass}; "));
        if parameter.passing == Passing::BorrowMut {
            changed.push_str(&format!(
                "call.slot({}, |writer| ::situ_recorder::capture::by_level(&v{at}).capture_by_level(writer)); ",
                at + 1
            ));
        }
    }
    let names: Vec<String> = (0..parameters.len()).map(|at| format!("p{at}")).collect();
    let call = match &function.written {
        Written::Format(format) => format!("::{CRATE}::standard::format!({format:?}, p0)"),
        _ => format!("{callee}({}){}", names.join(", "), function.ending),
    };
    format!(
        "{head}#[cfg(test)] #[test] #[allow(warnings, clippy::all)] fn __situ_call_{number}() {{ {PRELUDE} {aliases}\
         let mut all = ::{CRATE}::Shapes::seen_from(::core::module_path!()); \
         let parameters = {{ let shapes = &mut all; ::{CRATE}::standard::vec![{described}] }}; \
         ::situ_recorder::kill::drive(all, parameters, &mut |parts: &[::{CRATE}::Tree], call: &mut ::situ_recorder::kill::Call| {{ \
         {values}{passed}\
         match call.run(move || {call}) {{ \
         ::core::option::Option::Some(result) => call.slot(0, |writer| ::situ_recorder::capture::by_level(&result).capture_by_level(writer)), \
         ::core::option::Option::None => return ::core::option::Option::Some(()), }} \
         {changed}::core::option::Option::Some(()) }}); }} "
    )
}

impl Parameter {
    /// Its shape, its value, and how that is passed.
    fn code(&self, at: usize) -> (String, String, String) {
        let part = format!("parts.get({at})?");
        let is_receiver = self.name == "self";
        let (mut id, build, pass) = match (self.shape, self.passing) {
            (ParameterShape::Text, _) => (
                "shapes.text()".to_owned(),
                format!(
                    "<::{CRATE}::standard::string::String as ::{CRATE}::Explore>::build({part})?"
                ),
                format!("&v{at}[..]"),
            ),
            (ParameterShape::Slice, passing) => {
                let id = format!(
                    "{{ let of = {}.id(shapes); shapes.slice(of) }}",
                    slot(&self.of)
                );
                let build = format!(
                    "{}.build({part})?",
                    slot(&format!("::{CRATE}::standard::vec::Vec<{}>", self.of))
                );
                let mark = if passing == Passing::BorrowMut {
                    "&mut "
                } else {
                    "&"
                };
                (id, build, format!("{mark}v{at}[..]"))
            }
            (ParameterShape::Plain, Passing::Value) => (
                format!("{}.id(shapes)", slot(&self.of)),
                format!("{}.build({part})?", slot(&self.of)),
                format!("v{at}"),
            ),
            (ParameterShape::Plain, passing) => {
                let mark = if passing == Passing::BorrowMut {
                    "&mut "
                } else {
                    "&"
                };
                if is_receiver {
                    (
                        format!("{}.id(shapes)", slot(&self.of)),
                        format!("{}.build({part})?", slot(&self.of)),
                        format!("{mark}v{at}"),
                    )
                } else {
                    (
                        format!(
                            "{{ let of = {}.id(shapes); shapes.borrowed(of) }}",
                            slot(&self.of)
                        ),
                        format!("{}.build(::{CRATE}::behind({part})?)?", slot(&self.of)),
                        format!("{mark}v{at}"),
                    )
                }
            }
        };
        if self.passing == Passing::BorrowMut && !is_receiver {
            id = id.replace("shapes.borrowed(of)", "shapes.borrowed_mutably(of)");
            id = id.replace("shapes.slice(of)", "shapes.mutable_slice(of)");
        }
        (id, build, pass)
    }
}

/// Which names code outside of the crate can reach.
struct Exported {
    /// Modules that are public all the way.
    modules: std::collections::BTreeSet<Vec<String>>,
    /// Words in `pub use` items.
    words: std::collections::BTreeSet<String>,
}

impl Exported {
    fn sees(&self, module: &[String], name: &str) -> bool {
        self.modules.contains(module)
            || self.words.contains(name)
            || (self.words.contains("*")
                && module.last().is_some_and(|last| self.words.contains(last)))
    }
}

fn exported_names(files: &[SourceFile]) -> Exported {
    let mut exported = Exported {
        modules: std::collections::BTreeSet::from([Vec::new()]),
        words: std::collections::BTreeSet::new(),
    };
    // A module may be declared in a file that is read later: outer modules come first.
    let mut order: Vec<&SourceFile> = files.iter().collect();
    order.sort_by_key(|file| file.module.len());
    for file in order {
        add_exported(&file.module, &file.tree.items, &mut exported);
    }
    exported
}

fn add_exported(module: &[String], items: &[syn::Item], exported: &mut Exported) {
    for item in items {
        match item {
            syn::Item::Mod(inner) => {
                let path: Vec<String> = module
                    .iter()
                    .cloned()
                    .chain([inner.ident.to_string()])
                    .collect();
                let is_open = matches!(inner.vis, syn::Visibility::Public(_));
                if is_open && exported.modules.contains(module) {
                    exported.modules.insert(path.clone());
                }
                if let Some((_, items)) = &inner.content {
                    add_exported(&path, items, exported);
                }
            }
            syn::Item::Use(item) if matches!(item.vis, syn::Visibility::Public(_)) => {
                let text = item.tree.to_token_stream().to_string();
                let words =
                    text.split(|one: char| !(one.is_alphanumeric() || one == '_' || one == '*'));
                exported
                    .words
                    .extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            _ => {}
        }
    }
}

//! Renders captured values as Rust expressions that rebuild them in the module of a test.

pub(crate) mod capture_loss;
mod constructors;
mod declarations;
mod filled;
mod imports;
mod literals;
mod modules;
mod names;
pub(crate) mod pattern_value;
mod producers;
pub(crate) mod repeated;
mod type_names;
mod types;
pub(crate) mod unstable_text;
mod value_types;
mod without_std;

pub use declarations::Declarations;
pub use imports::Imports;
pub use literals::{byte_string, text};
pub use producers::{Producer, Producers, Produces};
pub use types::{TypeTable, Visible, visibility};
pub use value_types::type_of;

use constructors::is_default;
use declarations::{is_std_function, names_no_function};
use filled::Filled;
use literals::{float, integer};
use names::Paths;
use situ_recorder::value::{FROM_ELEMENTS, ONLY_VALUE, OWN_FUNCTION, SeqKind, Shape, Value};
use type_names::TypeName;

/// Module for which an expression is written.
#[derive(Clone, Debug, Default)]
pub struct TestModule {
    /// Crate name with underscores. Paths into this crate start with `crate`.
    pub krate: String,
    /// Module path without the crate.
    pub module: String,
    /// Path of the enclosing function without the crate. Items declared in it have no path from
    /// elsewhere.
    pub function: Option<String>,
    /// Whether names of the module itself are written without a path.
    pub short_names: bool,
    pub imports: Imports,
}

impl TestModule {
    /// Returns the last segment of a path if it is in scope by that name.
    fn local_name<'n>(&self, path: &'n str) -> Option<&'n str> {
        if !self.short_names {
            return None;
        }
        let inside = |outer: &str| {
            let rest = if outer.is_empty() {
                path
            } else {
                path.strip_prefix(outer)?.strip_prefix("::")?
            };
            (!rest.contains("::")).then_some(rest)
        };
        self.function
            .as_deref()
            .and_then(inside)
            .or_else(|| inside(&self.module))
    }

    /// Returns whether the enclosing function declares the item with this path.
    fn declares(&self, path: &str) -> bool {
        let function = self.function.as_ref().filter(|_| self.short_names);
        function.is_some_and(|function| {
            path.strip_prefix(&format!("{}::{function}::", self.krate))
                .is_some()
        })
    }
}

/// Reason why a value has no expression in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoExpression(pub String);

/// Style of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether the context determines the type, so that suffixes and type arguments are omitted.
    pub typed_by_place: bool,
    /// Function that leaks a borrowed temporary, for values between which a `match` chooses: the
    /// arm would drop the temporary. Slices are written with `[..]`.
    pub keeper: Option<&'static str>,
    /// Whether to write slices with `[..]`, because arrays of different lengths in one table have
    /// different types.
    pub whole_slices: bool,
    /// Whether the expression is behind a reference. It is then promoted to a constant, so that it
    /// must not execute anything.
    pub constant: bool,
}

/// Returns an expression that evaluates to an equal value.
pub fn expression(
    value: &Value,
    here: &TestModule,
    types: &TypeTable,
) -> Result<String, NoExpression> {
    styled(value, here, types, Style::default())
}

/// Returns an expression that evaluates to an equal value, in the given style.
pub fn styled(
    value: &Value,
    here: &TestModule,
    types: &TypeTable,
    style: Style,
) -> Result<String, NoExpression> {
    let renderer = Renderer { here, types, style };
    match value {
        _ if style.keeper.is_some() || style.whole_slices => renderer.value(value, Suffix::Written),
        // At the top level, the context determines that this is a slice.
        Value::Ref { mutable, inner } => match &**inner {
            Value::Seq {
                kind: SeqKind::Slice,
                items,
                ..
            } if !items.is_empty() => {
                if let (Some(text), false) = (byte_text(items), *mutable) {
                    return Ok(text);
                }
                let list = renderer.borrowed(*mutable).value(inner, Suffix::Written)?;
                Ok(format!("&{}{list}", if *mutable { "mut " } else { "" }))
            }
            _ => renderer.value(value, Suffix::Written),
        },
        _ => renderer.value(value, Suffix::Written),
    }
}

/// Returns the path before the fields of a struct or variant in a pattern, or `None` if it cannot
/// be named here.
pub fn pattern_path(value: &Value, here: &TestModule, types: &TypeTable) -> Option<String> {
    let Value::Struct {
        type_name,
        variant,
        fields,
        ..
    } = value
    else {
        return None;
    };
    let renderer = Renderer {
        here,
        types,
        style: Style {
            typed_by_place: true,
            ..Style::default()
        },
    };
    let name = TypeName::parse(type_name)?;
    match variant {
        Some(variant) if is_option_or_result(&name, Some(variant), fields.len()) => {
            Some(variant.clone())
        }
        _ => {
            renderer.check_built(value, &name).ok()?;
            let is_local = types.is_inside_a_function(name.path()) && !here.declares(name.path());
            let is_ours = !is_local && types.is_nameable(name.path(), &here.module);
            let is_open = variant.is_some() || types.all_visible(name.path(), &here.module);
            (is_ours && is_open)
                .then(|| renderer.path_before_fields(&name, variant.as_deref(), Shape::Unit))
        }
    }
}

/// Returns the name of a recorded type as a path in this module.
pub fn written_type(name: &str, here: &TestModule, types: &TypeTable) -> Option<String> {
    let renderer = Renderer {
        here,
        types,
        style: Style::default(),
    };
    renderer.type_name(name).ok()
}

/// Whether integers have a suffix. In a list only the first needs one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suffix {
    Written,
    LeftOut,
}

struct Renderer<'r> {
    here: &'r TestModule,
    types: &'r TypeTable,
    style: Style,
}

type Rendered = Result<String, NoExpression>;

/// Path by which a recording represents a sum.
const SUM: &str = "std::ops::Add::add";

fn none(reason: impl Into<String>) -> Rendered {
    Err(NoExpression(reason.into()))
}

impl Renderer<'_> {
    fn value(&self, value: &Value, suffix: Suffix) -> Rendered {
        match value {
            Value::Unit => Ok("()".to_owned()),
            Value::Bool(value) => Ok(value.to_string()),
            Value::Int { type_name, bits } => Ok(integer(
                type_name,
                *bits,
                suffix == Suffix::Written && !self.style.typed_by_place,
            )),
            Value::Float { double, bits } => Ok(float(*double, *bits, !self.style.typed_by_place)),
            Value::Char(value) => Ok(format!("{value:?}")),
            Value::Str(text) => Ok(format!("*{}", literals::text(text))),
            Value::Ref { mutable, inner } => self.reference(*mutable, inner),
            Value::Tuple(parts) => self.tuple(parts, suffix),
            Value::Seq {
                kind,
                type_name,
                items,
            } => self.sequence(*kind, type_name, items),
            Value::Struct { .. } => self.structure(value, suffix),
            Value::Built {
                type_name, head, ..
            } if head == ONLY_VALUE => self.only_value(type_name),
            Value::Built {
                type_name,
                head,
                args,
                ..
            } if head == FROM_ELEMENTS => self.collected(type_name, args),
            Value::Built {
                type_name,
                head,
                args,
                tail,
            } => {
                match (
                    head.strip_prefix("std::borrow::Cow::"),
                    head.strip_prefix(OWN_FUNCTION),
                ) {
                    (Some(variant), _) => self.cow(type_name, variant, args),
                    (_, Some(function)) => self.made_by_own(type_name, function, args, tail),
                    _ => self.built(head, args, tail),
                }
            }
            Value::Parsed { type_name, text } => Ok(format!(
                "{}.parse::<{}>().unwrap()",
                literals::text(text),
                self.type_name(type_name)?
            )),
            Value::Debug { type_name, .. } => {
                none(format!("only the `Debug` output of `{type_name}` is known"))
            }
            Value::Opaque { type_name, reason } => none(format!("`{type_name}`: {reason}")),
            Value::Cut { reason } => none(reason.clone()),
            Value::Withheld => none("a secret"),
            Value::Refused(refusal) => none(refusal.to_string()),
        }
    }

    fn paths(&self) -> Paths<'_> {
        Paths {
            here: self.here,
            named: self.types.named(),
            modules: self.types.modules(),
        }
    }

    fn type_name(&self, name: &str) -> Rendered {
        TypeName::parse(name)
            .filter(|name| self.is_nameable(name))
            .map(|name| name.written(self.paths()))
            .ok_or_else(|| NoExpression(format!("`{name}` cannot be named")))
    }

    /// Returns whether a type and its arguments can be named here.
    fn is_nameable(&self, name: &TypeName) -> bool {
        let is_inside =
            self.types.is_inside_a_function(name.path()) && !self.here.declares(name.path());
        !is_inside
            && self.types.is_nameable(name.path(), &self.here.module)
            && name
                .arguments()
                .iter()
                .all(|argument| self.is_nameable(argument))
    }

    /// Returns a renderer for what a reference borrows.
    fn borrowed(&self, mutable: bool) -> Renderer<'_> {
        let constant = self.style.constant || !mutable && self.style.keeper.is_none();
        Renderer {
            here: self.here,
            types: self.types,
            style: Style {
                constant,
                ..self.style
            },
        }
    }

    fn reference(&self, mutable: bool, inner: &Value) -> Rendered {
        self.borrowed(mutable).behind_reference(mutable, inner)
    }

    fn behind_reference(&self, mutable: bool, inner: &Value) -> Rendered {
        let whole = if matches!(
            inner,
            Value::Seq {
                kind: SeqKind::Slice,
                ..
            }
        ) {
            "[..]"
        } else {
            ""
        };
        let is_sum = matches!(inner, Value::Built { head, .. } if head == SUM);
        let is_range = matches!(inner, Value::Struct { type_name, .. } if type_name.starts_with("std::ops::Range"));
        // Without parentheses, `&` would borrow only the first operand.
        if is_sum || is_range {
            let kept = self.kept(format!("({})", self.value(inner, Suffix::Written)?));
            return Ok(format!("&{}{kept}", if mutable { "mut " } else { "" }));
        }
        if let Value::Seq {
            kind: SeqKind::Slice,
            type_name,
            items,
        } = inner
            && items.is_empty()
        {
            return self.empty_slice(if mutable { "&mut " } else { "&" }, type_name);
        }
        if mutable {
            return Ok(format!(
                "&mut {}{whole}",
                self.kept(self.value(inner, Suffix::Written)?)
            ));
        }
        match inner {
            Value::Str(text) => Ok(literals::text(text)),
            // `&*f(…)` is the same as `f(…)`.
            Value::Built { head, .. } if head.starts_with('*') => Ok(self
                .value(inner, Suffix::Written)?
                .trim_start_matches('*')
                .to_owned()),
            Value::Seq {
                kind: SeqKind::Slice,
                items,
                ..
            } if self.says_bytes(items) => {
                Ok(format!("&{}[..]", byte_text(items).unwrap_or_default()))
            }
            _ => Ok(format!(
                "&{}{whole}",
                self.kept(self.value(inner, Suffix::Written)?)
            )),
        }
    }

    /// Returns whether bytes are written as a byte string.
    fn says_bytes(&self, items: &[Value]) -> bool {
        self.style.keeper.is_none() && byte_text(items).is_some()
    }

    /// Leaks a borrowed expression if it must outlive its statement.
    fn kept(&self, text: String) -> String {
        match self.style.keeper {
            Some(keeper) => format!("(*{keeper}({text}))"),
            None => text,
        }
    }

    fn list(&self, items: &[Value], suffix: Suffix) -> Rendered {
        let mut texts = Vec::new();
        for (number, item) in items.iter().enumerate() {
            texts.push(self.value(item, if number == 0 { suffix } else { Suffix::LeftOut })?);
        }
        Ok(texts.join(", "))
    }

    /// Renders values of different types: each has its own suffix.
    fn parts(&self, parts: &[Value], suffix: Suffix) -> Result<Vec<String>, NoExpression> {
        parts.iter().map(|part| self.value(part, suffix)).collect()
    }

    fn tuple(&self, parts: &[Value], suffix: Suffix) -> Rendered {
        let texts = self.parts(parts, suffix)?;
        Ok(if texts.len() == 1 {
            format!("({},)", texts[0])
        } else {
            format!("({})", texts.join(", "))
        })
    }

    fn sequence(&self, kind: SeqKind, type_name: &str, items: &[Value]) -> Rendered {
        if let Some(filled) = Filled::of(kind, items).filter(|_| !self.style.constant) {
            return self.filled(kind, &filled);
        }
        let list = repeated(items).map_or_else(
            || self.list(items, Suffix::Written),
            |(item, times)| Ok(format!("{}; {times}", self.value(item, Suffix::Written)?)),
        )?;
        if items.is_empty() {
            return self.empty(kind, type_name);
        }
        Ok(match kind {
            SeqKind::Array | SeqKind::Slice => format!("[{list}]"),
            SeqKind::Vec if self.says_bytes(items) => {
                format!("{}.to_vec()", byte_text(items).unwrap_or_default())
            }
            SeqKind::Vec => self.vector(&list),
            SeqKind::HashMap | SeqKind::HashSet if has_own_hasher(kind, type_name) => {
                format!(
                    "<{} as std::iter::FromIterator<_>>::from_iter([{list}])",
                    self.type_name(type_name)?
                )
            }
            other => {
                let name = self.paths().written(format!("std::collections::{other:?}"));
                format!("{name}::from([{list}])")
            }
        })
    }

    /// Returns a `Vec` of these elements, by what its module calls the macro `vec!`: `#![no_std]` takes that away, and an
    /// `extern crate` does not bring it back.
    fn vector(&self, elements: &str) -> String {
        let modules = self.types.modules();
        match (modules.lack_std(), modules.lack_prelude()) {
            (true, _) => format!("[{elements}].to_vec()"),
            (false, true) if modules.name_alloc() => format!("alloc::vec![{elements}]"),
            (false, true) => format!("std::vec![{elements}]"),
            (false, false) => format!("vec![{elements}]"),
        }
    }

    /// Renders a list by its common element and the runs that differ.
    fn filled(&self, kind: SeqKind, filled: &Filled<'_>) -> Rendered {
        let all = format!(
            "{}; {}",
            self.value(filled.common, Suffix::Written)?,
            filled.length
        );
        let list = match kind {
            SeqKind::Vec => self.vector(&all),
            _ => format!("[{all}]"),
        };
        let mut text = format!("{{ let mut filled = {list};");
        for (start, items) in &filled.runs {
            text += &match items {
                [item] => format!(" filled[{start}] = {};", self.value(item, Suffix::LeftOut)?),
                items => {
                    let list = self.list(items, Suffix::LeftOut)?;
                    format!(
                        " filled[{start}..{}].copy_from_slice(&[{list}]);",
                        start + items.len()
                    )
                }
            };
        }
        Ok(text + " filled }")
    }

    /// Renders an empty slice, which needs no leaking: it is promoted to a constant.
    fn empty_slice(&self, reference: &str, type_name: &str) -> Rendered {
        match (self.style.whole_slices, self.style.typed_by_place) {
            (true, _) => Ok(format!("{reference}[][..]")),
            (false, true) => Ok(format!("{reference}[]")),
            (false, false) => Ok(format!(
                "{reference}[] as {reference}{}",
                self.type_name(type_name)?
            )),
        }
    }

    fn empty(&self, kind: SeqKind, type_name: &str) -> Rendered {
        if self.style.typed_by_place && kind == SeqKind::Vec {
            let without_macro = self.types.modules().lack_prelude();
            let name = || self.paths().written("Vec".to_owned());
            return Ok(if without_macro {
                format!("{}::new()", name())
            } else {
                "vec![]".to_owned()
            });
        }
        let has_new = match kind {
            SeqKind::Array | SeqKind::Slice | SeqKind::Vec => false,
            SeqKind::HashMap | SeqKind::HashSet => !has_own_hasher(kind, type_name),
            _ => true,
        };
        if self.style.typed_by_place && has_new {
            return Ok(format!(
                "{}::new()",
                self.paths().written(format!("std::collections::{kind:?}"))
            ));
        }
        let name = self.type_name(type_name)?;
        Ok(match kind {
            SeqKind::Array => format!("[] as {name}"),
            SeqKind::Slice => format!("*(&[] as &{name})"),
            SeqKind::Vec => format!("{}::new()", name.replacen('<', "::<", 1)),
            SeqKind::HashMap | SeqKind::HashSet if has_own_hasher(kind, type_name) => {
                format!("<{name}>::default()")
            }
            other => self.empty_collection(other, type_name),
        })
    }

    fn empty_collection(&self, kind: SeqKind, type_name: &str) -> String {
        let name = self.paths().written(format!("std::collections::{kind:?}"));
        let parsed = TypeName::parse(type_name);
        let arity = if matches!(kind, SeqKind::HashMap | SeqKind::BTreeMap) {
            2
        } else {
            1
        };
        let arguments: Option<Vec<String>> = (0..arity)
            .map(|number| {
                parsed
                    .as_ref()?
                    .argument(number)
                    .map(|argument| argument.written(self.paths()))
            })
            .collect();
        match arguments.filter(|_| !self.style.typed_by_place) {
            Some(arguments) => format!("{name}::<{}>::new()", arguments.join(", ")),
            None => format!("{name}::new()"),
        }
    }

    /// Renders a collection by collecting its elements. Starts from a `Vec`, because arrays iterate
    /// over references in older editions.
    fn collected(&self, type_name: &str, args: &[Value]) -> Rendered {
        let [
            Value::Seq {
                items,
                type_name: array,
                ..
            },
        ] = args
        else {
            return none("no elements");
        };
        let elements = match items.as_slice() {
            [] => {
                let array = TypeName::parse(array);
                let element = array
                    .as_ref()
                    .and_then(|array| array.argument(0))
                    .map(|element| element.written(self.paths()));
                let empty = self.paths().written("std::iter::empty".to_owned());
                format!("{empty}::<{}>()", element.as_deref().unwrap_or("_"))
            }
            items => format!("{}.into_iter()", self.sequence(SeqKind::Vec, "", items)?),
        };
        Ok(match self.style.typed_by_place {
            true => format!("{elements}.collect()"),
            false => format!("{elements}.collect::<{}>()", self.type_name(type_name)?),
        })
    }

    /// Renders a `Cow`. Writes the borrowed type, which cannot be inferred from the owned one.
    fn cow(&self, type_name: &str, variant: &str, args: &[Value]) -> Rendered {
        let parsed = TypeName::parse(type_name);
        let borrowed = parsed
            .as_ref()
            .and_then(TypeName::last_argument)
            .map(|name| name.written(self.paths()));
        let borrowed = borrowed.filter(|_| !self.style.typed_by_place);
        let borrowed = borrowed
            .map(|name| format!("::<{name}>"))
            .unwrap_or_default();
        let name = self.paths().written("std::borrow::Cow".to_owned());
        self.built(&format!("{name}{borrowed}::{variant}"), args, "")
    }

    /// Renders the only value of a foreign type, if the sources use the type's name as a value.
    fn only_value(&self, type_name: &str) -> Rendered {
        match TypeName::parse(type_name) {
            Some(name) if self.types.named().is_value(name.path()) => {
                Ok(name.in_expression(self.paths()))
            }
            _ => none(format!("no known expression constructs a `{type_name}`")),
        }
    }

    /// Renders a call of an associated function. Its parameters determine the types of the
    /// arguments.
    fn made_by_own(&self, type_name: &str, function: &str, args: &[Value], tail: &str) -> Rendered {
        let style = Style {
            typed_by_place: true,
            ..Style::default()
        };
        let texts: Result<Vec<String>, _> = args
            .iter()
            .map(|arg| styled(arg, self.here, self.types, style))
            .collect();
        let parsed = TypeName::parse(type_name)
            .ok_or_else(|| NoExpression(format!("`{type_name}` cannot be named")))?;
        if !self.types.may_call(parsed.path(), function) {
            return none(format!("the sources declare no `{type_name}::{function}`"));
        }
        Ok(format!(
            "{}::{function}({}){tail}",
            parsed.in_expression(self.paths()),
            texts?.join(", ")
        ))
    }

    fn built(&self, head: &str, args: &[Value], tail: &str) -> Rendered {
        let texts = self.parts(args, Suffix::Written)?;
        let head = &self.shortened(head);
        Ok(match (head.is_empty(), texts.as_slice()) {
            (true, []) => self.paths().written(tail.to_owned()),
            (false, [left, right]) if head == SUM => format!("{left} + {right}"),
            (true, [only]) => {
                let plain = only.ends_with(['"', '#'])
                    || ["vec!", "alloc::vec!", "std::vec!"]
                        .iter()
                        .any(|name| only.starts_with(name))
                    || only.ends_with(".to_vec()");
                let is_call = matches!(&args[0], Value::Built { head, tail, .. } if head.is_empty() && tail.starts_with('.'));
                if plain || is_call {
                    format!("{only}{tail}")
                } else {
                    format!("({only}){tail}")
                }
            }
            _ => format!("{head}({}){tail}", texts.join(", ")),
        })
    }

    /// Returns the path of an associated function with the type's local name.
    fn shortened(&self, head: &str) -> String {
        let bare = head.trim_start_matches('*');
        match bare.rsplit_once("::") {
            Some((of_type, function)) if head != SUM => {
                format!(
                    "{}{}::{function}",
                    &head[..head.len() - bare.len()],
                    self.paths().written(of_type.to_owned())
                )
            }
            _ => head.to_owned(),
        }
    }

    fn structure(&self, value: &Value, suffix: Suffix) -> Rendered {
        let Value::Struct {
            type_name,
            variant,
            shape,
            fields,
        } = value
        else {
            return none("not a struct");
        };
        let Some(name) = TypeName::parse(type_name) else {
            return self.without_type(value, suffix);
        };
        if let (Some(variant), true) = (
            variant.as_deref(),
            is_option_or_result(&name, variant.as_deref(), fields.len()),
        ) {
            return self.option_or_result(&name, variant, fields, suffix);
        }
        self.check_built(value, &name)?;
        if type_name.starts_with("std::ops::Range") {
            return self.range(fields, suffix);
        }
        if self.types.is_inside_a_function(name.path()) && !self.here.declares(name.path()) {
            return none(format!("`{type_name}` is declared inside a function"));
        }
        // A function's path names no type, but the function is a value by its name.
        if !self.types.is_function(name.path())
            && !self.types.is_nameable(name.path(), &self.here.module)
        {
            return none(format!("`{type_name}` is private to another module"));
        }
        let own = variant.is_some() || self.types.all_visible(name.path(), &self.here.module);
        if !own {
            return self
                .by_constructor(&name, fields)
                .or_else(|none| self.produced(value, &name).ok_or(none));
        }
        let path = self.path_before_fields(&name, variant.as_deref(), *shape);
        let mut texts = Vec::new();
        for (field, value) in fields {
            let text = self.value(value, Suffix::Written)?;
            texts.push(if *shape == Shape::Named {
                format!("{field}: {text}")
            } else {
                text
            });
        }
        Ok(match shape {
            Shape::Unit => path,
            Shape::Tuple => format!("{path}({})", texts.join(", ")),
            Shape::Named if texts.is_empty() => format!("{path} {{}}"),
            Shape::Named => format!("{path} {{ {} }}", texts.join(", ")),
        })
    }

    /// Returns the path before the fields of a struct or variant.
    fn path_before_fields(&self, name: &TypeName, variant: Option<&str>, shape: Shape) -> String {
        match variant {
            // The compiler's type names omit default parameters, and an expression would have to
            // infer them.
            Some(variant)
                if self.types.has_default_parameters(name.path()) && shape != Shape::Named =>
            {
                format!("<{}>::{variant}", name.written(self.paths()))
            }
            Some(variant) => format!("{}::{variant}", name.in_expression(self.paths())),
            None => name.in_expression(self.paths()),
        }
    }

    /// Returns an error unless the sources declare the struct, variant or function that a value
    /// claims to be.
    fn check_built(&self, value: &Value, name: &TypeName) -> Result<(), NoExpression> {
        let Value::Struct {
            type_name,
            variant,
            shape,
            fields,
        } = value
        else {
            return Ok(());
        };
        let is_name = *shape == Shape::Unit && fields.is_empty();
        let is_known = match variant {
            None if is_name
                && (self.types.may_name_function(name.path()) || is_std_function(name.path())) =>
            {
                true
            }
            Some(variant) if is_name && names_no_function(name.path(), variant) => true,
            _ => self.types.may_build(name.path(), value),
        };
        if is_known {
            Ok(())
        } else {
            Err(NoExpression(format!(
                "the sources declare no `{type_name}` like that"
            )))
        }
    }

    /// Renders an `Option` or `Result` whose type cannot be written. The context may determine it.
    fn without_type(&self, value: &Value, suffix: Suffix) -> Rendered {
        match value {
            Value::Struct {
                type_name,
                variant: Some(variant),
                fields,
                ..
            } if (type_name.starts_with("core::option::Option<")
                || type_name.starts_with("core::result::Result<"))
                && is_std_variant(variant, fields.len()) =>
            {
                let Some((_, inner)) = fields.first() else {
                    return Ok(variant.clone());
                };
                Ok(format!("{variant}({})", self.value(inner, suffix)?))
            }
            Value::Struct { type_name, .. } => none(format!("`{type_name}` cannot be named")),
            _ => none("no struct"),
        }
    }

    fn option_or_result(
        &self,
        name: &TypeName,
        variant: &str,
        fields: &[(String, Value)],
        suffix: Suffix,
    ) -> Rendered {
        if self.style.typed_by_place {
            return match fields.first() {
                Some((_, inner)) => Ok(format!("{variant}({})", self.value(inner, suffix)?)),
                None => Ok(variant.to_owned()),
            };
        }
        let written = |number: usize| {
            name.argument(number)
                .map(|argument| argument.written(self.paths()))
        };
        let Some((_, inner)) = fields.first() else {
            return Ok(
                written(0).map_or_else(|| "None".to_owned(), |inner| format!("None::<{inner}>"))
            );
        };
        let inner = self.value(inner, suffix)?;
        let inner = inner
            .strip_prefix('*')
            .map_or(inner.clone(), |text| format!("*{text}"));
        Ok(match variant {
            "Ok" => format!(
                "Ok::<_, {}>({inner})",
                written(1).unwrap_or_else(|| "_".to_owned())
            ),
            "Err" => format!(
                "Err::<{}, _>({inner})",
                written(0).unwrap_or_else(|| "_".to_owned())
            ),
            _ => format!("Some({inner})"),
        })
    }

    fn range(&self, fields: &[(String, Value)], suffix: Suffix) -> Rendered {
        let end = |name: &str| match fields.iter().find(|(field, _)| field == name) {
            Some((_, value)) => self.value(value, suffix),
            None => Ok(String::new()),
        };
        let (start, stop) = (end("start")?, end("end")?);
        Ok(format!("{start}..{stop}"))
    }

    /// Renders a recorded call that returned this value.
    fn produced(&self, value: &Value, name: &TypeName) -> Option<String> {
        let producer = self.types.producers().of(value, &self.here.module)?;
        let path = match &producer.function {
            Produces::Associated(function) => {
                format!("{}::{function}", name.in_expression(self.paths()))
            }
            Produces::Method(receiver, method) => {
                format!(
                    "{}.{method}",
                    self.value(receiver.behind_references(), Suffix::Written)
                        .ok()?
                )
            }
            Produces::Free(path) => match self.here.local_name(path) {
                Some(local) => local.to_owned(),
                None => self.paths().written(format!("crate::{path}")),
            },
        };
        let arguments = self.parts(&producer.arguments, Suffix::Written).ok()?;
        let opened = if producer.is_wrapped { ".unwrap()" } else { "" };
        Some(format!("{path}({}){opened}", arguments.join(", ")))
    }

    /// Renders a constructor call that sets most of these fields, and assignments for the rest.
    fn by_constructor_and_fields(
        &self,
        name: &TypeName,
        fields: &[(String, Value)],
    ) -> Option<String> {
        let is_open = |at: usize| {
            self.types
                .is_field_visible(name.path(), at, &self.here.module)
        };
        let mut constructors = self.types.constructors_of(name.path(), &self.here.module);
        let (constructor, (arguments, set)) =
            constructors.find_map(|one| Some((one, one.arguments_but(fields, &is_open)?)))?;
        let written = |value: &Value| self.value(value, Suffix::Written).ok();
        let arguments = arguments
            .into_iter()
            .map(written)
            .collect::<Option<Vec<_>>>()?
            .join(", ");
        let path = name.in_expression(self.paths());
        let set = set
            .iter()
            .map(|(field, value)| Some(format!("made.{field} = {}; ", written(value)?)));
        let set = set.collect::<Option<String>>()?;
        Some(format!(
            "{{ let mut made = {path}::{}({arguments}); {set}made }}",
            constructor.name
        ))
    }

    /// Renders a constructor call that sets these fields.
    fn by_constructor(&self, name: &TypeName, fields: &[(String, Value)]) -> Rendered {
        let path = name.in_expression(self.paths());
        for constructor in self.types.constructors_of(name.path(), &self.here.module) {
            if let Some(arguments) = constructor.arguments(fields) {
                let texts = arguments
                    .into_iter()
                    .map(|value| self.value(value, Suffix::Written));
                return Ok(format!(
                    "{path}::{}({})",
                    constructor.name,
                    texts.collect::<Result<Vec<_>, _>>()?.join(", ")
                ));
            }
        }
        if self.types.derives_default(name.path())
            && fields.iter().all(|(_, value)| is_default(value))
        {
            return Ok(format!("{path}::default()"));
        }
        if let Some(made) = self.by_constructor_and_fields(name, fields) {
            return Ok(made);
        }
        none(format!(
            "the fields of `{}` are private there, and no constructor was found",
            name.path()
        ))
    }
}

/// Returns whether a value is a variant of `Option` or `Result`.
fn is_option_or_result(name: &TypeName, variant: Option<&str>, fields: usize) -> bool {
    let variant = variant.unwrap_or_default();
    let is_own = match variant {
        "None" | "Some" => name.is("core::option::Option"),
        _ => name.is("core::result::Result"),
    };
    is_own && is_std_variant(variant, fields)
}

fn is_std_variant(variant: &str, fields: usize) -> bool {
    match variant {
        "None" => fields == 0,
        "Some" | "Ok" | "Err" => fields == 1,
        _ => false,
    }
}

/// Returns whether a hash table has another hasher than the standard one. Only then its type has
/// another parameter.
fn has_own_hasher(kind: SeqKind, type_name: &str) -> bool {
    let usual = if kind == SeqKind::HashMap { 2 } else { 1 };
    let hasher = TypeName::parse(type_name)
        .and_then(|name| name.argument(usual).map(|hasher| hasher.path().to_owned()));
    hasher.is_some_and(|hasher| !hasher.ends_with("RandomState"))
}

/// Returns a byte string literal if all bytes are printable ASCII.
fn byte_text(items: &[Value]) -> Option<String> {
    let byte = |item: &Value| match item {
        Value::Int {
            type_name: "u8",
            bits,
        } => u8::try_from(*bits).ok(),
        _ => None,
    };
    let bytes: Vec<u8> = items.iter().map(byte).collect::<Option<_>>()?;
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
    let is_told =
        bytes.len() > 1 && bytes.iter().all(is_text) && bytes.iter().any(u8::is_ascii_alphabetic);
    is_told.then(|| byte_string(&bytes))
}

/// Returns the element and the length of a long list of equal `Copy` elements.
fn repeated(items: &[Value]) -> Option<(&Value, usize)> {
    let first = items.first()?;
    let are_equal = items.len() > 8 && items.iter().all(|item| item == first);
    (are_equal && is_copied(first)).then_some((first, items.len()))
}

/// Returns whether a value's type is `Copy`: numbers, shared references, and tuples and arrays of
/// such.
pub fn is_copied(value: &Value) -> bool {
    match value {
        Value::Int { .. } | Value::Float { .. } | Value::Bool(_) | Value::Char(_) | Value::Unit => {
            true
        }
        Value::Ref { mutable, .. } => !mutable,
        Value::Tuple(parts)
        | Value::Seq {
            kind: SeqKind::Array,
            items: parts,
            ..
        } => parts.iter().all(is_copied),
        Value::Struct {
            type_name, fields, ..
        } if type_name.starts_with("core::option::") => {
            fields.iter().all(|(_, field)| is_copied(field))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;

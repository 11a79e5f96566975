//! The items of doubles: handwritten, or with mockall.

use super::signature::{Giving, Method};
use super::{Answer, Double, DoubleChecks};
use crate::cargo::manifest::Dependency;
use crate::generate::carve::find::declared::DeclaredTrait;
use crate::generate::carve::refusal::CarveRefusal;
use crate::generate::carve::write::call_checks::Looks;
use crate::values::{TestModule, TypeTable};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use syn::TypeParamBound;

/// The style of doubles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DoubleStyle {
    /// A small struct in the test module.
    #[default]
    Plain,
    /// The crate `mockall`.
    Mockall,
}

/// The type alias of a queue of answers.
pub(crate) const ANSWERS: &str = "Answers";
/// See [`ANSWERS`].
pub(crate) const ANSWERS_ITEM: &str =
    "type Answers<F> = std::sync::Mutex<std::collections::VecDeque<F>>;\n";

/// The type alias of the log of calls.
pub(crate) const CALLS: &str = "Calls";
/// See [`CALLS`].
pub(crate) const CALLS_ITEM: &str = "/// The calls that doubles receive, in their order.\ntype Calls = std::sync::Arc<std::sync::Mutex<Vec<String>>>;\n";
/// The maximum number of calls in an assertion about their order.
const MAX_CALLS: usize = 20;

/// The dependency of tests in the style `Mockall`.
pub(crate) const MOCKALL: Dependency = Dependency::Published {
    name: "mockall",
    version: "0.15",
    has_default_features: true,
};

impl DoubleStyle {
    /// Returns the name of a double's type.
    pub fn type_name(self, double: &Double) -> String {
        match self {
            DoubleStyle::Plain => format!("{}Double", double.named_after),
            DoubleStyle::Mockall => format!("Mock{}", double.named_after),
        }
    }

    /// Returns the line that declares the log of calls, or `None` if the calls are not checked.
    pub fn log(self, looks: Looks) -> Option<&'static str> {
        match (self, looks) {
            (_, Looks::Nothing) => None,
            (DoubleStyle::Plain, _) => Some("Calls::default()"),
            (DoubleStyle::Mockall, _) => Some("mockall::Sequence::new()"),
        }
    }

    /// Returns the assertion about all calls of doubles.
    pub fn assertion(self, log: &str, order: &[(String, String)]) -> Option<String> {
        let names: Vec<String> = order
            .iter()
            .map(|(variable, method)| format!("\"{variable}.{}\"", plain_name(method)))
            .collect();
        match self {
            DoubleStyle::Mockall => None,
            DoubleStyle::Plain if order.len() > MAX_CALLS => Some(format!(
                "assert_eq!({log}.lock().unwrap().len(), {});",
                order.len()
            )),
            DoubleStyle::Plain => Some(format!(
                "assert_eq!(*{log}.lock().unwrap(), [{}]);",
                names.join(", ")
            )),
        }
    }

    /// Returns the lines that construct a double in a test. `log` is the variable of the log, if
    /// there is one.
    pub(crate) fn lines(
        self,
        double: &Double,
        here: &TestModule,
        types: &TypeTable,
        asked: DoubleChecks,
        log: &str,
    ) -> Result<Vec<String>, CarveRefusal> {
        let name = self.type_name(double);
        let closures = double.answers.iter().map(|answer| {
            let method = double
                .methods
                .iter()
                .find(|method| method.name == answer.method);
            let method = method.ok_or(CarveRefusal::NoSuchMethod)?;
            Ok((answer, answer.closure(method, here, types, asked)?))
        });
        let closures: Vec<(&Answer, String)> = closures.collect::<Result<_, CarveRefusal>>()?;
        let variable = &double.variable;
        Ok(match self {
            DoubleStyle::Plain => {
                let asked = closures.iter().map(|(answer, closure)| {
                    format!(".on_{}({closure})", plain_name(&answer.method))
                });
                let made = match log.is_empty() || closures.is_empty() {
                    true => format!("{name}::default()"),
                    false => format!("{name}::new(\"{}\", &{log})", plain_name(variable)),
                };
                vec![format!("{made}{}", asked.collect::<String>())]
            }
            DoubleStyle::Mockall => {
                let mut lines = vec![format!("{name}::new()")];
                let sequence = match log.is_empty() {
                    true => String::new(),
                    false => format!(".in_sequence(&mut {log})"),
                };
                lines.extend(closures.iter().map(|(answer, closure)| {
                    let method = plain_name(&answer.method);
                    format!("{variable}.expect_{method}().times(1){sequence}.returning({closure});")
                }));
                lines
            }
        })
    }

    /// Returns the item, for tests that call these methods.
    pub fn item(self, double: &Double, asked: &BTreeSet<String>) -> String {
        let name = self.type_name(double);
        let is_there = |method: &&Method| !method.is_provided || asked.contains(&method.name);
        let methods: Vec<&Method> = double.methods.iter().filter(is_there).collect();
        match self {
            DoubleStyle::Plain => plain(&name, double, &methods, asked),
            DoubleStyle::Mockall => {
                let bare = &double.named_after;
                // rustfmt does not format the content of a macro.
                let attribute = attribute_of(&double.of_trait).replace("#[", "    #[");
                let implemented = double.traits.iter().map(|of_trait| {
                    let own = methods.iter().filter(|method| method.of_trait == *of_trait);
                    let own = own
                        .map(|method| format!("        {};\n", signature(method, str::to_owned)));
                    format!(
                        "{attribute}    impl {of_trait} for {bare} {{\n{}    }}\n",
                        own.collect::<String>()
                    )
                });
                let implemented: Vec<String> = implemented.collect();
                format!(
                    "mockall::mock! {{\n    {bare} {{}}\n\n{}}}\n",
                    implemented.join("\n")
                )
            }
        }
    }
}

fn plain_name(name: &str) -> &str {
    name.trim_start_matches("r#")
}

fn plain(name: &str, double: &Double, methods: &[&Method], asked: &BTreeSet<String>) -> String {
    let of_trait = &double.of_trait;
    let asked: Vec<&&Method> = methods
        .iter()
        .filter(|method| asked.contains(&method.name))
        .collect();
    let mut text = String::new();
    let debug = if has_debug(of_trait) { "Debug, " } else { "" };
    let fields = asked
        .iter()
        .map(|method| format!("{}: {ANSWERS}<{}>,\n", field(method), pointer(method)));
    let fields: String = fields.collect();
    let log = if asked.is_empty() {
        String::new()
    } else {
        format!("name: &'static str,\ncalls: {CALLS},\n")
    };
    let does = if asked.is_empty() {
        "Receives no call."
    } else {
        "Returns what the recorded calls returned, in their order."
    };
    let _ = writeln!(text, "/// {does}");
    let _ = writeln!(
        text,
        "#[derive({debug}Default)]\nstruct {name} {{\n{log}{fields}}}\n"
    );
    if !asked.is_empty() {
        let new = format!(
            "fn new(name: &'static str, calls: &{CALLS}) -> Self {{\n\
             {name} {{ name, calls: calls.clone(), ..Self::default() }}\n}}\n"
        );
        let builders: Vec<String> = [new]
            .into_iter()
            .chain(asked.iter().map(|method| builder(method)))
            .collect();
        let _ = writeln!(text, "impl {name} {{\n{}}}\n", builders.join("\n"));
    }
    let implemented = double.traits.iter().map(|path| {
        let own = methods.iter().filter(|method| method.of_trait == *path);
        let bodies: Vec<String> = own
            .map(|method| body(method, asked.iter().any(|one| one.name == method.name)))
            .collect();
        format!(
            "{}impl {path} for {name} {{\n{}}}\n",
            attribute_of(of_trait),
            bodies.join("\n")
        )
    });
    text.push_str(&implemented.collect::<Vec<_>>().join("\n"));
    text
}

fn pointer(method: &Method) -> String {
    let types: Vec<&str> = method
        .parameters
        .iter()
        .map(|(_, of_type)| of_type.as_str())
        .collect();
    let gives = method
        .answer
        .as_ref()
        .map(|answer| format!(" -> {answer}"))
        .unwrap_or_default();
    format!("fn({}){gives}", types.join(", "))
}

/// Returns the field with the answers of a method, and the function that adds one.
fn field(method: &Method) -> String {
    format!("on_{}", plain_name(&method.name))
}

fn builder(method: &Method) -> String {
    let field = field(method);
    format!(
        "fn {field}(self, answer: {}) -> Self {{\nself.{field}.lock().unwrap().push_back(answer);\nself\n}}\n",
        pointer(method)
    )
}

/// Returns a method's signature with its parameters renamed.
fn signature(method: &Method, renamed: impl Fn(&str) -> String) -> String {
    let parameters = method
        .parameters
        .iter()
        .map(|(name, of_type)| format!(", {}: {of_type}", renamed(name)));
    let is_async = if method.giving == Giving::Async {
        "async "
    } else {
        ""
    };
    let gives = match (&method.giving, &method.answer) {
        (Giving::Boxed(whole), _) => format!(" -> {whole}"),
        (_, Some(answer)) => format!(" -> {}", answer.replace("'static ", "")),
        (_, None) => String::new(),
    };
    format!(
        "{is_async}fn {}({}{}){gives}",
        method.name,
        method.receiver,
        parameters.collect::<String>()
    )
}

fn body(method: &Method, is_asked: bool) -> String {
    let name = &method.name;
    if !is_asked {
        let signature = signature(method, |_| "_".to_owned());
        return format!("{signature} {{\npanic!(\"an unexpected call of `{name}`\")\n}}\n");
    }
    let signature = signature(method, str::to_owned);
    let arguments: Vec<&str> = method
        .parameters
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let told = format!(
        "self.calls.lock().unwrap().push(format!(\"{{}}.{}\", self.name));",
        plain_name(name)
    );
    let next = format!(
        "{told}\nlet answer = self.{}.lock().unwrap().pop_front();",
        field(method)
    );
    let asked = format!(
        "answer.expect(\"an unexpected call of `{name}`\")({})",
        arguments.join(", ")
    );
    match &method.giving {
        Giving::Boxed(_) => {
            format!(
                "{signature} {{\n{next}\nlet answer = {asked};\nBox::pin(async move {{ answer }})\n}}\n"
            )
        }
        _ => format!("{signature} {{\n{next}\n{asked}\n}}\n"),
    }
}

/// Returns the attribute that rewrites both the trait and its implementations.
fn attribute_of(of_trait: &DeclaredTrait) -> String {
    let is_it = |attribute: &&syn::Attribute| {
        attribute
            .path()
            .segments
            .last()
            .is_some_and(|last| last.ident == "async_trait")
    };
    match of_trait.item.attrs.iter().find(is_it) {
        Some(_) => "#[async_trait::async_trait]\n".to_owned(),
        None => String::new(),
    }
}

fn has_debug(of_trait: &DeclaredTrait) -> bool {
    of_trait.item.supertraits.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Debug"),
        _ => false,
    })
}

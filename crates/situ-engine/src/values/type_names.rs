//! Converts the compiler's type names to paths that a program can write.

use super::names::Paths;

/// Types whose path in the sources of the standard library is not the public one.
const PUBLIC: &[(&str, &str)] = &[
    ("alloc::string::String", "String"),
    ("alloc::vec::Vec", "Vec"),
    ("alloc::boxed::Box", "Box"),
    ("core::option::Option", "Option"),
    ("core::result::Result", "Result"),
    (
        "std::collections::hash::map::HashMap",
        "std::collections::HashMap",
    ),
    (
        "std::collections::hash::set::HashSet",
        "std::collections::HashSet",
    ),
    (
        "alloc::collections::btree::map::BTreeMap",
        "std::collections::BTreeMap",
    ),
    (
        "alloc::collections::btree::set::BTreeSet",
        "std::collections::BTreeSet",
    ),
    (
        "alloc::collections::vec_deque::VecDeque",
        "std::collections::VecDeque",
    ),
    (
        "alloc::collections::linked_list::LinkedList",
        "std::collections::LinkedList",
    ),
    (
        "alloc::collections::binary_heap::BinaryHeap",
        "std::collections::BinaryHeap",
    ),
    ("std::hash::random::RandomState", "std::hash::RandomState"),
    ("core::ops::range::Range", "std::ops::Range"),
    (
        "core::ops::range::RangeInclusive",
        "std::ops::RangeInclusive",
    ),
    ("core::ops::range::RangeFrom", "std::ops::RangeFrom"),
    ("core::ops::range::RangeTo", "std::ops::RangeTo"),
    ("core::num::nonzero::NonZero", "std::num::NonZero"),
    ("core::num::wrapping::Wrapping", "std::num::Wrapping"),
    ("core::num::error::ParseIntError", "std::num::ParseIntError"),
    (
        "core::num::error::TryFromIntError",
        "std::num::TryFromIntError",
    ),
    (
        "core::num::dec2flt::ParseFloatError",
        "std::num::ParseFloatError",
    ),
    (
        "core::num::imp::dec2flt::ParseFloatError",
        "std::num::ParseFloatError",
    ),
    ("core::str::error::Utf8Error", "std::str::Utf8Error"),
    ("core::str::iter::Chars", "std::str::Chars"),
    ("core::str::iter::CharIndices", "std::str::CharIndices"),
    ("core::str::iter::Bytes", "std::str::Bytes"),
    ("core::slice::iter::Iter", "std::slice::Iter"),
    ("alloc::vec::into_iter::IntoIter", "std::vec::IntoIter"),
    ("core::net::ip_addr::IpAddr", "std::net::IpAddr"),
    ("core::net::ip_addr::Ipv4Addr", "std::net::Ipv4Addr"),
    ("core::net::ip_addr::Ipv6Addr", "std::net::Ipv6Addr"),
    ("core::net::socket_addr::SocketAddr", "std::net::SocketAddr"),
    (
        "core::net::socket_addr::SocketAddrV4",
        "std::net::SocketAddrV4",
    ),
    (
        "core::net::socket_addr::SocketAddrV6",
        "std::net::SocketAddrV6",
    ),
    ("std::io::error::Error", "std::io::Error"),
    ("std::ffi::os_str::OsString", "std::ffi::OsString"),
];

/// Private modules of the standard library, and the public modules of their types.
const PRIVATE: [(&str, &str); 10] = [
    (
        "alloc::collections::btree::map::",
        "std::collections::btree_map::",
    ),
    ("core::iter::adapters::", "std::iter::"),
    ("core::iter::sources::", "std::iter::"),
    ("core::slice::iter::", "std::slice::"),
    ("core::str::iter::", "std::str::"),
    (
        "std::collections::hash::map::",
        "std::collections::hash_map::",
    ),
    ("std::io::buffered::", "std::io::"),
    ("std::io::cursor::", "std::io::"),
    ("std::io::stdio::", "std::io::"),
    ("std::io::util::", "std::io::"),
];

/// Parsed type name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypeName {
    /// Path, or the opening of a tuple, slice, array or reference.
    head: String,
    arguments: Vec<TypeName>,
    /// Closing part, including the length of an array.
    tail: String,
}

impl TypeName {
    /// Parses a type name. Returns `None` if it has no written form (closures, `impl Trait`).
    pub(super) fn parse(name: &str) -> Option<TypeName> {
        let unwritable = ["{{closure}}", "{closure", "impl ", "dyn ", "fn("]
            .iter()
            .any(|word| name.contains(word));
        if name.is_empty() || unwritable {
            return None;
        }
        let (parsed, rest) = parse_type(name)?;
        rest.trim().is_empty().then_some(parsed)
    }

    /// Returns whether this is the type with this path of the standard library.
    pub(super) fn is(&self, path: &str) -> bool {
        self.head == path
    }

    /// Returns the path as the compiler names it.
    pub(super) fn path(&self) -> &str {
        &self.head
    }

    /// Returns the type arguments.
    pub(super) fn arguments(&self) -> &[TypeName] {
        &self.arguments
    }

    pub(super) fn argument(&self, number: usize) -> Option<&TypeName> {
        self.arguments.get(number)
    }

    pub(super) fn last_argument(&self) -> Option<&TypeName> {
        self.arguments.last()
    }

    /// Returns the type as a program of this crate writes it.
    pub(super) fn written(&self, paths: Paths<'_>) -> String {
        self.write(paths, "<")
    }

    /// Returns the type as this crate writes it in an expression, with `::<…>`.
    pub(super) fn in_expression(&self, paths: Paths<'_>) -> String {
        // Lifetimes are inferred.
        let is_lifetime =
            |argument: &TypeName| argument.head.starts_with('\'') && !argument.head.ends_with('\'');
        match self.arguments.is_empty() || !self.arguments.iter().all(is_lifetime) {
            true => self.write(paths, "::<"),
            false => TypeName {
                arguments: Vec::new(),
                ..self.clone()
            }
            .write(paths, "::<"),
        }
    }

    fn write(&self, paths: Paths<'_>, open: &str) -> String {
        let head = public_path(&self.head, paths);
        let arguments: Vec<String> = self
            .arguments
            .iter()
            .map(|argument| argument.written(paths))
            .collect();
        let open = if self.tail == ">" { open } else { "" };
        if arguments.is_empty() && self.tail == ">" {
            return head;
        }
        format!("{head}{open}{}{}", arguments.join(", "), self.tail)
    }
}

fn public_path(path: &str, paths: Paths<'_>) -> String {
    paths.written(whole_path(path, paths))
}

fn whole_path(path: &str, paths: Paths<'_>) -> String {
    if let Some((_, public)) = PUBLIC.iter().find(|(inner, _)| *inner == path) {
        return (*public).to_owned();
    }
    let private = PRIVATE.iter().find(|(module, _)| path.starts_with(module));
    if let (Some((_, public)), Some((_, name))) = (private, path.rsplit_once("::")) {
        return format!("{public}{name}");
    }
    match path.split_once("::") {
        Some(("alloc" | "core", rest)) => format!("std::{rest}"),
        Some((first, rest)) if first == paths.here.krate => match paths.here.local_name(rest) {
            Some(local) => local.to_owned(),
            None => format!(
                "crate::{}",
                paths.modules.path_from(rest, &paths.here.module)
            ),
        },
        Some((first, _)) if first != "std" => paths.named.public(path),
        _ => path.to_owned(),
    }
}

fn parse_type(text: &str) -> Option<(TypeName, &str)> {
    let text = text.trim_start();
    if let Some(rest) = text
        .strip_prefix("&mut ")
        .map(|rest| ("&mut ", rest))
        .or(text.strip_prefix('&').map(|rest| ("&", rest)))
    {
        let (inner, after) = parse_type(rest.1)?;
        return Some((
            TypeName {
                head: rest.0.to_owned(),
                arguments: vec![inner],
                tail: String::new(),
            },
            after,
        ));
    }
    if let Some(rest) = text.strip_prefix('(') {
        let (arguments, rest) = parse_list(rest, ')')?;
        let tail = if arguments.len() == 1 { ",)" } else { ")" };
        return Some((
            TypeName {
                head: "(".to_owned(),
                arguments,
                tail: tail.to_owned(),
            },
            rest,
        ));
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (inner, rest) = parse_type(rest)?;
        let end = rest.find(']')?;
        // The length of an array, `; 3`, is part of the tail.
        let tail = format!("{}]", &rest[..end]);
        return Some((
            TypeName {
                head: "[".to_owned(),
                arguments: vec![inner],
                tail,
            },
            &rest[end + 1..],
        ));
    }
    if let Some(rest) = after_char(text) {
        let head = text[..text.len() - rest.len()].to_owned();
        return Some((
            TypeName {
                head,
                arguments: Vec::new(),
                tail: ">".to_owned(),
            },
            rest,
        ));
    }
    let end = text
        .find(['<', '>', ',', '(', ')', '[', ']', ';'])
        .unwrap_or(text.len());
    let (head, rest) = text.split_at(end);
    let head = head.trim().to_owned();
    if head.is_empty() {
        return None;
    }
    match rest.strip_prefix('<') {
        Some(rest) => {
            let (arguments, rest) = parse_list(rest, '>')?;
            Some((
                TypeName {
                    head,
                    arguments,
                    tail: ">".to_owned(),
                },
                rest,
            ))
        }
        None => Some((
            TypeName {
                head,
                arguments: Vec::new(),
                tail: ">".to_owned(),
            },
            rest,
        )),
    }
}

/// Returns the rest after a char literal, which may be the argument of a const parameter.
fn after_char(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('\'')?;
    let mut chars = inside.chars();
    if chars.next()? == '\\' {
        // An escaped quote does not end the literal.
        chars.next()?;
        return chars.as_str().split_once('\'').map(|(_, rest)| rest);
    }
    chars.as_str().strip_prefix('\'')
}

fn parse_list(mut text: &str, close: char) -> Option<(Vec<TypeName>, &str)> {
    let mut list = Vec::new();
    loop {
        text = text.trim_start();
        if let Some(rest) = text.strip_prefix(close) {
            return Some((list, rest));
        }
        let (one, rest) = parse_type(text)?;
        list.push(one);
        text = rest.trim_start();
        text = text.strip_prefix(',').unwrap_or(text);
    }
}

#[cfg(test)]
mod tests {
    use super::super::modules::Modules;
    use super::super::names::Named;
    use super::*;

    #[test]
    fn names_of_the_compiler_become_paths_of_a_program() {
        let named = Named::default();
        let modules = Modules::default();
        let here = crate::values::TestModule {
            krate: "mine".to_owned(),
            ..Default::default()
        };
        let paths = Paths {
            here: &here,
            named: &named,
            modules: &modules,
        };
        let written = |name: &str| TypeName::parse(name).map(|name| name.written(paths));
        let cases = [
            ("alloc::vec::Vec<alloc::string::String>", "Vec<String>"),
            ("core::option::Option<(u8, &str)>", "Option<(u8, &str)>"),
            ("mine::parse::Token", "crate::parse::Token"),
            ("[u8; 4]", "[u8; 4]"),
            ("&[mine::T<3>]", "&[crate::T<3>]"),
            ("(u8,)", "(u8,)"),
            (
                "mine::Between<'<', ',', '\\''>",
                "crate::Between<'<', ',', '\\''>",
            ),
            ("()", "()"),
            (
                "std::collections::hash::map::HashMap<u8, [i32]>",
                "std::collections::HashMap<u8, [i32]>",
            ),
            (
                "std::io::buffered::bufwriter::BufWriter<u8>",
                "std::io::BufWriter<u8>",
            ),
        ];
        for (name, expected) in cases {
            assert_eq!(written(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(written("mine::f::{{closure}}"), None);
        let in_expression =
            TypeName::parse("mine::Wild<'*'>").map(|name| name.in_expression(paths));
        assert_eq!(
            in_expression.as_deref(),
            Some("crate::Wild::<'*'>"),
            "a character is no lifetime"
        );
    }
}

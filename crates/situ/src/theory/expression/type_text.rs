//! A parser of type names as the compiler writes them.

/// A type, as far as rendering a value needs it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// `a::b::Name<X, Y>`, without its path.
    Named(String, Vec<Type>),
    /// `&T` and `&mut T`.
    Reference(Box<Type>),
    /// `[T]` and `[T; N]`; whether it is an array.
    Sequence(Box<Type>, bool),
    /// `(A, B)`.
    Tuple(Vec<Type>),
}

/// Returns a type's name without the paths in it.
pub(crate) fn short_name(name: &str) -> String {
    let mut short = String::new();
    let mut word = String::new();
    let mut rest = name.chars().peekable();
    while let Some(next) = rest.next() {
        if next.is_alphanumeric() || next == '_' {
            word.push(next);
        } else if next == ':' && rest.peek() == Some(&':') && !word.is_empty() {
            rest.next();
            word.clear();
        } else {
            short.push_str(&word);
            word.clear();
            short.push(next);
        }
    }
    short + &word
}

/// Parses a type name, or returns `None` for closures, `dyn` and the like.
pub(super) fn parse(name: &str) -> Option<Type> {
    let short = short_name(name);
    let mut rest = short.as_str();
    let parsed = one(&mut rest)?;
    rest.is_empty().then_some(parsed)
}

fn one(rest: &mut &str) -> Option<Type> {
    if let Some(target) = rest
        .strip_prefix("&mut ")
        .or_else(|| rest.strip_prefix('&'))
    {
        *rest = target;
        return one(rest).map(|target| Type::Reference(Box::new(target)));
    }
    if let Some(inside) = rest.strip_prefix('[') {
        *rest = inside;
        let element = one(rest)?;
        let end = rest.find(']')?;
        let array = rest[..end].starts_with(';');
        *rest = &rest[end + 1..];
        return Some(Type::Sequence(Box::new(element), array));
    }
    if let Some(inside) = rest.strip_prefix('(') {
        *rest = inside;
        return list(rest, ')').map(Type::Tuple);
    }
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    *rest = after;
    if name.is_empty() || name == "dyn" {
        return None;
    }
    let arguments = match rest.strip_prefix('<') {
        Some(inside) => {
            *rest = inside;
            list(rest, '>')?
        }
        None => Vec::new(),
    };
    Some(Type::Named(String::from(name), arguments))
}

fn list(rest: &mut &str, close: char) -> Option<Vec<Type>> {
    let mut types = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix(close) {
            *rest = after;
            return Some(types);
        }
        types.push(one(rest)?);
        if let Some(after) = rest.strip_prefix(',') {
            *rest = after.trim_start();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn paths_are_left_out_of_a_name() {
        assert_eq!(
            short_name("alloc::vec::Vec<(u8, &alloc::string::String)>"),
            "Vec<(u8, &String)>"
        );
        assert_eq!(short_name("dyn shop::till::Printer"), "dyn Printer");
        assert_eq!(
            short_name("[core::option::Option<i32>; 3]"),
            "[Option<i32>; 3]"
        );
    }
}

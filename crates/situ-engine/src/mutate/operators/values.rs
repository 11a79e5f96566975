//! Simple values of a type, judged by its name.

use syn::{GenericArgument, PathArguments, Type, TypeParamBound, TypePath};

/// Maximum number of values of one type.
const MOST: usize = 6;

/// Returns expressions of a type, the most ordinary first.
pub(super) fn values_of(wanted: &Type) -> Vec<String> {
    let mut values = match wanted {
        Type::Path(path) => of_path(path),
        Type::Reference(reference) => of_reference(&reference.elem, reference.mutability.is_some()),
        Type::Tuple(tuple) if tuple.elems.is_empty() => vec!["()".to_owned()],
        Type::Tuple(tuple) => of_tuple(tuple.elems.iter()),
        Type::Array(array) => {
            let length = &array.len;
            let length = quote::quote!(#length).to_string();
            values_of(&array.elem)
                .into_iter()
                .map(|value| format!("[{value}; {length}]"))
                .collect()
        }
        Type::ImplTrait(promise) => promise.bounds.iter().find_map(of_bound).unwrap_or_default(),
        Type::Paren(inner) => values_of(&inner.elem),
        Type::Group(inner) => values_of(&inner.elem),
        Type::Never(_) => Vec::new(),
        _ => default(),
    };
    values.truncate(MOST);
    values
}

fn default() -> Vec<String> {
    vec!["Default::default()".to_owned()]
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

fn of_path(path: &TypePath) -> Vec<String> {
    let Some(last) = path.path.segments.last() else {
        return default();
    };
    let inner: Vec<&Type> = type_arguments(&last.arguments);
    match (last.ident.to_string().as_str(), inner.as_slice()) {
        ("bool", _) => texts(&["true", "false"]),
        ("u8" | "u16" | "u32" | "u64" | "u128" | "usize", _) => texts(&["0", "1"]),
        ("i8" | "i16" | "i32" | "i64" | "i128" | "isize", _) => texts(&["0", "1", "-1"]),
        ("f32" | "f64", _) => texts(&["0.0", "1.0", "-1.0"]),
        ("NonZeroU8" | "NonZeroU16" | "NonZeroU32" | "NonZeroU64" | "NonZeroUsize", _) => {
            texts(&["1.try_into().unwrap()"])
        }
        ("String", _) => texts(&["String::new()", "\"xyzzy\".into()"]),
        ("Option", [some]) => {
            let values = values_of(some)
                .into_iter()
                .map(|value| format!("Some({value})"));
            std::iter::once("None".to_owned()).chain(values).collect()
        }
        ("Result", [ok, ..]) => values_of(ok)
            .into_iter()
            .map(|value| format!("Ok({value})"))
            .collect(),
        ("Result", []) => texts(&["Ok(Default::default())"]),
        ("Vec", [item]) => {
            let values = values_of(item)
                .into_iter()
                .map(|value| format!("vec![{value}]"));
            std::iter::once("vec![]".to_owned()).chain(values).collect()
        }
        (name @ ("Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex"), [item]) => values_of(item)
            .into_iter()
            .map(|value| format!("{name}::new({value})"))
            .collect(),
        ("Cow", [Type::Path(text)]) if text.path.is_ident("str") => {
            texts(&["\"\".into()", "\"xyzzy\".into()"])
        }
        ("Cow", [item]) => values_of(item)
            .into_iter()
            .map(|value| format!("Cow::Owned({value})"))
            .collect(),
        (
            name @ ("HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "VecDeque" | "BinaryHeap"
            | "LinkedList"),
            _,
        ) => {
            vec![format!("{name}::new()")]
        }
        _ => default(),
    }
}

fn of_reference(wanted: &Type, mutable: bool) -> Vec<String> {
    match wanted {
        Type::Path(path) if path.path.is_ident("str") && !mutable => texts(&["\"\"", "\"xyzzy\""]),
        Type::Slice(slice) => {
            let values = values_of(&slice.elem)
                .into_iter()
                .map(|value| format!("Vec::leak(vec![{value}])"));
            std::iter::once("Vec::leak(Vec::new())".to_owned())
                .chain(values)
                .collect()
        }
        Type::TraitObject(_) => Vec::new(),
        _ => values_of(wanted)
            .into_iter()
            .map(|value| format!("Box::leak(Box::new({value}))"))
            .collect(),
    }
}

fn of_tuple<'a>(parts: impl Iterator<Item = &'a Type>) -> Vec<String> {
    let mut rows = vec![Vec::new()];
    for part in parts {
        let values = values_of(part);
        rows = rows
            .iter()
            .flat_map(|row| {
                values
                    .iter()
                    .map(move |value| [&row[..], std::slice::from_ref(value)].concat())
            })
            .collect();
        rows.truncate(MOST);
    }
    rows.into_iter()
        .map(|row| format!("({},)", row.join(", ")))
        .collect()
}

fn of_bound(bound: &TypeParamBound) -> Option<Vec<String>> {
    let TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    let last = bound.path.segments.last()?;
    if !matches!(
        last.ident.to_string().as_str(),
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator"
    ) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let item = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(item) if item.ident == "Item" => Some(&item.ty),
        _ => None,
    })?;
    let values = values_of(item)
        .into_iter()
        .map(|value| format!("::std::iter::once({value})"));
    Some(
        std::iter::once("::std::iter::empty()".to_owned())
            .chain(values)
            .collect(),
    )
}

fn type_arguments(arguments: &PathArguments) -> Vec<&Type> {
    match arguments {
        PathArguments::AngleBracketed(arguments) => {
            let types = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(inner) => Some(inner),
                _ => None,
            });
            types.collect()
        }
        _ => Vec::new(),
    }
}

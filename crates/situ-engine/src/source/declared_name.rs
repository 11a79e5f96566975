//! The name that an item declares.

use syn::Item;

/// Returns the name that an item declares, or `None` for implementations, imports and macros.
pub fn declared_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Struct(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Mod(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

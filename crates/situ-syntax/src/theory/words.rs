//! What the macros of theories say when they are used wrongly: one sentence each, with what to write.

pub(super) const THEORY_IS_A_FUNCTION: &str =
    "a theory is a function: `#[theory] fn name(value: Type) { … }`";
pub(super) const THEORY_WITHOUT_PARAMETERS: &str =
    "a theory needs a parameter to hold for; without one it is a `#[test]`";
pub(super) const THEORY_IS_A_TEST_ALREADY: &str =
    "`#[theory]` makes the test by itself: remove this attribute";
pub(super) const THEORY_HAS_NO_SELF: &str =
    "a theory stands in a module, not in an `impl`: give the value a name, `value: &Type`";
pub(super) const THEORY_IS_PLAIN: &str =
    "a theory is a plain or `async` function: remove this keyword";
pub(super) const THEORY_OPTIONS: &str =
    "write `#[theory]`, `#[theory(full)]` or `#[theory(T = [u8, i64])]`";
pub(super) const TYPES_ARE_A_LIST: &str = "write the types as a list, `T = [u8, i64]`";
pub(super) const NO_TYPES: &str = "name at least one type";
pub(super) const FULL_TWICE: &str = "`full` is there already";

pub(super) const EMPTY_VALUES: &str = "`#[values(…)]` needs at least one value";
pub(super) const FROM_TAKES_A_GROUP: &str = "write the group as text, `#[from(\"group\")]`";
pub(super) const SUPPLIER_TAKES_A_PATH: &str = "name the supplier, `#[supplier(path)]`";
pub(super) const STUB_TAKES_NOTHING: &str = "`#[stub]` on a parameter takes nothing";
pub(super) const ONE_SOURCE: &str =
    "a parameter has one source: keep one of `#[from]`, `#[values]`, `#[supplier]` and `#[stub]`";
pub(super) const STUB_SHAPES: &str = "a stub can be `&dyn Trait`, `&mut dyn Trait`, `Box<dyn Trait>`, `impl Trait` or `&impl Trait`, of one trait";
pub(super) const IMPL_TRAIT_NEEDS_A_STUB: &str = "an `impl Trait` has no data points: add `#[stub]`, or name the types with `T: Trait` and `#[theory(T = [A, B])]`";

pub(super) const DATA_POINT_ITEMS: &str =
    "a data point is a `const`, a `static` or a function without parameters";
pub(super) const DATA_POINT_WITHOUT_PARAMETERS: &str = "a data point is made from nothing: remove the parameters, or call this function from a data point";
pub(super) const DATA_POINT_WITHOUT_GENERICS: &str =
    "a data point has one type: remove the generic parameters";
pub(super) const DATA_POINT_IS_PLAIN: &str =
    "a data point is made by a plain function: remove this keyword";
pub(super) const DATA_POINT_GIVES_SOMETHING: &str =
    "a data point function returns its value: add `-> Type`";
pub(super) const DATA_POINT_OPTIONS: &str =
    "write groups as text, or `skip_failing`: `#[datapoint(\"group\", skip_failing)]`";
pub(super) const EMPTY_GROUP: &str = "a group needs a name";
pub(super) const STATIC_MUT: &str =
    "a data point cannot be a `static mut`: make it a `const` or a function";

pub(super) const DERIVE_FOR_ENUMS: &str =
    "`DataPoints` lists the variants of an enum: write `#[datapoints] fn` for this type";
pub(super) const DERIVE_WITHOUT_FIELDS: &str =
    "`DataPoints` lists variants without fields: write `#[datapoints] fn` for this enum";
pub(super) const DERIVE_WITHOUT_GENERICS: &str =
    "`DataPoints` lists the variants of one type: remove the generic parameters";
pub(super) const DERIVE_SOMETHING: &str = "an enum without variants has no values";

pub(super) const PROPERTY_IS_A_FUNCTION: &str = "`#[property]` goes on a function with parameters";
pub(super) const PROPERTY_OPTIONS: &str = "`#[property]` takes nothing";
pub(super) const STUB_IS_A_TRAIT: &str = "`#[stub]` goes on a trait, or on a parameter of a theory";
pub(super) const STUB_FOR_A_TRAIT: &str =
    "repeat the trait: `situ::stub! { trait Name { fn method(&self) -> Type; } }`";
pub(super) const STUB_OPTIONS: &str = "`#[stub]` on a trait takes nothing";
pub(super) const STUB_UNSAFE_TRAIT: &str =
    "an `unsafe` trait cannot be stubbed: write data points of `Box<dyn Trait>`";
pub(super) const STUB_GENERIC_TRAIT: &str =
    "a trait with generic parameters cannot be stubbed: write data points of `Box<dyn Trait<…>>`";
pub(super) const STUB_ASSOCIATED: &str =
    "a stub can only answer methods: write data points of `Box<dyn Trait>` for a trait with this";
pub(super) const STUB_NEEDS_SELF: &str =
    "a stub can only answer methods with `&self` or `&mut self`: give this a default body";
pub(super) const STUB_METHOD_SHAPE: &str = "a stub is used as `dyn Trait`, which cannot have this: give it a default body and `where Self: Sized`";
pub(super) const STUB_IMPL_RESULT: &str =
    "a stub cannot answer with an `impl Trait`: give this a default body";

pub(super) const ASSUME_A_CONDITION: &str = "write the condition: `assume!(value > 0)`";
pub(super) const ASSUME_TWO_VALUES: &str = "write both values: `assume_eq!(left, right)`";
pub(super) const ASSUME_ONE_VALUE: &str = "write one value: `let value = assume_ok!(result);`";

/// Returns the message for a generic parameter of a theory without types.
pub(super) fn types_missing(name: &syn::Ident) -> String {
    format!("say what `{name}` is: `#[theory({name} = [u8, i64])]`")
}

/// Returns the message for types of a generic parameter that the theory does not have.
pub(super) fn no_such_generic(name: &syn::Ident) -> String {
    format!(
        "the theory has no generic parameter `{name}`: remove this, or add it, `fn theory<{name}>(…)`"
    )
}

/// Returns the message for types that are given twice.
pub(super) fn types_twice(name: &syn::Ident) -> String {
    format!("the types of `{name}` are there already")
}

/// Returns the message for an unknown attribute on a parameter.
pub(super) fn unknown_attribute(name: &str) -> String {
    format!(
        "`#[{name}]` means nothing here: write `#[from(\"group\")]`, `#[values(…)]`, `#[supplier(path)]` or `#[stub]`"
    )
}

//! An item with its tests: the item with empty calls, and beside it the functions and the module that run them.

use super::body::{Synthesized, synthesize};
use super::test_name::{TestNames, bare, sanitized};
use crate::fragment::{Found, end_name, find_target};
use crate::generics::{Parameters, mentions_self};
use crate::grammar::{Kind, TestCall, test_of_statement};
use crate::mistakes::Mistakes;
use crate::rewrite::Renamer;
use crate::strip::{EmptyTests, RemoveTests};
use crate::surroundings::{Owner, Spot, Surroundings};
use crate::text::source_lines;
use crate::walk::walk;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Item, ItemImpl, LitStr, StmtMacro, Type};

/// How many lines of a fragment a failure shows.
const MOST_LINES: usize = 8;

/// Lints that may speak up in a copy of user code, or about names that a user chose. One by one, because to allow what
/// a crate forbids is an error.
fn allowed() -> TokenStream {
    quote!(#[allow(
        warnings, dead_code, unused_assignments, unused_braces, unused_imports, unused_labels, unused_macros, unused_mut,
        unused_parens, unused_unsafe, unused_variables, path_statements, unreachable_code, unreachable_patterns,
        non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
    )])
}

/// The code beside one item.
struct Emitted {
    beside: TokenStream,
    tests: TokenStream,
}

/// What the module of an item's tests is called, without `situ_`.
pub fn item_name(item: &Item) -> Option<(String, Span)> {
    match item {
        Item::Fn(item) => Some((bare(&item.sig.ident), item.sig.ident.span())),
        Item::Trait(item) => Some((bare(&item.ident), item.ident.span())),
        Item::Impl(item) => Some((impl_name(item), item.impl_token.span)),
        _ => None,
    }
}

fn impl_name(item: &ItemImpl) -> String {
    let of_type = type_name(&item.self_ty);
    match &item.trait_ {
        Some((path, _)) => {
            let of_trait = path.segments.last().map_or_else(String::new, |last| bare(&last.ident));
            format!("{of_trait}_for_{of_type}")
        }
        None => of_type,
    }
}

fn type_name(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map_or_else(|| "it".into(), |last| bare(&last.ident)),
        Type::Reference(reference) => type_name(&reference.elem),
        Type::Paren(paren) => type_name(&paren.elem),
        Type::Group(group) => type_name(&group.elem),
        other => sanitized(&crate::text::source_text(&other.to_token_stream())),
    }
}

/// Expands one function, `impl` block or trait: what stands beside it, with its tests emptied.
pub fn expand_item(item: &mut Item, name: Option<&Ident>, mistakes: &mut Mistakes) -> TokenStream {
    let Some((own_name, span)) = item_name(item) else { return TokenStream::new() };
    let name = name.map_or(own_name, bare);
    let mut names = TestNames::default();
    let mut beside = TokenStream::new();
    let mut tests = TokenStream::new();
    let original = item.clone();
    let mut own = Mistakes::default();
    let is_member = !matches!(&original, Item::Fn(_));
    walk(&original, mistakes, &mut |kind, call, around, spot| {
        let mut emitter =
            Emitter { item: &original, item_name: &name, names: &mut names, mistakes: &mut own, is_member };
        if let Some(emitted) = emitter.test(kind, call, around, spot) {
            beside.extend(emitted.beside);
            tests.extend(emitted.tests);
        }
    });
    mistakes.absorb(own);
    EmptyTests.visit_item_mut(item);
    if tests.is_empty() {
        return beside;
    }
    let module = Ident::new(&sanitized(&format!("situ_{name}")), span);
    let guard = format_ident!("situ_must_not_stand_inside_a_function_body_{}", sanitized(&name), span = span);
    let allowed = allowed();
    let cfgs = item_cfgs(&original);
    quote! {
        #beside
        #(#cfgs)*
        #[cfg(test)]
        #allowed
        mod #module { #tests }
        #(#cfgs)*
        #[cfg(test)]
        #[allow(non_snake_case)]
        mod #guard {}
        #(#cfgs)*
        #[cfg(test)]
        #[allow(unused_imports, clippy::unsafe_removed_from_name)]
        use self::#guard as _;
    }
}

/// What a target of one statement depends on.
fn own_cfgs<'a>(found: &Found<'a>) -> Vec<&'a Attribute> {
    let mut statements = found.statements.iter().filter(|statement| test_of_statement(statement).is_none());
    let (Some(only), None) = (statements.next(), statements.next()) else { return Vec::new() };
    let attributes: &[Attribute] = match only {
        syn::Stmt::Local(local) => &local.attrs,
        syn::Stmt::Macro(call) => &call.attrs,
        syn::Stmt::Expr(expression, _) => crate::walk::attributes_of(expression),
        syn::Stmt::Item(_) => &[],
    };
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect()
}

fn item_cfgs(item: &Item) -> Vec<&Attribute> {
    let attributes: &[Attribute] = match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        _ => &[],
    };
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).collect()
}

struct Emitter<'e> {
    item: &'e Item,
    item_name: &'e str,
    names: &'e mut TestNames,
    mistakes: &'e mut Mistakes,
    is_member: bool,
}

impl Emitter<'_> {
    fn test<'a>(
        &mut self,
        kind: Kind,
        statement: &'a StmtMacro,
        around: &Surroundings<'a>,
        spot: Spot<'a>,
    ) -> Option<Emitted> {
        if kind == Kind::End {
            check_end(statement, spot, self.mistakes);
            return None;
        }
        // A fresh list, so that one test's mistakes do not silence the others.
        let mut mistakes = Mistakes::default();
        let emitted = self.checked_test(kind, statement, around, spot, &mut mistakes);
        let clean = mistakes.is_empty();
        self.mistakes.absorb(mistakes);
        emitted.filter(|_| clean)
    }

    fn checked_test<'a>(
        &mut self,
        kind: Kind,
        statement: &'a StmtMacro,
        around: &Surroundings<'a>,
        spot: Spot<'a>,
        mistakes: &mut Mistakes,
    ) -> Option<Emitted> {
        let call = TestCall::parse(kind, statement, mistakes)?;
        let name = self.names.next(&call, around, self.is_member, mistakes);
        let found = find_target(&call, around, spot, mistakes)?;
        let body = synthesize(&call, &found, around, spot, mistakes)?;
        self.placed(&call, &name, &found, body, around, mistakes)
    }

    /// Puts the body where it has the rights of the original.
    fn placed(
        &self,
        call: &TestCall,
        name: &Ident,
        found: &Found<'_>,
        body: Synthesized<'_>,
        around: &Surroundings<'_>,
        mistakes: &mut Mistakes,
    ) -> Option<Emitted> {
        let hidden = format_ident!("__situ_{}_{}", sanitized(self.item_name), name, span = Span::call_site());
        let mut cfgs = item_cfgs(self.item);
        cfgs.extend(around.cfgs.iter().copied());
        cfgs.extend(own_cfgs(found));
        cfgs.extend(call.attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")));
        let attributes = quote!(#(#cfgs)* #[cfg(test)]);
        let allowed = allowed();
        let items = enclosing_items(around);
        let (imports, declarations) = (Parameters::imports(around), body.parameters.declarations());
        let code = &body.code;
        let function = quote! {
            #allowed
            fn #hidden(__situ: &'static ::situ::rt::Run) {
                #(#items)*
                #imports
                #declarations
                #code
            }
        };
        let owner = Home::of(around.owner, &body.parameters, &quote!(#(#items)* #code), call.span, mistakes)?;
        let pointer = quote!(fn(&'static ::situ::rt::Run));
        let beside = match owner {
            Home::Module => quote!(#attributes #function),
            Home::Type(ty) => quote! {
                #attributes
                impl #ty { #function }
                #attributes
                #allowed
                const #hidden: #pointer = <#ty>::#hidden;
            },
            Home::HiddenTrait(ty) => quote! {
                #attributes
                #allowed
                trait #hidden { fn #hidden(__situ: &'static ::situ::rt::Run); }
                #attributes
                impl #hidden for #ty { #function }
                #attributes
                #allowed
                const #hidden: #pointer = <#ty as #hidden>::#hidden;
            },
        };
        let description = describe(call, found, &body);
        let ignore = call.clauses.ignore.as_ref().map(|why| quote!(#[ignore = #why]));
        let run = quote_spanned!(call.span=> ::situ::rt::run(&TEST, super::#hidden));
        let tests = quote! {
            #(#cfgs)*
            #[test]
            #ignore
            fn #name() {
                static TEST: ::situ::rt::Test = #description;
                #run
            }
        };
        Some(Emitted { beside, tests })
    }
}

/// Where the body of a test stands.
enum Home {
    /// Beside the item.
    Module,
    /// In an `impl` of its own.
    Type(Type),
    /// In an `impl` of a trait of its own, where the type may be from elsewhere.
    HiddenTrait(Type),
}

impl Home {
    fn of(
        owner: Owner<'_>,
        parameters: &Parameters<'_>,
        code: &TokenStream,
        span: Span,
        mistakes: &mut Mistakes,
    ) -> Option<Home> {
        match owner {
            Owner::Free => Some(Home::Module),
            _ if !mentions_self(code) => Some(Home::Module),
            Owner::Impl(item) => {
                if let Some(open) = parameters.missing_in(&item.self_ty.to_token_stream()) {
                    mistakes.add(
                        span,
                        format!("`{open}` is generic and has no meaning in this test; add `given({open} = …)`"),
                    );
                    return None;
                }
                let ty = parameters.concrete(&item.self_ty);
                Some(if item.trait_.is_some() { Home::HiddenTrait(ty) } else { Home::Type(ty) })
            }
            Owner::Trait(_) => match &parameters.self_type {
                Some(ty) => Some(Home::HiddenTrait(ty.clone())),
                None => {
                    mistakes.add(span, "`Self` can be any type in a trait; add `given(Self = …)`");
                    None
                }
            },
        }
    }
}

/// Items of the blocks around a test, which its copy cannot see otherwise.
fn enclosing_items(around: &Surroundings<'_>) -> Vec<TokenStream> {
    let own_types: Vec<String> = around
        .items
        .iter()
        .filter_map(|statement| match statement {
            syn::Stmt::Item(Item::Struct(item)) => Some(item.ident.to_string()),
            syn::Stmt::Item(Item::Enum(item)) => Some(item.ident.to_string()),
            syn::Stmt::Item(Item::Union(item)) => Some(item.ident.to_string()),
            syn::Stmt::Item(Item::Trait(item)) => Some(item.ident.to_string()),
            _ => None,
        })
        .collect();
    let is_local = |item: &ItemImpl| {
        let of_trait = item.trait_.as_ref().and_then(|(path, _)| path.get_ident()).map(ToString::to_string);
        own_types.contains(&type_name(&item.self_ty)) || of_trait.is_some_and(|name| own_types.contains(&name))
    };
    around
        .items
        .iter()
        .filter(|statement| match statement {
            // An `impl` for a type from outside applies anyway, and twice would be an error.
            syn::Stmt::Item(Item::Impl(item)) => is_local(item),
            _ => true,
        })
        .map(|statement| {
            let mut statement = (*statement).clone();
            RemoveTests.visit_stmt_mut(&mut statement);
            Renamer::default().visit_stmt_mut(&mut statement);
            statement.into_token_stream()
        })
        .collect()
}

fn describe(call: &TestCall, found: &Found<'_>, body: &Synthesized<'_>) -> TokenStream {
    let line = u32::try_from(crate::text::line_of(call.span)).unwrap_or(0);
    let target_line = u32::try_from(found.first_line).unwrap_or(0);
    let target = shortened(&source_lines(&found.tokens));
    let inputs = &body.inputs;
    let mut description = quote!(::situ::rt::Test::new(::core::file!(), #line, #target_line, #target, #inputs));
    if let Some(times) = &call.clauses.repeat {
        description.extend(quote!(.repeat(#times)));
    }
    if let Some(milliseconds) = &call.clauses.timeout_ms {
        description.extend(quote!(.timeout_ms(#milliseconds)));
    }
    if body.branches > 0 {
        let branches = body.branches;
        description.extend(quote!(.branches(#branches)));
    }
    if body.mocks > 0 {
        let mocks = body.mocks;
        description.extend(quote!(.mocks(#mocks)));
    }
    description
}

/// A text without its common indentation, cut where it gets long.
fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let indentation = lines.iter().skip(1).map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let mut out: Vec<&str> = Vec::new();
    for (i, line) in lines.iter().take(MOST_LINES).enumerate() {
        out.push(if i == 0 { line } else { line.get(indentation..).unwrap_or(line) });
    }
    if lines.len() > MOST_LINES {
        out.push("…");
    }
    out.join("\n")
}

/// An `endtest!` needs a `blocktest!` of its name before it.
fn check_end(statement: &StmtMacro, spot: Spot<'_>, mistakes: &mut Mistakes) {
    let span = statement.mac.path.segments.last().map_or_else(Span::call_site, |name| name.ident.span());
    let Some(name) = end_name(&spot.statements[spot.index]) else {
        mistakes.add(span, "`endtest!` takes the name of its test: write `endtest!(\"name\");`");
        return;
    };
    let starts = spot.statements[..spot.index].iter().any(|statement| match test_of_statement(statement) {
        Some((Kind::Block, call)) => {
            let first = call.mac.tokens.clone().into_iter().next();
            let own: Option<LitStr> = first.and_then(|tree| syn::parse2(tree.into()).ok());
            own.is_some_and(|own| own.value() == name.value())
        }
        _ => false,
    });
    if !starts {
        let message = format!(
            "no `blocktest!` before it in this block is called {:?}; name the test so, or remove this",
            name.value()
        );
        mistakes.add(name.span(), message);
    }
}

//! An item with its tests: the item with emptied calls, and beside it the functions and the module
//! that run them.

use super::any::{AnyValue, any_values, explored_member, settle_any_values};
use super::body::{Synthesized, synthesize};
use super::parts::body_at;
use super::test_name::{TestNames, bare, sanitized};
use crate::Purpose;
use crate::attributes::{attributes_of_item, attributes_of_statement, is_cfg};
use crate::fragment::{Found, end_name, find_target};
use crate::generics::{Parameters, find_ident, mentions_self};
use crate::grammar::{Kind, TestCall, is_test_statement, test_of_statement};
use crate::macros::declared_names;
use crate::mistakes::Mistakes;
use crate::rewrite::Renamer;
use crate::strip::{EmptyTests, RemoveTests};
use crate::surroundings::{Owner, Spot, Surroundings};
use crate::text::{line_of, source_lines};
use crate::theory::registered;
use crate::walk::walk;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashMap;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Item, ItemImpl, LitStr, StmtMacro, Type};

/// The maximum number of lines of a fragment in a failure message.
const MAX_LINES: usize = 8;

/// Returns the lints that may fire in a copy of user code, or about names that a user chose. They
/// are allowed one by one, because allowing a lint that a crate forbids is an error.
fn allowed() -> TokenStream {
    quote!(#[allow(
        warnings, dead_code, unused_assignments, unused_braces, unused_imports, unused_labels, unused_macros, unused_mut,
        unused_parens, unused_unsafe, arithmetic_overflow, unconditional_panic, unused_variables, path_statements, unreachable_code, unreachable_patterns,
        non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
    )])
}

/// The code of one test.
struct Emitted {
    /// The code beside the item.
    beside: TokenStream,
    /// The path of the body for the module of tests: a function, or a constant that points to one.
    member: TokenStream,
    /// A function for an `impl` of a type, together with those of other tests.
    method: Option<(Type, TokenStream)>,
    /// The `#[test]`.
    test: TokenStream,
}

/// The code of all tests of one item.
#[derive(Default)]
struct AllEmitted {
    beside: TokenStream,
    members: TokenStream,
    methods: Vec<(Type, TokenStream)>,
    tests: TokenStream,
}

impl AllEmitted {
    fn add(&mut self, emitted: Emitted) {
        self.beside.extend(emitted.beside);
        self.members.extend(emitted.member);
        self.tests.extend(emitted.test);
        if let Some((ty, method)) = emitted.method {
            match self.methods.iter_mut().find(|(known, _)| *known == ty) {
                Some((_, methods)) => methods.extend(method),
                None => self.methods.push((ty, method)),
            }
        }
    }

    /// Assembles the code beside the item: bodies where they have the item's privacy, tests in a
    /// module of their own.
    fn assembled(self, name: &str, span: Span, cfgs: &[&Attribute]) -> TokenStream {
        let AllEmitted {
            beside,
            members,
            methods,
            tests,
        } = self;
        let module = Ident::new(&module_name(name), span);
        // Inside a function body the module cannot import this; then its name explains why, in the
        // only error there is.
        let telling = format_ident!(
            "situ_must_not_stand_inside_a_function_body_{}_{}",
            sanitized(name),
            line_of(span)
        );
        let bodies = bodies_name(name, span);
        let allowed = allowed();
        let test_only = quote!(#(#cfgs)* #[cfg(test)]);
        let methods = methods
            .into_iter()
            .map(|(ty, methods)| quote!(#test_only #allowed impl #ty { #methods }));
        quote! {
            #beside
            #(#methods)*
            #test_only
            #[allow(non_camel_case_types, dead_code)]
            struct #bodies;
            #test_only
            #allowed
            impl #bodies { #members }
            #test_only
            #allowed
            mod #module { use super::#telling as __SituBodies; #tests }
            #test_only
            #[allow(non_camel_case_types, dead_code)]
            type #telling = #bodies;
        }
    }
}

/// Returns the name of the type that holds the bodies of an item's tests: a function inside it sees
/// what the item sees.
///
/// Its line makes it unique, so that two `impl`s of one type collide only in their modules, whose
/// error message is clear.
fn bodies_name(item_name: &str, span: Span) -> Ident {
    format_ident!(
        "__situ_{}_{}",
        sanitized(item_name),
        line_of(span),
        span = Span::call_site()
    )
}

/// Returns the name of the module of an item's tests, without `situ_`.
pub fn item_name(item: &Item) -> Option<(String, Span)> {
    match item {
        Item::Fn(item) => Some((bare(&item.sig.ident), item.sig.ident.span())),
        Item::Trait(item) => Some((bare(&item.ident), item.ident.span())),
        Item::Impl(item) => Some((impl_name(item), item.impl_token.span)),
        _ => None,
    }
}

/// Returns the name of the module with the tests of an item.
pub fn module_name(item_name: &str) -> String {
    sanitized(&format!("situ_{item_name}"))
}

fn impl_name(item: &ItemImpl) -> String {
    let of_type = type_name(&item.self_ty);
    match &item.trait_ {
        Some((path, _)) => {
            let of_trait = path
                .segments
                .last()
                .map_or_else(String::new, |last| bare(&last.ident));
            format!("{of_trait}_for_{of_type}")
        }
        None => of_type,
    }
}

fn type_name(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map_or_else(|| "it".into(), |last| bare(&last.ident)),
        Type::Reference(reference) => type_name(&reference.elem),
        Type::Paren(paren) => type_name(&paren.elem),
        Type::Group(group) => type_name(&group.elem),
        other => sanitized(&crate::text::source_text(&other.to_token_stream())),
    }
}

/// Expands one function, `impl` block or trait: empties its tests and returns the code beside it.
pub fn expand_item(
    item: &mut Item,
    name: Option<&Ident>,
    purpose: Purpose,
    mistakes: &mut Mistakes,
) -> TokenStream {
    let Some((own_name, span)) = item_name(item) else {
        return TokenStream::new();
    };
    let name = name.map_or(own_name, bare);
    let mut names = TestNames::of(item);
    let mut texts = Texts::default();
    let mut all = AllEmitted::default();
    let mut own = Mistakes::default();
    let is_member = !matches!(item, Item::Fn(_));
    walk(item, mistakes, &mut |kind, call, around, spot| {
        let mut emitter = Emitter {
            item_name: &name,
            item_span: span,
            names: &mut names,
            texts: &mut texts,
            mistakes: &mut own,
            is_member,
            purpose,
        };
        if let Some(emitted) = emitter.test(kind, call, around, spot) {
            all.add(emitted);
        }
    });
    mistakes.absorb(own);
    let beside = if all.tests.is_empty() {
        TokenStream::new()
    } else {
        all.assembled(&name, span, &item_cfgs(item))
    };
    EmptyTests.visit_item_mut(item);
    beside
}

/// Returns the `#[cfg(…)]`s of a target that is one statement.
fn own_cfgs<'a>(found: &Found<'a>) -> Vec<&'a Attribute> {
    let mut statements = found
        .statements
        .iter()
        .filter(|statement| !is_test_statement(statement));
    let (Some(only), None) = (statements.next(), statements.next()) else {
        return Vec::new();
    };
    attributes_of_statement(only)
        .iter()
        .filter(|attribute| is_cfg(attribute))
        .collect()
}

fn item_cfgs(item: &Item) -> Vec<&Attribute> {
    attributes_of_item(item)
        .iter()
        .filter(|attribute| is_cfg(attribute))
        .collect()
}

struct Emitter<'e> {
    item_name: &'e str,
    item_span: Span,
    names: &'e mut TestNames,
    texts: &'e mut Texts,
    mistakes: &'e mut Mistakes,
    is_member: bool,
    purpose: Purpose,
}

/// The sources of targets, which several tests share.
#[derive(Default)]
struct Texts(HashMap<(*const syn::Stmt, usize), String>);

impl Texts {
    fn of(&mut self, found: &Found<'_>) -> String {
        let text = || shortened(&source_lines(&found.tokens));
        if found.statements.is_empty() {
            return text();
        }
        self.0
            .entry((found.statements.as_ptr(), found.statements.len()))
            .or_insert_with(text)
            .clone()
    }
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
        // Each test has a list of its own, so that its mistakes do not silence the others.
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
        let mut call = TestCall::parse(kind, statement, mistakes)?;
        let values = any_values(&call);
        // Before the values are replaced: a name is the same whatever the build is for.
        let name = self.names.next(&call, around, self.is_member, mistakes);
        settle_any_values(&mut call, self.purpose);
        if !call.clauses.unreadable.is_empty() {
            report_missing_values(call, around, spot, mistakes);
            return None;
        }
        let found = find_target(&call, around, spot, mistakes)?;
        let body = synthesize(&call, &found, (around, spot), self.purpose, mistakes)?;
        self.placed((&call, &values), &name, &found, body, around, mistakes)
    }

    /// Places the body where it has the privacy of the original.
    fn placed(
        &mut self,
        (call, values): (&TestCall, &[AnyValue]),
        name: &Ident,
        found: &Found<'_>,
        body: Synthesized<'_>,
        around: &Surroundings<'_>,
        mistakes: &mut Mistakes,
    ) -> Option<Emitted> {
        let mut cfgs = around.cfgs.clone();
        cfgs.extend(own_cfgs(found));
        cfgs.extend(
            call.attributes
                .iter()
                .filter(|attribute| attribute.path().is_ident("cfg")),
        );
        let items = enclosing_items(around, found, &body.code);
        let (mut imports, declarations) =
            (Parameters::imports(around), body.parameters.declarations());
        imports.extend(imports_of_setups(&call.clauses.setups));
        let code = &body.code;
        let run = quote!(__situ: &'static ::situ::rt::Run);
        let body_code = quote!(#(#items)* #imports #declarations #code);
        let home = Home::of(
            around.owner,
            &body.parameters,
            &body_code,
            call.span,
            mistakes,
        )?;
        let looks_into_self = looks_into_self(&body_code);
        let body_code = body_at(around.body_span, body_code);
        let hidden = format_ident!("__situ_{}", name, span = Span::call_site());
        let pointer = quote!(fn(&'static ::situ::rt::Run));
        let (mut beside, mut method) = (TokenStream::new(), None);
        let mut member = match home {
            Home::Module => quote!(#(#cfgs)* fn #hidden(#run) #body_code),
            Home::Type(ty) => {
                let member = quote!(#(#cfgs)* const #hidden: #pointer = <#ty>::#hidden;);
                method = Some((ty, quote!(#(#cfgs)* fn #hidden(#run) #body_code)));
                member
            }
            Home::HiddenTrait(ty) => {
                let hidden_trait = format_ident!(
                    "{}_{}",
                    bodies_name(self.item_name, self.item_span),
                    name,
                    span = Span::call_site()
                );
                let allowed = allowed();
                let test_only = quote!(#(#cfgs)* #[cfg(test)] #allowed);
                // Below the trait, the compiler finds what `Self::Item` means as in the original.
                let of_trait = body
                    .parameters
                    .concrete_trait(around.owner)
                    .filter(|_| looks_into_self);
                // Supertraits such as `AddAssign<Self>` or `Add` require `Sized`.
                let sized = (!is_unsized(&ty)).then(|| quote!(Sized+));
                let of_trait = of_trait.map(|path| quote!(: #sized #path));
                beside = quote! {
                    #test_only
                    trait #hidden_trait #of_trait { fn #hidden(#run); }
                    #test_only
                    impl #hidden_trait for #ty { fn #hidden(#run) #body_code }
                };
                quote!(#(#cfgs)* const #hidden: #pointer = <#ty as #hidden_trait>::#hidden;)
            }
        };
        let ignore = call
            .clauses
            .ignore
            .as_ref()
            .map(|why| quote!(#[ignore = #why]));
        let text = self.texts.of(found);
        let mut run = run_call(
            call,
            found.first_line(),
            &text,
            &body,
            &quote!(__SituBodies::#hidden),
        );
        let is_explored = self.purpose.is_explored() && !values.is_empty();
        if is_explored {
            let explored = format_ident!("{}_explored", hidden);
            let line = u32::try_from(found.first_line()).unwrap_or(0);
            let function = explored_member(
                (&explored, &hidden),
                values,
                (line, &text),
                &body,
                self.purpose,
            );
            member.extend(quote!(#(#cfgs)* #function));
            run = quote!(if ::situ_explore::is_asked() { return __SituBodies::#explored(); } #run);
        }
        let test = match self.purpose {
            // A build for fuzzers has no tests; functions are found by their path.
            Purpose::Fuzz { .. } if is_explored => {
                let registered = registered(name);
                quote!(#(#cfgs)* #registered #(#cfgs)* fn #name() { #run })
            }
            _ => quote! {
                #(#cfgs)*
                #[test]
                #ignore
                fn #name() { #run }
            },
        };
        Some(Emitted {
            beside,
            member,
            method,
            test,
        })
    }
}

/// Returns the imports of setups, which apply to the whole test: a bound may have brought a trait
/// into scope that a concrete type does not.
fn imports_of_setups(setups: &[syn::Block]) -> TokenStream {
    let imports = setups
        .iter()
        .flat_map(|setup| &setup.stmts)
        .filter_map(|statement| match statement {
            syn::Stmt::Item(Item::Use(import)) => Some(import),
            _ => None,
        });
    quote!(#(#imports)*)
}

/// Reports the missing values of a test with clauses that could not be parsed; nothing else is
/// certain about it.
fn report_missing_values<'a>(
    call: TestCall,
    around: &Surroundings<'a>,
    spot: Spot<'a>,
    mistakes: &mut Mistakes,
) {
    let Some(call) = call.for_missing_values() else {
        return;
    };
    let mut uncertain = Mistakes::default();
    if let Some(found) = find_target(&call, around, spot, &mut uncertain) {
        synthesize(&call, &found, (around, spot), Purpose::Test, &mut uncertain);
    }
    mistakes.absorb_missing_values(uncertain);
}

/// The place of a test's body.
enum Home {
    /// Beside the item.
    Module,
    /// In an `impl` of its own.
    Type(Type),
    /// In an `impl` of a trait of its own, because the type may belong to another crate.
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
                Some(if item.trait_.is_some() {
                    Home::HiddenTrait(ty)
                } else {
                    Home::Type(ty)
                })
            }
            Owner::Trait(_) => match &parameters.self_type {
                Some(ty) => Some(Home::HiddenTrait(ty.clone())),
                None => {
                    mistakes.add(
                        span,
                        "`Self` can be any type in a trait; add `given(Self = …)`",
                    );
                    None
                }
            },
        }
    }
}

/// Returns whether code names an associated item of `Self`, such as `Self::Item`.
fn looks_into_self(code: &TokenStream) -> bool {
    let mut after_self = false;
    code.clone().into_iter().any(|tree| {
        let is_path =
            after_self && matches!(&tree, TokenTree::Punct(mark) if mark.as_char() == ':');
        after_self = matches!(&tree, TokenTree::Ident(name) if name == "Self");
        is_path || matches!(&tree, TokenTree::Group(group) if looks_into_self(&group.stream()))
    })
}

/// Returns whether a type is visibly unsized.
fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            ["str", "Path", "OsStr", "CStr", "ByteStr"]
                .iter()
                .any(|known| last.ident == known)
        }),
        Type::Paren(paren) => is_unsized(&paren.elem),
        Type::Group(group) => is_unsized(&group.elem),
        _ => false,
    }
}

/// Items of the blocks around a test, which its copy cannot see otherwise.
fn enclosing_items(
    around: &Surroundings<'_>,
    found: &Found<'_>,
    code: &TokenStream,
) -> Vec<TokenStream> {
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
        let of_trait = item
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.get_ident())
            .map(ToString::to_string);
        own_types.contains(&type_name(&item.self_ty))
            || of_trait.is_some_and(|name| own_types.contains(&name))
    };
    around
        .items
        .iter()
        // The fragment's own items would be there twice.
        .filter(|statement| {
            !found
                .statements
                .iter()
                .any(|own| std::ptr::eq(own, **statement))
        })
        .filter(|statement| match statement {
            // An `impl` for a type from outside applies anyway, and twice would be an error.
            syn::Stmt::Item(Item::Impl(item)) => is_local(item),
            // What a macro call declares is a guess, and its other effects are unknown: it is
            // repeated only if needed.
            syn::Stmt::Macro(call) if !call.mac.path.is_ident("macro_rules") => {
                let names = declared_names(&call.mac);
                find_ident(code, &|word| names.iter().any(|name| name == word)).is_some()
            }
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

/// Returns the call that runs a test, with the parts of its failure message.
fn run_call(
    call: &TestCall,
    target_line: usize,
    target: &str,
    body: &Synthesized<'_>,
    function: &TokenStream,
) -> TokenStream {
    let target_line = u32::try_from(target_line).unwrap_or(0);
    let inputs = &body.inputs;
    let span = call.span;
    let clauses = &call.clauses;
    let (branches, mocks) = (body.branches, body.mocks);
    if clauses.repeat.is_none() && clauses.timeout_ms.is_none() && branches + mocks == 0 {
        return quote_spanned!(span=> ::situ::rt::run(#function, #target_line, #target, #inputs));
    }
    let repeat = clauses
        .repeat
        .as_ref()
        .map_or_else(|| quote!(1), |times| quote!(#times));
    let timeout_ms = clauses
        .timeout_ms
        .as_ref()
        .map_or_else(|| quote!(0), |milliseconds| quote!(#milliseconds));
    let manner = quote! {
        ::situ::rt::Manner { repeat: #repeat, timeout_ms: #timeout_ms, branches: #branches, mocks: #mocks }
    };
    quote_spanned!(span=> ::situ::rt::run_as(#function, #target_line, #target, #inputs, #manner))
}

/// Returns a string without its common indentation, shortened if it is long.
fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let indentation = lines
        .iter()
        .skip(1)
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut out: Vec<&str> = Vec::new();
    for (i, line) in lines.iter().take(MAX_LINES).enumerate() {
        out.push(if i == 0 {
            line
        } else {
            line.get(indentation..).unwrap_or(line)
        });
    }
    if lines.len() > MAX_LINES {
        out.push("…");
    }
    out.join("\n")
}

/// Checks that an `endtest!` follows a `blocktest!` of its name.
fn check_end(statement: &StmtMacro, spot: Spot<'_>, mistakes: &mut Mistakes) {
    let span = statement
        .mac
        .path
        .segments
        .last()
        .map_or_else(Span::call_site, |name| name.ident.span());
    let Some(name) = end_name(&spot.statements[spot.index]) else {
        mistakes.add(
            span,
            "`endtest!` takes the name of its test: write `endtest!(\"name\");`",
        );
        return;
    };
    let before = &spot.statements[..spot.index];
    let starts = before
        .iter()
        .position(|statement| match test_of_statement(statement) {
            Some((Kind::Block, call)) => {
                let first = call.mac.tokens.clone().into_iter().next();
                let own: Option<LitStr> = first.and_then(|tree| syn::parse2(tree.into()).ok());
                own.is_some_and(|own| own.value() == name.value())
            }
            _ => false,
        });
    let Some(start) = starts else {
        let message = format!(
            "no `blocktest!` before it in this block is called {:?}; name the test so, or remove this",
            name.value()
        );
        mistakes.add(name.span(), message);
        return;
    };
    let between = &before[start + 1..];
    if between
        .iter()
        .any(|statement| end_name(statement).is_some_and(|end| end.value() == name.value()))
    {
        mistakes.add(
            name.span(),
            "this test has ended already; remove this `endtest!`",
        );
    } else if between.iter().all(is_test_statement) {
        mistakes.add(
            name.span(),
            "there is nothing between this `endtest!` and its test; move it behind the fragment",
        );
    } else if let Some((Kind::Block, call)) = test_of_statement(&before[start])
        && TestCall::parse(Kind::Block, call, &mut Mistakes::default())
            .is_some_and(|call| call.clauses.scope.is_some())
    {
        mistakes.add(
            name.span(),
            "its test says already where it ends; remove this `endtest!`, or that clause",
        );
    }
}

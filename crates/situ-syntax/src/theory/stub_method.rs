//! One method of a stub.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::shape::with_inferred_lifetimes;
use super::words;
use crate::Purpose;
use crate::mistakes::Mistakes;

/// A method that a stub implements.
pub(super) struct Method<'a> {
    signature: &'a syn::Signature,
    /// Whether a call may change the stub, so that the same arguments may have another answer.
    changes: bool,
    answer: Answer,
}

/// The return type of a method, and how a guess is converted to it.
enum Answer {
    Nothing,
    Value(syn::Type),
    /// `&T` and `&mut T`: a guess is leaked.
    Leaked(syn::Type),
    /// `&[T]` and `&mut [T]`: a guessed `Vec` is leaked.
    LeakedSlice(syn::Type),
}

impl<'a> Method<'a> {
    pub(super) fn check(function: &'a syn::TraitItemFn, mistakes: &mut Mistakes) -> Option<Self> {
        let signature = &function.sig;
        let changes = match signature.receiver().map(|receiver| &receiver.kind) {
            Some(syn::ReceiverKind::Reference(_, _, mutability)) => mutability.is_some(),
            _ => {
                mistakes.add(signature.ident.span(), words::STUB_NEEDS_SELF);
                return None;
            }
        };
        if let Some(span) = not_for_objects(signature) {
            mistakes.add(span, words::STUB_METHOD_SHAPE);
            return None;
        }
        let answer = Answer::of(&signature.output);
        if answer.is_none() {
            mistakes.add(signature.output.span(), words::STUB_IMPL_RESULT);
        }
        Some(Self {
            signature,
            changes,
            answer: answer?,
        })
    }

    pub(super) fn emit(&self, purpose: Purpose) -> TokenStream {
        let name = &self.signature.ident;
        let mut signature = self.signature.clone();
        let mut arguments = Vec::new();
        for argument in signature.inputs.iter_mut() {
            if let syn::FnArg::Typed(argument) = argument {
                let name = format_ident!("argument_{}", arguments.len(), span = Span::mixed_site());
                argument.attrs.clear();
                *argument.pat = syn::parse_quote!(#name);
                arguments.push(name);
            }
        }
        let answer = self.answer(&arguments, purpose);
        let core = if matches!(self.answer, Answer::Nothing) {
            quote!(_)
        } else {
            quote!(core)
        };
        quote! {
            #signature {
                match self {
                    Stub::Delegating(to) => to.#name(#(#arguments),*),
                    Stub::Guessing(#core) => #answer,
                }
            }
        }
    }

    fn answer(&self, arguments: &[syn::Ident], purpose: Purpose) -> TokenStream {
        let (of, finish) = match &self.answer {
            Answer::Nothing => return quote!({}),
            Answer::Value(of) => (of, TokenStream::new()),
            Answer::Leaked(of) => (of, quote!(::situ::theory::generated::leaked)),
            Answer::LeakedSlice(of) => (of, quote!(::situ::theory::generated::leaked_slice)),
        };
        let (name, changes) = (self.signature.ident.to_string(), self.changes);
        let imports = purpose.imports();
        let made = match purpose {
            Purpose::Test | Purpose::Mutants => quote!(&|_| ::core::option::Option::None),
            Purpose::Explore { .. } | Purpose::Fuzz { .. } => quote! {
                &|bytes| ::situ_explore::made_of(
                    bytes,
                    |shapes| (&&&&::situ_explore::Slot::<#of>::new()).id(shapes),
                    |tree| (&&&&::situ_explore::Slot::<#of>::new()).build(tree),
                )
            },
        };
        quote! {{
            #imports
            #[allow(unused_imports)]
            use ::situ::theory::generated::{
                GuessDefault as _, GuessExhaustive as _, GuessKnown as _, GuessOk as _, GuessRegistered as _, ShowDebug as _,
                ShowNothing as _,
            };
            let arguments = [#((&&::situ::theory::generated::Show(&#arguments)).debug_text()),*];
            #finish(core.answer::<#of>(
                #name,
                #changes,
                &arguments,
                &|hints| (&&&&&::situ::theory::generated::Guesses::<#of>::new()).all(hints),
                &|guess| (&&::situ::theory::generated::Show(guess)).debug_text(),
                #made,
            ))
        }}
    }
}

impl Answer {
    /// Classifies a return type, or returns `None` if it cannot be guessed.
    fn of(output: &syn::ReturnType) -> Option<Self> {
        let syn::ReturnType::Type(_, declared) = output else {
            return Some(Self::Nothing);
        };
        match with_inferred_lifetimes(declared) {
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Some(Self::Nothing),
            syn::Type::ImplTrait(_) | syn::Type::Never(_) => None,
            syn::Type::Reference(reference) => Some(match *reference.elem {
                syn::Type::Slice(slice) => {
                    let element = slice.elem;
                    Self::LeakedSlice(syn::parse_quote!(::situ::theory::generated::Vec<#element>))
                }
                target if target.to_token_stream().to_string() == "str" => {
                    Self::Value(syn::parse_quote!(&'static str))
                }
                target => Self::Leaked(target),
            }),
            other => Some(Self::Value(other)),
        }
    }
}

/// Returns the span of what a trait object's method cannot have: `async`, type parameters, `Self`
/// outside the receiver, `where Self: Sized`.
fn not_for_objects(signature: &syn::Signature) -> Option<Span> {
    if let Some(keyword) = &signature.asyncness {
        return Some(keyword.span());
    }
    let is_lifetime =
        |parameter: &&syn::GenericParam| !matches!(parameter, syn::GenericParam::Lifetime(_));
    if let Some(parameter) = signature.generics.params.iter().find(is_lifetime) {
        return Some(parameter.span());
    }
    let mut finder = SelfType(None);
    for argument in &signature.inputs {
        if let syn::FnArg::Typed(argument) = argument {
            finder.visit_type(&argument.ty);
        }
    }
    finder.visit_return_type(&signature.output);
    if let Some(bounds) = &signature.generics.where_clause {
        finder.visit_where_clause(bounds);
    }
    finder.0
}

/// Finds `Self` and `impl Trait` arguments.
struct SelfType(Option<Span>);

impl<'ast> Visit<'ast> for SelfType {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.is_ident("Self") {
            self.0.get_or_insert(path.span());
        }
        visit::visit_path(self, path);
    }
}

//! What the macros of theories become.

use crate::Purpose;
use expect_test::{Expect, expect};
use proc_macro2::TokenStream;
use quote::quote;

use super::{
    expand_assume, expand_assume_ok, expand_datapoint, expand_datapoints,
    expand_derive_data_points, expand_stub, expand_theory,
};

/// Parses a string, so that tokens have spans.
fn tokens(source: &str) -> TokenStream {
    source.parse().expect("tokens")
}

fn check_items(items: TokenStream, expected: Expect) {
    let file: syn::File = syn::parse2(items).expect("items");
    // Situ's own paths are long and all alike, so they are shortened.
    expected.assert_eq(&prettyplease::unparse(&file).replace("::situ::theory::generated::", "g::"));
}

fn check_statement(statement: TokenStream, expected: Expect) {
    check_items(quote!(fn user() { #statement; }), expected);
}

#[test]
fn a_theory_keeps_the_users_function_inside_its_test() {
    let theory = r#"
        /// What is claimed.
        #[allow(clippy::float_cmp)]
        fn halves(#[from("small")] n: &f64, (a, b): (u8, u8)) {
            assume!(*n > 0.5);
            [1].iter().for_each(|_| assume!(a > b));
        }
    "#;
    check_items(
        expand_theory(tokens("full"), tokens(theory), Purpose::Test),
        expect![[r##"
            #[cfg(test)]
            #[test]
            /// What is claimed.
            #[allow(clippy::float_cmp)]
            fn halves() {
                #[allow(clippy::needless_pass_by_value, clippy::ptr_arg, clippy::too_many_arguments)]
                #[allow(clippy::float_cmp)]
                fn halves(n: &f64, (a, b): (u8, u8)) {
                    assume!(@ here * n > 0.5);
                    [1].iter().for_each(|_| assume!(a > b));
                }
                static __SITU_THEORY: g::Theory = g::Theory {
                    module: ::core::module_path!(),
                    name: "halves",
                    full: true,
                    literals: &["0.5", "1"],
                };
                let mut run = g::Run::new(&__SITU_THEORY);
                {
                    #[allow(unused_imports)]
                    use g::{
                        ByAttentiveFunction as _, ByExhaustion as _, ByFunction as _,
                        ByRegistry as _, BySupplier as _, ShowDebug as _, ShowNothing as _,
                    };
                    static __SITU_PARAMETERS: [g::Parameter; 2usize] = [
                        g::Parameter {
                            name: "n",
                            type_text: "&f64",
                            attributes: &[],
                            group: ::core::option::Option::Some("small"),
                        },
                        g::Parameter {
                            name: "(a, b)",
                            type_text: "(u8, u8)",
                            attributes: &[],
                            group: ::core::option::Option::None,
                        },
                    ];
                    run.types("");
                    let mut source_0 = run
                        .settle(
                            (&&g::Probe::<
                                g::Lent<f64, f64>,
                            >::new())
                                .points(run.ask(&__SITU_PARAMETERS[0usize])),
                        );
                    let mut source_1 = run
                        .settle(
                            (&&g::Probe::<
                                g::Own<(u8, u8)>,
                            >::new())
                                .points(run.ask(&__SITU_PARAMETERS[1usize])),
                        );
                    let parameters = [
                        (&__SITU_PARAMETERS[0usize], source_0.origins()),
                        (&__SITU_PARAMETERS[1usize], source_1.origins()),
                    ];
                    run.all(
                        &parameters,
                        &mut |at, show| {
                            let value_0 = source_0.take(at[0usize]);
                            let value_1 = source_1.take(at[1usize]);
                            if let ::core::option::Option::Some(show) = show {
                                show.push(
                                    (&&g::Show(value_0.lend())).shown(),
                                );
                                show.push((&&g::Show(&value_1)).shown());
                                return ::core::result::Result::Ok(());
                            }
                            g::Conclusion::failure(
                                halves(value_0.lend(), value_1),
                            )
                        },
                    );
                }
                run.conclude()
            }
        "##]],
    );
}

#[test]
fn a_data_point_stays_and_is_entered() {
    let expanded = expand_datapoint(
        tokens("\"small\", skip_failing"),
        tokens("#[cfg(unix)] const ONE: i32 = 1;"),
    );
    check_items(
        expanded,
        expect![[r##"
            #[allow(dead_code)]
            #[cfg(unix)]
            const ONE: i32 = 1;
            #[cfg(unix)]
            #[cfg(test)]
            const _: () = {
                #[allow(unused_imports)]
                use g::{StaticByClone as _, StaticByReference as _};
                g::inventory::submit! {
                    g::Entry { module : ::core::module_path!(), file :
                    ::core::file!(), line : ::core::line!(), name : "ONE", groups : & ["small"],
                    value_type : || g::type_of_one(|| ONE), provider : ||
                    g::one("ONE", true, || ONE), }
                }
            };
        "##]],
    );
}

#[test]
fn data_points_of_a_static_are_cloned() {
    let text = expand_datapoints(tokens(""), tokens("static ALL: [u8; 2] = [1, 2];")).to_string();
    assert!(text.contains("ALL . iter () . cloned ()"), "{text}");
}

#[test]
fn a_comparison_keeps_what_it_compares() {
    check_statement(
        expand_assume(tokens("a == f(b), \"message\"")),
        expect![[r#"
        fn user() {
            match (&(a), &(f(b))) {
                (left, right) => {
                    if *left == *right {} else {
                        static SITE: g::Site = g::Site {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            text: "a == f(b)",
                        };
                        g::reject(
                            &SITE,
                            &|| {
                                #[allow(unused_imports)]
                                use g::{
                                    ShowDebug as _, ShowNothing as _,
                                };
                                let left = (&&g::Show(left))
                                    .debug_text();
                                let right = (&&g::Show(right))
                                    .debug_text();
                                left.zip(right)
                            },
                        );
                        return g::Skipped::skipped();
                    }
                }
            };
        }
    "#]],
    );
}

#[test]
fn a_pattern_binds() {
    check_statement(
        expand_assume(tokens("@here let Some(x) = y")),
        expect![[r#"
        fn user() {
            let Some(x) = y else {
                static SITE: g::Site = g::Site {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    text: "let Some(x) = y",
                };
                g::reject_here(&SITE, &|| ::core::option::Option::None);
                return g::Skipped::skipped();
            };
        }
    "#]],
    );
}

#[test]
fn an_ok_is_unwrapped() {
    check_statement(
        expand_assume_ok(tokens("text.parse()")),
        expect![[r#"
        fn user() {
            match text.parse() {
                ::core::result::Result::Ok(inside) => inside,
                _ => {
                    static SITE: g::Site = g::Site {
                        file: ::core::file!(),
                        line: ::core::line!(),
                        text: "text.parse() is Ok(_)",
                    };
                    g::reject(&SITE, &|| ::core::option::Option::None);
                    return g::Skipped::skipped();
                }
            };
        }
    "#]],
    );
}

#[test]
fn an_enum_lists_its_variants() {
    let text =
        expand_derive_data_points(tokens("enum Light { Red, #[cfg(test)] Green }")).to_string();
    assert!(
        text.contains("[Self :: Red , # [cfg (test)] Self :: Green]"),
        "{text}"
    );
}

#[test]
fn a_stub_answers_what_has_no_default() {
    let clock = "trait Clock { fn now(&self, zone: &str) -> u32; fn tick(&mut self); fn name(&self) -> u8 { 1 } }";
    let stub = expand_stub(tokens(""), tokens(clock), Purpose::Test).to_string();
    assert!(
        stub.contains("fn now") && stub.contains("fn tick"),
        "{stub}"
    );
    assert_eq!(stub.matches("fn name").count(), 1, "{stub}");
}

//! Names of the user's own, chosen as badly as can be, do not meet those of the expansion.
#![cfg(feature = "test")]
#![deny(warnings)]
#![allow(
    dead_code,
    unused_macros,
    reason = "the names are only there to be in the way"
)]

mod listing;

#[test]
fn every_test_of_this_file_is_run() {
    listing::assert_all_collected(module_path!(), include_str!("insitu_hygiene.rs"));
}

mod in_the_way {
    use ::situ::prelude::*;

    mod core {}
    mod std {}
    mod situ {}

    macro_rules! in_the_way {
        ($($name:ident)*) => { $( macro_rules! $name { () => { compile_error!("a macro of the user was used") } } )* };
    }
    in_the_way!(matches panic assert assert_eq format unreachable stringify line format_args vec println);

    #[derive(Debug, PartialEq)]
    pub enum Answer {
        Ok(u32),
        Err,
        Some,
        None,
    }
    use Answer::*;

    struct String;
    struct Vec;
    struct Box;
    struct Option;
    struct Result;
    trait Drop {}
    trait Iterator {}
    trait Fn {}
    trait Into {
        fn into(&self) -> u8 {
            1
        }
    }
    impl<T> Into for T {}
    fn drop() {}
    fn id() {}
    fn run() {}
    fn check() {}

    #[situ]
    pub fn leaving(n: u32) -> Answer {
        blocktest!(
            "tail",
            given(n = 3),
            check_return(Ok(3)),
            check_matches(returned(), Ok(_))
        );
        blocktest!(
            "return",
            given(n = 0),
            check_return(Err),
            check_flow(If.Then)
        );
        let answer = Ok(n);
        itest!(
            "statement",
            given(n = 1),
            check_eq(answer, Ok(1)),
            check_matches(answer, Ok(1))
        );
        if n == 0 {
            return Err;
        }
        answer
    }

    fn asked(_: u32) -> Answer {
        None
    }

    #[situ]
    pub fn mocks(n: u32) -> u32 {
        let x = match asked(n) {
            Ok(x) => x,
            Err | Some | None => 0,
        };
        itest!(
            "mock",
            each(n, [1, 2]),
            mock(asked(_), Ok(n)),
            repeat(2),
            timeout_ms(60_000),
            check_eq(x, n),
            check_called(asked(_), 1)
        );
        itest!("sequence", mock_seq(asked(_), [Ok(4)]), check_eq(x, 4));
        let quotient = 10 / x;
        itest!("panic", given(x = 0), check_panic("divide by zero"));
        for i in 0..x {
            itest!("items", given(x = 2), check_eq(items(), [0, 1]));
            if i > 3 {
                break;
            }
        }
        quotient
    }

    #[situ]
    pub async fn waits(n: u32) -> u32 {
        let ready = ::std::future::ready(n).await;
        itest!(given(n = 1), check_eq(ready, 1));
        ready
    }
}

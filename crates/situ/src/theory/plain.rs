//! Types whose clone is as good as a newly constructed value: nothing in them can be shared or
//! changed from elsewhere.

use std::any::Any;

use super::held::Held;

/// Returns the clone function of `T`, if it is such a type.
pub(crate) fn cloner<T: 'static>() -> Option<fn(&T) -> T> {
    macro_rules! first_of {
        ($($plain:ty),* $(,)?) => {
            None$(.or_else(|| as_cloner::<$plain, T>()))*
        };
    }
    macro_rules! with_what_holds_it {
        ($($plain:ty),* $(,)?) => {
            first_of!($($plain, Option<$plain>, Vec<$plain>, Held<$plain, $plain>, Held<Vec<$plain>, [$plain]>),*)
        };
    }
    first_of!(Held<String, str>).or_else(|| {
        with_what_holds_it!(
            bool,
            char,
            u8,
            u16,
            u32,
            u64,
            u128,
            usize,
            i8,
            i16,
            i32,
            i64,
            i128,
            isize,
            f32,
            f64,
            String,
            &'static str
        )
    })
}

fn as_cloner<P: Clone + 'static, T: 'static>() -> Option<fn(&T) -> T> {
    let clone: fn(&P) -> P = P::clone;
    let clone: &dyn Any = &clone;
    clone.downcast_ref::<fn(&T) -> T>().copied()
}

#[cfg(test)]
mod tests {
    use super::cloner;
    use std::rc::Rc;

    #[test]
    fn what_may_be_shared_is_not_cloned() {
        assert!(cloner::<String>().is_some());
        assert!(cloner::<Vec<u8>>().is_some());
        assert!(cloner::<Rc<String>>().is_none());
        assert!(cloner::<&'static std::sync::Mutex<u8>>().is_none());
    }
}

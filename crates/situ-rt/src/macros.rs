//! The macros that instrumented code captures values with.

/// Captures a value by the best way that its type has.
#[macro_export]
macro_rules! by_level {
    ($value:expr, $writer:expr) => {{
        #[allow(unused_imports)]
        use $crate::capture::{
            AnythingLevel as _, CaptureLevel as _, DebugInsideLevel as _, DebugLevel as _, FaceInsideLevel as _,
            FaceLevel as _, OkLevel as _, OptionLevel as _, TextFaceInsideLevel as _, TextFaceLevel as _,
            TextLevel as _,
        };
        (&&&&&&&&&&&$crate::capture::Probe($value)).capture_by_level($writer);
    }};
}

/// Captures one value into a slot of a probe.
#[macro_export]
macro_rules! cap {
    ($guard:ident, $slot:expr, $value:expr) => {{
        $crate::by_level!(&$value, $guard.slot($slot, $crate::secret::Secrecy::None));
        $guard.close();
    }};
}

/// Captures a value whose name may mean a secret: it is written where it holds no text.
#[macro_export]
macro_rules! cap_unless_text {
    ($guard:ident, $slot:expr, $value:expr) => {{
        $crate::by_level!(&$value, $guard.slot($slot, $crate::secret::Secrecy::IfText));
        $guard.close();
    }};
}

/// Looks at a value that must not be written, to recognise it elsewhere.
#[macro_export]
macro_rules! cap_secret {
    ($guard:ident, $slot:expr, $value:expr) => {{
        $crate::by_level!(&$value, $guard.slot($slot, $crate::secret::Secrecy::Always));
        $guard.close();
    }};
}

/// Captures an argument of the outgoing call whose arguments are being evaluated.
#[macro_export]
macro_rules! cap_argument {
    ($cap:ident, $slot:expr, $value:ident) => {
        if let Some(mut call) = $crate::calls::innermost() {
            $crate::$cap!(call, $slot, $value);
            call.put_back();
        }
    };
}

/// Captures a field of a type; the name is bound to a reference.
#[macro_export]
macro_rules! cap_field {
    ($writer:ident, $field:ident) => {
        $crate::by_level!($field, $writer)
    };
}

/// Captures a value that was rebuilt from its expression, to be compared with the original.
#[macro_export]
macro_rules! rebuilt {
    ($id:expr, $value:ident) => {{
        let mut guard = $crate::probe::rebuilding($id);
        $crate::cap!(guard, 0, $value);
        guard.end();
    }};
}

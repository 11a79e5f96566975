//! The macros that instrumented code captures values with.

/// Captures one value into a slot of a probe.
#[macro_export]
macro_rules! cap {
    ($guard:ident, $slot:expr, $value:expr) => {
        $crate::capture::by_level(&$value)
            .capture_by_level($guard.slot($slot, $crate::secret::Secrecy::None))
    };
}

/// Captures an element of an input if one of the inputs cannot be reconstructed. Evaluating the
/// element executes code of the user.
#[macro_export]
macro_rules! cap_element {
    ($guard:ident, $cap:ident, $slot:expr, $element:expr) => {
        if $guard.lacks_input() {
            if let Some(__situ_element) =
                $guard.element($crate::std::stringify!($element), || &$element)
            {
                $crate::$cap!($guard, $slot, *__situ_element);
                $guard.has_element();
            }
        }
    };
}

/// Captures the result of a call if one of the inputs cannot be reconstructed: a test may use the
/// result instead of that input. Only the first value sets of such a statement are captured.
#[macro_export]
macro_rules! cap_answer {
    ($guard:ident, $cap:ident, $slot:expr, $value:ident) => {
        if $guard.lacks_input() {
            $crate::$cap!($guard, $slot, $value);
            $guard.close();
        }
    };
}

/// Captures a value whose name may mean a secret. It is written unless it contains a string.
#[macro_export]
macro_rules! cap_unless_text {
    ($guard:ident, $slot:expr, $value:expr) => {
        $crate::capture::by_level(&$value)
            .capture_by_level($guard.slot($slot, $crate::secret::Secrecy::IfText))
    };
}

/// Captures a value whose name may mean a secret. It is written if it has less than four chars or
/// digits.
#[macro_export]
macro_rules! cap_unless_long {
    ($guard:ident, $slot:expr, $value:expr) => {
        $crate::capture::by_level(&$value)
            .capture_by_level($guard.slot($slot, $crate::secret::Secrecy::IfLong))
    };
}

/// Inspects a value that was computed from a secret and must not be written.
#[macro_export]
macro_rules! cap_derived {
    ($guard:ident, $slot:expr, $value:expr) => {
        $crate::capture::by_level(&$value)
            .capture_by_level($guard.slot($slot, $crate::secret::Secrecy::Derived))
    };
}

/// Inspects a value that must not be written, to recognise it elsewhere.
#[macro_export]
macro_rules! cap_secret {
    ($guard:ident, $slot:expr, $value:expr) => {
        $crate::capture::by_level(&$value)
            .capture_by_level($guard.slot($slot, $crate::secret::Secrecy::Always))
    };
}

/// Inspects a value with the name of a secret, to recognise it elsewhere. Nothing is recorded of it
/// here.
#[macro_export]
macro_rules! look {
    ($secrecy:ident, $package:expr, $value:ident) => {{
        let secrecy = $crate::secret::Secrecy::$secrecy;
        if let Some(mut look) =
            $crate::look::begin(secrecy, $package, $crate::capture::type_name_of(&$value))
        {
            $crate::capture::by_level(&$value).capture_by_level(look.writer(secrecy));
        }
    }};
}

/// Captures an argument of an outgoing call whose arguments are being evaluated.
#[macro_export]
macro_rules! cap_argument {
    ($call:expr, $cap:ident, $slot:expr, $value:ident) => {
        if let Some(mut call) = $call {
            $crate::$cap!(call, $slot, $value);
            call.close();
            call.put_back();
        }
    };
}

/// Captures a field of a type; the name is bound to a reference.
#[macro_export]
macro_rules! cap_field {
    ($writer:ident, $field:ident) => {
        $crate::capture::by_level($field).capture_by_level($writer)
    };
}

/// Captures a value that was reconstructed from its expression, to be compared with the original.
#[macro_export]
macro_rules! rebuilt {
    ($id:expr, $value:ident) => {{
        let mut guard = $crate::probe::rebuilding($id);
        $crate::cap!(guard, 0, $value);
        guard.close();
        guard.end();
    }};
}

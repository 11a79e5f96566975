//! Literals of numbers.

/// An integer, with the suffix of its type where asked for.
pub fn integer(type_name: &str, bits: u128, with_suffix: bool) -> String {
    let digits = if type_name.starts_with('u') { bits.to_string() } else { (bits as i128).to_string() };
    if with_suffix { format!("{digits}{type_name}") } else { digits }
}

/// A float that has exactly these bits, with the suffix of its type where asked for.
pub fn float(double: bool, bits: u64, with_suffix: bool) -> String {
    let (name, text, same) = if double {
        let value = f64::from_bits(bits);
        ("f64", special(value.is_nan(), value.is_infinite(), value.is_sign_negative()), f64::NAN.to_bits() == bits)
    } else {
        let value = f32::from_bits(bits as u32);
        let same = u64::from(f32::NAN.to_bits()) == bits;
        ("f32", special(value.is_nan(), value.is_infinite(), value.is_sign_negative()), same)
    };
    match text {
        Some("NAN") if !same => format!("{name}::from_bits({bits:#x})"),
        Some(constant) => format!("{name}::{constant}"),
        None => {
            let digits = if double {
                format!("{:?}", f64::from_bits(bits))
            } else {
                format!("{:?}", f32::from_bits(bits as u32))
            };
            format!("{digits}{}", if with_suffix { name } else { "" })
        }
    }
}

fn special(nan: bool, infinite: bool, negative: bool) -> Option<&'static str> {
    match (nan, infinite, negative) {
        (true, _, _) => Some("NAN"),
        (_, true, true) => Some("NEG_INFINITY"),
        (_, true, false) => Some("INFINITY"),
        _ => None,
    }
}

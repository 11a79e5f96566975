#[allow(warnings)]
pub(crate) mod __situ_serde {
    use ::serde::ser::{self, Serialize};
    use ::situ_rt::std::fmt;
    use ::situ_rt::std::string::{String, ToString};
    pub trait SerializeLevel {
        fn capture_by_level(&self, writer: &mut ::situ_rt::Writer);
    }
    impl<'v, T: Serialize + ?Sized> SerializeLevel for &'_ &'_ ::situ_rt::capture::Probe<'v, T> {
        fn capture_by_level(&self, writer: &mut ::situ_rt::Writer) {
            let value: &T = self.0;
            ::situ_rt::capture::by_text(value, writer, |text| value.serialize(Text(text)).is_ok());
        }
    }
    #[derive(Debug)]
    pub struct Failed;
    impl fmt::Display for Failed {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("cannot be shown")
        }
    }
    impl ::situ_rt::std::error::Error for Failed {}
    impl ser::Error for Failed {
        fn custom<T: fmt::Display>(_: T) -> Self {
            Failed
        }
    }
    struct Text<'t>(&'t mut String);
    struct Parts<'t> {
        text: &'t mut String,
        first: bool,
        close: &'static str,
    }
    impl<'t> Text<'t> {
        fn put(self, text: fmt::Arguments<'_>) -> Result<(), Failed> {
            self.0.push_str(&text.to_string());
            Ok(())
        }
        fn parts(self, open: fmt::Arguments<'_>, close: &'static str) -> Result<Parts<'t>, Failed> {
            self.0.push_str(&open.to_string());
            Ok(Parts { text: self.0, first: true, close })
        }
        fn wrapped<T: ?Sized + Serialize>(self, name: &str, value: &T) -> Result<(), Failed> {
            self.0.push_str(name);
            self.0.push_str("(");
            value.serialize(Text(self.0))?;
            self.0.push_str(")");
            Ok(())
        }
    }
    impl<'t> Parts<'t> {
        fn part<T: ?Sized + Serialize>(&mut self, name: &str, value: &T) -> Result<(), Failed> {
            if !self.first {
                self.text.push_str(", ");
            }
            self.first = false;
            self.text.push_str(name);
            if !name.is_empty() {
                self.text.push_str(": ");
            }
            value.serialize(Text(self.text))
        }
        fn closed(self) -> Result<(), Failed> {
            self.text.push_str(self.close);
            Ok(())
        }
    }
    macro_rules! shown {
        ($($name:ident $of:ty,)*) => {
            $(fn $name(self, value: $of) -> Result<(), Failed> { self.put(format_args!("{:?}", value)) })*
        };
    }
    impl<'t> ser::Serializer for Text<'t> {
        type Ok = ();
        type Error = Failed;
        type SerializeSeq = Parts<'t>;
        type SerializeTuple = Parts<'t>;
        type SerializeTupleStruct = Parts<'t>;
        type SerializeTupleVariant = Parts<'t>;
        type SerializeMap = Parts<'t>;
        type SerializeStruct = Parts<'t>;
        type SerializeStructVariant = Parts<'t>;
        shown! {
            serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
            serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
            serialize_u128 u128, serialize_f32 f32, serialize_f64 f64, serialize_char char, serialize_str &str,
            serialize_bytes &[u8],
        }
        fn serialize_none(self) -> Result<(), Failed> {
            self.put(format_args!("None"))
        }
        fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Failed> {
            self.wrapped("Some", value)
        }
        fn serialize_unit(self) -> Result<(), Failed> {
            self.put(format_args!("()"))
        }
        fn serialize_unit_struct(self, name: &'static str) -> Result<(), Failed> {
            self.put(format_args!("{}", name))
        }
        fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Failed> {
            self.put(format_args!("{}", variant))
        }
        fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<(), Failed> {
            self.wrapped(name, value)
        }
        fn serialize_newtype_variant<T: ?Sized + Serialize>(
            self, _: &'static str, _: u32, variant: &'static str, value: &T,
        ) -> Result<(), Failed> {
            self.wrapped(variant, value)
        }
        fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'t>, Failed> {
            self.parts(format_args!("["), "]")
        }
        fn serialize_tuple(self, _: usize) -> Result<Parts<'t>, Failed> {
            self.parts(format_args!("("), ")")
        }
        fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Parts<'t>, Failed> {
            self.parts(format_args!("{}(", name), ")")
        }
        fn serialize_tuple_variant(
            self, _: &'static str, _: u32, variant: &'static str, _: usize,
        ) -> Result<Parts<'t>, Failed> {
            self.parts(format_args!("{}(", variant), ")")
        }
        fn serialize_map(self, _: Option<usize>) -> Result<Parts<'t>, Failed> {
            self.parts(format_args!("{{"), "}")
        }
        fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'t>, Failed> {
            self.parts(format_args!("{} {{ ", name), " }")
        }
        fn serialize_struct_variant(
            self, _: &'static str, _: u32, variant: &'static str, _: usize,
        ) -> Result<Parts<'t>, Failed> {
            self.parts(format_args!("{} {{ ", variant), " }")
        }
        fn collect_str<T: ?Sized + fmt::Display>(self, value: &T) -> Result<(), Failed> {
            self.put(format_args!("{:?}", value.to_string()))
        }
    }
    macro_rules! parts {
        ($($of:ident $name:ident,)*) => {$(
            impl<'t> ser::$of for Parts<'t> {
                type Ok = ();
                type Error = Failed;
                fn $name<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Failed> { self.part("", value) }
                fn end(self) -> Result<(), Failed> { self.closed() }
            }
        )*};
    }
    parts! {
        SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field,
        SerializeTupleVariant serialize_field,
    }
    macro_rules! fields {
        ($($of:ident,)*) => {$(
            impl<'t> ser::$of for Parts<'t> {
                type Ok = ();
                type Error = Failed;
                fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Failed> {
                    self.part(key, value)
                }
                fn end(self) -> Result<(), Failed> { self.closed() }
            }
        )*};
    }
    fields! { SerializeStruct, SerializeStructVariant, }
    impl<'t> ser::SerializeMap for Parts<'t> {
        type Ok = ();
        type Error = Failed;
        fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Failed> {
            self.part("", key)
        }
        fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Failed> {
            self.text.push_str(": ");
            value.serialize(Text(self.text))
        }
        fn end(self) -> Result<(), Failed> {
            self.closed()
        }
    }
}

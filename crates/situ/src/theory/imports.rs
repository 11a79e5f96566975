//! `datapoints_from!`.

/// Lets the theories of this module and the modules inside it use the data points of another module.
///
/// ```ignore
/// situ::datapoints_from!(crate::shared_points);
/// ```
///
/// The path is that of a module, or of one data point. A path at which there is none fails those theories.
#[macro_export]
macro_rules! datapoints_from {
    ($($($segment:ident)::+),+ $(,)?) => {$(
        #[cfg(test)]
        const _: () = {
            #[allow(unused_imports)]
            use $($segment)::+ as _;

            $crate::theory::generated::inventory::submit! {
                $crate::theory::generated::Import {
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    line: ::core::line!(),
                    path: ::core::stringify!($($segment)::+),
                }
            }
        };
    )+};
    ($($other:tt)*) => {
        ::core::compile_error!("name a module or a data point: `datapoints_from!(crate::points)`");
    };
}

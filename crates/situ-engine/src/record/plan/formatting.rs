//! Implementations of `Debug` and `Display` in the workspace that do more than write fields. They
//! are disabled while a value is captured: they may take a lock that is held, and their side
//! effects would come from the recorder.

use super::{Insertion, Planner};
use crate::source::{SourceFile, byte_range, parse_tokens_with};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprCall, ExprMethodCall, ExprUnsafe, ImplItem, ItemImpl, Macro, Token};

/// Plans code that disables a file's implementations of `Debug` and `Display` during captures.
pub(super) fn plan_formatting(planner: &mut Planner<'_>, file: &SourceFile) {
    Formatting { planner, file }.visit_file(&file.tree);
}

struct Formatting<'f, 'p> {
    planner: &'f mut Planner<'p>,
    file: &'f SourceFile,
}

impl<'ast> Visit<'ast> for Formatting<'_, '_> {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let of_trait = item
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last());
        let question = match of_trait.map(|last| last.ident.to_string()).as_deref() {
            Some("Debug") => "leaves_out_debug",
            Some("Display") => "leaves_out_display",
            _ => return visit::visit_item_impl(self, item),
        };
        for method in &item.items {
            if let ImplItem::Fn(method) = method
                && method.sig.ident == "fmt"
                && !is_plain(&method.block)
            {
                self.leave_out(&method.block, question);
            }
        }
        visit::visit_item_impl(self, item);
    }
}

impl Formatting<'_, '_> {
    fn leave_out(&mut self, block: &Block, question: &str) {
        let id = self
            .planner
            .identity(&self.file.module.join("::"), question);
        let piece = self.planner.piece(format!("formatting {id:x}"), None, None);
        let opening = byte_range(&block.brace_token.span.join()).start + 1;
        let text = format!(
            " if ::situ_recorder::foreign::{question}() {{ return ::situ_recorder::std::result::Result::Ok(()); }} "
        );
        self.planner.insertions.push(Insertion::statement_before(
            &(opening..opening),
            text,
            piece,
        ));
    }
}

/// Methods of formatters, and methods of standard types without side effects.
const METHODS: &[&str] = &[
    "alternate",
    "as_bytes",
    "as_deref",
    "as_ref",
    "as_slice",
    "as_str",
    "bytes",
    "chars",
    "chunks",
    "collect",
    "concat",
    "contains",
    "copied",
    "debug_list",
    "debug_map",
    "debug_set",
    "debug_struct",
    "debug_tuple",
    "display",
    "ends_with",
    "entries",
    "entry",
    "enumerate",
    "field",
    "fill",
    "filter",
    "finish",
    "finish_non_exhaustive",
    "first",
    "fmt",
    "is_empty",
    "is_err",
    "is_none",
    "is_ok",
    "is_some",
    "iter",
    "join",
    "key",
    "keys",
    "last",
    "len",
    "map",
    "map_or",
    "map_or_else",
    "pad",
    "pad_integral",
    "precision",
    "rev",
    "sign_plus",
    "skip",
    "split",
    "starts_with",
    "to_owned",
    "to_string",
    "to_string_lossy",
    "trim",
    "unwrap_or",
    "unwrap_or_default",
    "value",
    "values",
    "width",
    "write_char",
    "write_fmt",
    "write_str",
    "zip",
];

/// Functions without side effects, by the last segment of their path.
const FUNCTIONS: &[&str] = &[
    "Err",
    "None",
    "Ok",
    "Some",
    "fmt",
    "from_fn",
    "from_utf8",
    "from_utf8_lossy",
];

const MACROS: &[&str] = &[
    "concat",
    "format",
    "format_args",
    "matches",
    "stringify",
    "write",
    "writeln",
];

/// Returns whether the body of a `fmt` only writes the value's contents.
fn is_plain(block: &Block) -> bool {
    let mut search = Plain(true);
    search.visit_block(block);
    search.0
}

struct Plain(bool);

impl Plain {
    fn require(&mut self, list: &[&str], name: Option<String>) {
        self.0 &= name.is_some_and(|name| list.contains(&name.as_str()));
    }
}

impl<'ast> Visit<'ast> for Plain {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.require(METHODS, Some(call.method.to_string()));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        let name = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        self.require(FUNCTIONS, name);
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.require(
            MACROS,
            call.path.segments.last().map(|last| last.ident.to_string()),
        );
        if call.path.is_ident("matches") {
            return;
        }
        match parse_tokens_with(
            Punctuated::<Expr, Token![,]>::parse_terminated,
            call.tokens.clone(),
        ) {
            Ok(arguments) => arguments
                .iter()
                .for_each(|argument| self.visit_expr(argument)),
            Err(_) => self.0 = false,
        }
    }

    fn visit_expr_unsafe(&mut self, _: &'ast ExprUnsafe) {
        self.0 = false;
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn what_writes_fields_is_plain_and_what_may_wait_or_change_something_is_not() {
        for (source, expected) in [
            ("f.debug_struct(\"P\").field(\"x\", &self.x).finish()", true),
            (
                "match self { A => write!(f, \"a\"), B(n) => write!(f, \"{}-{n}\", n.len()) }",
                true,
            ),
            (
                "for part in &self.0 { writeln!(f, \"{part}\")?; } Ok(())",
                true,
            ),
            ("fmt::Display::fmt(&self.0, f)", true),
            ("write!(f, \"{:?}\", self.entries.lock())", false),
            ("COUNT.fetch_add(1, Relaxed); f.write_str(\"x\")", false),
            ("write!(f, \"{}\", self.cell.borrow())", false),
            ("log(self); Ok(())", false),
            ("unsafe { SHOWN += 1 }; Ok(())", false),
            ("println!(\"shown\"); Ok(())", false),
        ] {
            let block = syn::parse_str(&format!("{{ {source} }}")).unwrap();
            assert_eq!(is_plain(&block), expected, "{source}");
        }
    }
}

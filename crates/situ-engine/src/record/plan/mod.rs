//! Plans the insertions into a crate's sources that record it. Pure: syntax trees in, insertions
//! out.

mod answers;
mod calls;
mod calls_in_macros;
mod changes;
mod closures;
mod conditions;
mod description;
mod exits;
mod formatting;
mod fragments;
mod functions;
mod generics;
mod in_situ;
mod known_types;
mod marks;
mod mentions;
mod opaque_calls;
mod outside;
mod pieces;
mod places;
mod probes;
mod scope;
mod secrecy;
mod seen_secrets;
mod site;
mod slice_makers;
mod statements;
mod streams;
mod tails;
mod type_facts;
mod types;
mod unrecorded;
mod unsafe_free;
mod used_streams;
mod walk;

pub use changes::is_changing_method;
pub use description::NoSite;
pub use fragments::BODY;
pub use in_situ::as_watched;
pub use outside::WorkspaceNames;
pub use pieces::{Insertion, Piece, is_dropped, weave, with_keys};
pub use places::bindings_of;
pub use site::{Phase, Position, Site, Slot, SlotKey};
pub use streams::{StreamParameter, StreamTrait, known_as_stream, stream_below};

use crate::cargo::workspace::SecretNames;
use crate::source::SourceFile;
use serde::{Deserialize, Serialize};
use situ_recorder::bytes::checksum;
use situ_recorder::secret::{Names, Secrecy};
use situ_syntax::is_conditional;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use syn::Item;

/// What to record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// Whether to record the statements of the target kinds.
    pub targets: bool,
    pub all_statements: bool,
    /// Statements at these files and lines.
    pub at: Vec<(PathBuf, usize)>,
    /// Whether to record arguments and results of functions.
    pub functions: bool,
    /// Whether to record calls of functions outside the workspace, as part of their callers'
    /// records.
    #[serde(default)]
    pub calls: bool,
    /// Functions of the workspace whose calls are recorded like outgoing ones: `load`,
    /// `Catalog::parse`, `.save` for a method.
    #[serde(default)]
    pub own_calls: BTreeSet<String>,
    /// Whether to record blocks of several statements, and closures.
    #[serde(default)]
    pub fragments: bool,
    /// Whether to record the data that passes through parameters and fields whose type is only
    /// known to be a stream: for statements, and with `calls` also for functions.
    #[serde(default)]
    pub streams: bool,
    /// Whether to record results of calls inside statements, if an input cannot be rebuilt.
    #[serde(default)]
    pub answers: bool,
    /// Whether to require implementors of the workspace's traits to be capturable.
    pub through_traits: bool,
    /// Additional names of secrets, and names that are no secrets here.
    pub secrets: SecretNames,
}

/// Crate to instrument.
#[derive(Clone, Debug)]
pub struct Crate {
    pub package: String,
    /// Crate name with underscores.
    pub name: String,
    pub edition: String,
    pub workspace: WorkspaceNames,
    /// Whether the crate depends on `serde`.
    pub has_serde: bool,
}

/// All insertions into a crate.
#[derive(Debug, Default)]
pub struct Plan {
    /// Pieces, by number.
    pub pieces: Vec<Piece>,
    /// Instrumented places.
    pub sites: Vec<Site>,
    /// Insertions of each file, in the order of the files.
    pub insertions: Vec<Vec<Insertion>>,
    /// Number of functions found.
    pub functions: usize,
    /// Branches of each file, in the order of the files.
    pub branches: Vec<Vec<Branch>>,
}

impl Plan {
    /// Adds the pieces and insertions of another plan for the same files.
    pub fn extend(&mut self, other: Plan) {
        let by = self.pieces.len();
        self.pieces
            .extend(other.pieces.into_iter().map(|piece| Piece {
                parent: piece.parent.map(|parent| parent + by),
                ..piece
            }));
        for (own, others) in self.insertions.iter_mut().zip(other.insertions) {
            own.extend(others.into_iter().map(|insertion| insertion.shifted(by)));
        }
    }
}

/// Branch of a function that gets a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    pub mark: u32,
    /// Byte offset of the branch's start.
    pub at: usize,
}

/// Expression to evaluate and capture, compiled at the end of a file. It must rebuild a recorded
/// value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Number of the value.
    pub id: u64,
    /// Path relative to the workspace root.
    pub file: String,
    pub expression: String,
}

/// Name prefix of the tests that evaluate the expressions of [`Check`].
pub const CHECK_NAME: &str = "situ_round_trip";

/// Plans a crate that captures the values of expressions, and nothing else.
pub fn plan_checks(krate: &Crate, files: &[SourceFile], wanted: &Wanted, checks: &[Check]) -> Plan {
    let mut planner = Planner::new(krate, wanted, files);
    let prelude = if files.first().is_some_and(is_without_std) && krate.edition != "2015" {
        PRELUDE
    } else {
        ""
    };
    for (number, file) in files.iter().enumerate() {
        if number == 0 {
            planner.extern_crate(file);
        }
        types::plan_types(&mut planner, file);
        let path = file.path.to_string_lossy();
        let own: Vec<&Check> = checks.iter().filter(|check| check.file == path).collect();
        let end = file.text.len()..file.text.len();
        for (batch, own) in own.chunks(CHECKS_A_FUNCTION).enumerate() {
            let piece = planner.piece(format!("{CHECK_NAME} {path} {batch}"), None, None);
            let open = format!(" #[cfg(test)] #[test] fn {CHECK_NAME}_{batch}() {{ {prelude}");
            planner
                .insertions
                .push(Insertion::statement_before(&end, open, piece));
            for check in own {
                let one = planner.piece(format!("check {:x}", check.id), Some(piece), None);
                let text = format!(
                    "match ({}) {{ v => ::situ_recorder::rebuilt!({:#x}, v) }} ",
                    check.expression, check.id
                );
                planner
                    .insertions
                    .push(Insertion::statement_before(&end, text, one));
            }
            planner
                .insertions
                .push(Insertion::statement_before(&end, "}", piece));
        }
        let insertions = std::mem::take(&mut planner.insertions);
        planner.plan.insertions.push(insertions);
    }
    planner.plan
}

/// Imports that a test in a `no_std` crate needs to write its values.
const PRELUDE: &str = "#[allow(unused_imports)] extern crate std; #[allow(unused_imports)] use std::{prelude::v1::*, vec}; ";

/// Returns whether a crate is `no_std`, perhaps only in some configurations.
fn is_without_std(root: &SourceFile) -> bool {
    root.tree.attrs.iter().any(|attribute| {
        quote::ToTokens::to_token_stream(attribute)
            .into_iter()
            .any(|token| token.to_string().contains("no_std"))
    })
}

/// Number of expressions per function. Larger functions compile slowly.
const CHECKS_A_FUNCTION: usize = 100;

/// Plans the instrumentation of a crate.
pub fn plan(krate: &Crate, files: &[SourceFile], wanted: &Wanted) -> Plan {
    let mut planner = Planner::new(krate, wanted, files);
    planner.plan_files(files, |_, _| {});
    planner.describe_sites(files);
    planner.plan
}

/// Plans a crate whose values can be captured and whose branches have marks, without probes. The
/// marks are the same as in a recording with the same settings.
pub fn plan_observations(krate: &Crate, files: &[SourceFile], wanted: &Wanted) -> Plan {
    let mut planner = Planner::new(krate, wanted, files);
    planner.plan_files(files, Planner::keep_marks);
    planner.plan
}

/// Returns the statics of a crate with interior mutability. A statement may change them although
/// they are not local variables.
fn statics_of(files: &[SourceFile]) -> BTreeSet<String> {
    let items = files.iter().flat_map(|file| &file.tree.items);
    items
        .filter_map(|item| match item {
            Item::Static(item) => {
                let of_type = quote::ToTokens::to_token_stream(&item.ty).to_string();
                let changes = ["Cell", "Mutex", "RwLock", "Atomic"]
                    .iter()
                    .any(|word| of_type.contains(word));
                let is_lazy = of_type.contains("Once") || of_type.contains("Lazy");
                (changes && !is_lazy).then(|| item.ident.to_string())
            }
            _ => None,
        })
        .collect()
}

/// State while a crate's instrumentation is planned.
struct Planner<'p> {
    krate: &'p Crate,
    wanted: &'p Wanted,
    names: Names,
    /// Whether the crate's code can name `serde`.
    can_name_serde: bool,
    /// Types that manage memory by hand, or contain such types.
    by_hand: type_facts::ByHand,
    slice_makers: BTreeMap<String, slice_makers::SliceMaker>,
    plan: Plan,
    /// Number of occurrences of each text in a function, to distinguish equal statements.
    same: HashMap<String, usize>,
    /// Insertions of the current file.
    insertions: Vec<Insertion>,
    /// Branches of the current file.
    branches: Vec<Branch>,
    statics: BTreeSet<String>,
    /// Fields that contain mutable references, or may.
    referring_fields: BTreeSet<String>,
    /// Traits of the crate that are streams and whose implementors add nothing.
    stream_traits: BTreeMap<String, StreamTrait>,
    /// Fields whose type is a parameter of their struct.
    generic_fields: BTreeMap<String, Vec<type_facts::GenericField>>,
    /// Traits that are implemented for generic types.
    generically_implemented: BTreeSet<String>,
    in_functions: bool,
    /// Generic parameters in scope.
    generics: Vec<generics::Generic>,
    /// Decides which calls leave the workspace.
    outside: outside::Outside,
    /// Id of the function that is being visited.
    function_id: u64,
    /// Descriptions of sites, by number.
    site_texts: HashMap<usize, String>,
    /// Number of probes and wrappers so far. Of two around the same code, the earlier is outside.
    layers: usize,
}

/// Returns whether a root declares `extern crate serde` unconditionally. In the 2015 edition, paths
/// start there.
fn declares_serde(root: &SourceFile) -> bool {
    root.tree.items.iter().any(|item| match item {
        Item::ExternCrate(item) => {
            item.ident == "serde" && item.rename.is_none() && !is_conditional(&item.attrs)
        }
        _ => false,
    })
}

impl<'p> Planner<'p> {
    fn new(krate: &'p Crate, wanted: &'p Wanted, files: &[SourceFile]) -> Planner<'p> {
        Planner {
            krate,
            wanted,
            names: Names::new(&wanted.secrets.names, &wanted.secrets.not_secret),
            can_name_serde: krate.has_serde
                && (krate.edition != "2015" || files.first().is_some_and(declares_serde)),
            by_hand: type_facts::held_by_hand(files),
            slice_makers: slice_makers::slice_makers(files),
            plan: Plan::default(),
            same: HashMap::new(),
            insertions: Vec::new(),
            branches: Vec::new(),
            statics: statics_of(files),
            referring_fields: type_facts::referring_fields(files),
            stream_traits: if wanted.streams && wanted.calls {
                streams::stream_traits(files)
            } else {
                BTreeMap::new()
            },
            generic_fields: if wanted.streams {
                type_facts::generic_fields(files)
            } else {
                BTreeMap::new()
            },
            generically_implemented: type_facts::generically_implemented(files),
            in_functions: false,
            generics: Vec::new(),
            outside: outside::Outside::of(&krate.workspace, files),
            function_id: 0,
            site_texts: HashMap::new(),
            layers: 0,
        }
    }
}

impl Planner<'_> {
    /// Plans all files. Calls `then` with the index of the first insertion into each file's code.
    fn plan_files(&mut self, files: &[SourceFile], then: impl Fn(&mut Self, usize)) {
        for (number, file) in files.iter().enumerate() {
            if number == 0 {
                self.extern_crate(file);
            }
            self.in_functions = false;
            types::plan_types(self, file);
            known_types::plan_known_types(self, file, number == 0);
            streams::plan_stream_traits(self, file);
            formatting::plan_formatting(self, file);
            self.in_functions = true;
            let of_types = self.insertions.len();
            walk::plan_code(self, file);
            then(self, of_types);
            let insertions = std::mem::take(&mut self.insertions);
            self.plan.insertions.push(insertions);
            let branches = std::mem::take(&mut self.branches);
            self.plan.branches.push(branches);
        }
    }

    /// Drops all insertions from `from` on that are no marks.
    fn keep_marks(&mut self, from: usize) {
        let code = self.insertions.split_off(from);
        let is_mark = |insertion: &Insertion| {
            self.plan.pieces[insertion.piece()]
                .key
                .starts_with(marks::KEY)
        };
        self.insertions.extend(code.into_iter().filter(is_mark));
    }

    /// Returns a new layer, inside all others.
    fn layer(&mut self) -> usize {
        self.layers += 1;
        self.layers
    }

    fn piece(&mut self, key: String, parent: Option<usize>, variable: Option<String>) -> usize {
        let function = self.in_functions.then_some(self.plan.functions);
        self.plan.pieces.push(Piece {
            key,
            parent,
            variable,
            slot: None,
            function,
        });
        self.plan.pieces.len() - 1
    }

    /// Inserts `extern crate` for the 2015 edition, in which a crate must be declared before it can
    /// be named.
    fn extern_crate(&mut self, file: &SourceFile) {
        if self.krate.edition != "2015" {
            return;
        }
        let Some(first) = file.tree.items.first() else {
            return;
        };
        let piece = self.piece("extern crate".to_owned(), None, None);
        let node = crate::source::byte_range(first);
        self.insertions.push(Insertion::statement_before(
            &node,
            "extern crate situ_recorder; ",
            piece,
        ));
    }

    /// Inserts the descriptions of all sites after the last item of the root.
    fn describe_sites(&mut self, files: &[SourceFile]) {
        let (Some(root), false) = (files.first(), self.plan.sites.is_empty()) else {
            return;
        };
        let piece = self.piece("sites".to_owned(), None, None);
        let end = known_types::end_of(root);
        let text = self.sites_text();
        self.plan.insertions[0].push(Insertion::statement_before(&end, text, piece));
    }

    fn secrecy(&self, name: &str) -> Secrecy {
        self.names.secrecy(name)
    }

    /// Returns an id for a text at a place. It is the same in every build as long as the text and
    /// its function do not change.
    fn identity(&mut self, place: &str, text: &str) -> u64 {
        let key = format!("{}\u{1f}{place}\u{1f}{text}", self.krate.package);
        let nth = self.same.entry(key.clone()).or_default();
        *nth += 1;
        checksum(format!("{key}\u{1f}{nth}").as_bytes())
    }
}

#[cfg(test)]
mod tests;

//! Calls of functions outside the workspace. Each is recorded with the function call and the
//! statements that made it.
//!
//! A call belongs to the running function whose source contains it, not to the innermost function
//! of the thread: a closure that is passed on still makes its calls for the function that wrote it.

use std::cell::{Cell, RefCell};
use std::thread;

use crate::recording::{Exit, encode_call};
use crate::reentrancy::{self, is_disabled, unrecorded};
use crate::secret::Secrecy;
use crate::site::{Site, Sites};
use crate::slots::Slots;
use crate::{Writer, recorder, stack};

/// The maximum number of outgoing calls in one record.
const MAX_CALLS: usize = 100;

/// A function that is being executed.
#[derive(Debug)]
struct Running {
    function: u64,
    id: u64,
}

/// A record that collects the outgoing calls of a running function.
#[derive(Debug)]
struct Collector {
    id: u64,
    running: u64,
    collected: Collected,
}

/// The outgoing calls of one record.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    /// The encoded calls, in the order in which they returned.
    pub calls: Vec<Vec<u8>>,
    /// Whether there were more than [`MAX_CALLS`].
    pub is_cut: bool,
}

thread_local! {
    static NEXT: Cell<u64> = const { Cell::new(1) };
    static RUNNING: RefCell<Vec<Running>> = const { RefCell::new(Vec::new()) };
    static COLLECTORS: RefCell<Vec<Collector>> = const { RefCell::new(Vec::new()) };
    /// The calls that have not returned yet or whose arguments are being evaluated, innermost last.
    static OPEN: RefCell<Vec<Flight>> = const { RefCell::new(Vec::new()) };
}

/// Returns a number that is unique among the functions, records and calls of the thread.
fn next() -> u64 {
    NEXT.try_with(|next| next.replace(next.get() + 1))
        .unwrap_or(0)
}

/// The guard of a running function, dropped when the function ends.
#[derive(Debug)]
pub struct Activation(u64);

/// Notes that a function with outgoing calls begins.
#[inline(never)]
pub fn activate(function: u64) -> Activation {
    let Some(_stay) = reentrancy::enter() else {
        return Activation(0);
    };
    let id = next();
    let _ = RUNNING.try_with(|running| running.borrow_mut().push(Running { function, id }));
    Activation(id)
}

impl Drop for Activation {
    fn drop(&mut self) {
        let _ = RUNNING.try_with(|running| {
            let mut running = running.borrow_mut();
            // It is nearly always the last one, however deep the recursion.
            let own = running.iter().rposition(|other| other.id == self.0);
            own.map(|at| running.remove(at));
        });
    }
}

/// Returns the innermost running call of a function.
fn running(function: u64) -> Option<u64> {
    let find = |running: &RefCell<Vec<Running>>| {
        running
            .borrow()
            .iter()
            .rfind(|running| running.function == function)
            .map(|running| running.id)
    };
    RUNNING.try_with(find).ok().flatten()
}

/// Starts to collect the outgoing calls of a function for a record.
pub(crate) fn collect(function: u64) -> Option<u64> {
    let running = running(function).filter(|_| function != 0)?;
    let id = next();
    let collector = Collector {
        id,
        running,
        collected: Collected::default(),
    };
    COLLECTORS
        .try_with(|collectors| collectors.borrow_mut().push(collector))
        .ok()?;
    Some(id)
}

/// Ends a collection. Returns `None` if the record has moved to another thread.
pub(crate) fn collected(id: u64) -> Option<Collected> {
    let take = |collectors: &RefCell<Vec<Collector>>| {
        let mut collectors = collectors.borrow_mut();
        let at = collectors
            .iter()
            .rposition(|collector| collector.id == id)?;
        Some(collectors.remove(at).collected)
    };
    COLLECTORS.try_with(take).ok().flatten()
}

fn is_collected(running: u64) -> bool {
    COLLECTORS
        .try_with(|collectors| {
            collectors
                .borrow()
                .iter()
                .any(|collector| collector.running == running)
        })
        .unwrap_or(false)
}

/// An outgoing call that is being recorded.
#[derive(Debug)]
pub struct Call {
    id: u64,
    flight: Option<Flight>,
}

#[derive(Debug)]
struct Flight {
    id: u64,
    site: &'static Site,
    /// The crate that makes the call: methods of its own types are no outgoing calls.
    krate: &'static str,
    running: u64,
    slots: Slots,
}

/// Notes that a call begins, if some record collects it.
#[inline(never)]
pub fn begin(sites: &'static Sites, number: u32, krate: &'static str) -> Call {
    let off = Call {
        id: 0,
        flight: None,
    };
    let Some(_stay) = reentrancy::enter() else {
        return off;
    };
    let site = sites.get(number);
    let Some(recorder) = recorder::get() else {
        return off;
    };
    let Some(running) = running(site.function).filter(|running| is_collected(*running)) else {
        return off;
    };
    if !stack::has_room() {
        return off;
    }
    let id = next();
    let slots = Slots::new(recorder, site);
    Call {
        id,
        flight: Some(Flight {
            id,
            site,
            krate,
            running,
            slots,
        }),
    }
}

/// Returns the call at a site whose arguments are being evaluated, or `None` if it is not recorded.
/// An argument may itself contain calls, even at the same site.
#[inline(never)]
pub fn awaiting(sites: &'static Sites, number: u32) -> Option<Call> {
    let _stay = reentrancy::enter()?;
    let site = sites.get(number);
    let running = running(site.function)?;
    let take = |open: &RefCell<Vec<Flight>>| {
        let mut open = open.borrow_mut();
        let last = open.last()?;
        let is_it = std::ptr::eq(last.site, site) && last.running == running;
        if is_it { open.pop() } else { None }
    };
    let flight = OPEN.try_with(take).ok().flatten()?;
    Some(Call {
        id: flight.id,
        flight: Some(flight),
    })
}

/// Returns the receiver of the call at a site unchanged. Calls on types that are plain data are
/// dropped.
#[inline(never)]
pub fn receiver<T>(sites: &'static Sites, number: u32, value: T) -> T {
    if let Some(mut call) = awaiting(sites, number) {
        call.on_type(std::any::type_name::<T>());
        call.put_back();
    }
    value
}

impl Call {
    /// Returns whether the call is recorded.
    #[inline(never)]
    pub fn on(&self) -> bool {
        self.flight.is_some() && !is_disabled()
    }

    /// Notes the type of the receiver. Calls on types that are plain data are dropped.
    #[inline(never)]
    pub fn on_type(&mut self, type_name: &'static str) {
        if self
            .flight
            .as_ref()
            .is_some_and(|flight| !is_outside(type_name, flight.krate))
        {
            self.flight = None;
        }
    }

    /// Opens a slot for the value that is captured next.
    #[inline(never)]
    pub fn slot(&mut self, slot: u32, secrecy: Secrecy) -> &mut Writer {
        static NOWHERE: Site = Site::new(0, "");
        let unused = || {
            let _inside = unrecorded();
            Flight {
                id: 0,
                site: &NOWHERE,
                krate: "",
                running: 0,
                slots: Slots::unused(),
            }
        };
        self.flight
            .get_or_insert_with(unused)
            .slots
            .open(slot, secrecy)
    }

    /// Closes the last slot.
    #[inline(never)]
    pub fn close(&mut self) {
        if let Some(flight) = &mut self.flight {
            flight.slots.close();
        }
    }

    /// Stores the call in the thread, where the capture of its arguments finds it.
    #[inline(never)]
    pub fn opened(mut self) -> Call {
        let id = if self.flight.is_some() { self.id } else { 0 };
        self.wait();
        Call { id, flight: None }
    }

    /// Stores the call in the thread again, after one of its arguments was captured.
    #[inline(never)]
    pub fn put_back(mut self) {
        self.wait();
    }

    fn wait(&mut self) {
        self.id = 0;
        if let Some(flight) = self.flight.take() {
            let _inside = unrecorded();
            let _ = OPEN.try_with(|open| open.borrow_mut().push(flight));
        }
    }

    fn take_back(&mut self) {
        let id = std::mem::take(&mut self.id);
        if id == 0 || self.flight.is_some() {
            return;
        }
        let take = |open: &RefCell<Vec<Flight>>| {
            let mut open = open.borrow_mut();
            let at = open.iter().rposition(|flight| flight.id == id)?;
            Some(open.remove(at))
        };
        self.flight = OPEN.try_with(take).ok().flatten();
    }

    /// Notes that the call returned, and returns whether to capture its result.
    #[inline(never)]
    pub fn returned(&mut self) -> bool {
        self.take_back();
        self.on()
    }

    /// Completes the call and adds it to the records that collect it.
    #[inline(never)]
    pub fn end(&mut self) {
        if let Some(flight) = self.flight.take() {
            let _inside = unrecorded();
            keep(&flight, &Exit::Through);
            drop(flight);
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        // If an argument left the function, the call was never made.
        let was_out = self.id != 0 && self.flight.is_none();
        self.take_back();
        if let Some(mut flight) = self.flight.take() {
            if is_disabled() {
                return std::mem::forget(flight);
            }
            flight.slots.close();
            let _inside = unrecorded();
            if was_out && thread::panicking() {
                keep(&flight, &Exit::Panic(recorder::last_panic()));
            }
            drop(flight);
        }
    }
}

/// Adds a call to all records that collect it.
fn keep(flight: &Flight, exit: &Exit) {
    if let Some(recorder) = recorder::get() {
        flight.site.describe(recorder);
    }
    let call = encode_call(flight.site.id, exit, &flight.slots.writer);
    let _ = COLLECTORS.try_with(|collectors| {
        for collector in collectors
            .borrow_mut()
            .iter_mut()
            .filter(|other| other.running == flight.running)
        {
            match collector.collected.calls.len() < MAX_CALLS {
                true => collector.collected.calls.push(call.clone()),
                false => collector.collected.is_cut = true,
            }
        }
    });
}

/// The modules of the standard library whose types interact with the outside world.
const REACHING_OUT: [&str; 8] = [
    "std::env::",
    "std::fs::",
    "std::io::",
    "std::net::",
    "std::os::",
    "std::process::",
    "std::thread::",
    "std::time::",
];

/// Returns whether a test would want to mock methods of this type: it belongs to another crate, or
/// to a part of the standard library that interacts with the outside world.
fn is_outside(type_name: &str, krate: &str) -> bool {
    const WRAPPERS: [&str; 7] = [
        "&",
        "mut ",
        "dyn ",
        "alloc::boxed::Box<",
        "alloc::rc::Rc<",
        "alloc::sync::Arc<",
        "core::pin::Pin<",
    ];
    let mut bare = type_name;
    while let Some(inner) = WRAPPERS
        .iter()
        .find_map(|wrapper| bare.strip_prefix(wrapper))
    {
        bare = inner;
    }
    match bare.split_once("::").map(|(root, _)| root) {
        None | Some("core" | "alloc") => false,
        Some("std") => REACHING_OUT.iter().any(|module| bare.starts_with(module)),
        Some(root) => {
            root != krate
                && root
                    .chars()
                    .all(|char| char.is_alphanumeric() || char == '_')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_data_and_of_own_types_are_no_outgoing_calls() {
        for outside in [
            "regex::Regex",
            "&mut std::fs::File",
            "alloc::boxed::Box<dyn std::io::Read>",
            "&dyn http::Get",
        ] {
            assert!(is_outside(outside, "mine"), "{outside}");
        }
        for data in [
            "u8",
            "&str",
            "alloc::string::String",
            "mine::Point",
            "(std::fs::File, u8)",
            "[http::Get]",
        ] {
            assert!(!is_outside(data, "mine"), "{data}");
        }
        assert!(!is_outside(
            "std::collections::hash::map::HashMap<u8, u8>",
            "mine"
        ));
    }

    #[test]
    fn a_record_collects_the_calls_of_its_own_function_only() {
        let outer = activate(1);
        let statement = collect(1).unwrap();
        let _inner = activate(2);
        let other = collect(2).unwrap();
        static SITE: Site = Site::within(1, 7, "");
        let flight = Flight {
            id: 9,
            site: &SITE,
            krate: "",
            running: running(1).unwrap(),
            slots: Slots::unused(),
        };
        keep(&flight, &Exit::Through);
        assert_eq!(collected(statement).unwrap().calls.len(), 1);
        assert_eq!(collected(other).unwrap().calls.len(), 0);
        drop(outer);
        assert_eq!(running(1), None);
    }

    #[test]
    fn arguments_are_captured_for_the_call_at_their_own_site_only() {
        static SITES: Sites = Sites::new("1\u{1d}5\u{1d}outer\u{1c}2\u{1d}6\u{1d}inner");
        let _outer = activate(5);
        let flight = Flight {
            id: 9,
            site: SITES.get(0),
            krate: "",
            running: running(5).unwrap(),
            slots: Slots::unused(),
        };
        Call {
            id: 9,
            flight: Some(flight),
        }
        .put_back();
        let _inner = activate(6);
        assert!(
            awaiting(&SITES, 1).is_none(),
            "the callee's arguments are not those of its caller"
        );
        let again = activate(5);
        assert!(
            awaiting(&SITES, 0).is_none(),
            "a function that runs again evaluates arguments of its own"
        );
        drop(again);
        assert!(awaiting(&SITES, 0).is_some());
    }

    #[test]
    fn a_function_that_calls_itself_keeps_its_calls_apart() {
        let _outer = activate(3);
        let first = collect(3).unwrap();
        let inner = activate(3);
        let second = collect(3).unwrap();
        static SITE: Site = Site::within(3, 7, "");
        let keep_one = || {
            let running = running(3).unwrap();
            keep(
                &Flight {
                    id: 9,
                    site: &SITE,
                    krate: "",
                    running,
                    slots: Slots::unused(),
                },
                &Exit::Through,
            );
        };
        keep_one();
        drop(inner);
        keep_one();
        keep_one();
        assert_eq!(collected(second).unwrap().calls.len(), 1);
        assert_eq!(collected(first).unwrap().calls.len(), 2);
    }
}

//! Probes: the functions that instrumented code calls before and after a statement or function.
//!
//! A probe is a guard: if the statement exits early or panics, its drop records that. Nothing here
//! may make a program fail: any error switches recording off. Each function that allocates or locks
//! takes the reentrancy guard first, and does nothing if the thread holds it already.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crate::bytes::checksum;
use crate::foreign::{self, Purpose};
use crate::recording::{Encoded, Exit, Unique, Way, encode_unique, encode_values};
use crate::reentrancy::{self, unrecorded};
use crate::secret::Secrecy;
pub use crate::site::{Site, Sites};
use crate::slots::Slots;
use crate::stack::{self, Level};
use crate::streams::{Passed, StandIn};
use crate::{Writer, calls, marks, recorder};

/// Creates a probe for one reconstructed value.
pub fn rebuilding(id: u64) -> Guard {
    start(|| Box::leak(Box::new(Site::new(id, ""))), false)
}

/// Returns its argument; used to fix the type of an expression.
#[inline(always)]
pub fn same<T>(value: T) -> T {
    value
}

/// The slot that says that not all elements of a loop were captured.
pub const ITEMS_CUT: u32 = u32::MAX;

/// The slot that says that not all outgoing calls were recorded.
pub const CALLS_CUT: u32 = u32::MAX - 1;

/// The maximum number of captured elements of a loop.
const MAX_ITEMS: u32 = 1000;

thread_local! {
    /// The functions that are being recorded, innermost last.
    static CALLERS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    /// The number of this thread; zero before it is first used.
    static THREAD: Cell<u64> = const { Cell::new(0) };
}

/// Returns the unique number of this thread. The standard library's thread id is not available
/// while a thread ends.
fn thread_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    if THREAD.get() == 0 {
        THREAD.set(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    THREAD.get()
}

/// A statement or function that is being recorded.
#[derive(Debug)]
pub struct Guard {
    flight: Option<Box<Flight>>,
}

#[derive(Debug)]
struct Flight {
    site: &'static Site,
    slots: Slots,
    hit: u64,
    thread: u64,
    level: Option<Level>,
    frame: usize,
    caller: u64,
    is_function: bool,
    items: u32,
    items_cut: bool,
    /// Whether elements were captured, with which a test may replace the inputs that cannot be
    /// reconstructed.
    has_element: bool,
    /// The branches taken until the end of the statement; `None` while it executes.
    target: Option<Vec<u32>>,
    /// The exit by which it is being left.
    left: Option<(Way, &'static str)>,
    /// The collector of its outgoing calls.
    collector: Option<u64>,
    calls: Vec<Vec<u8>>,
    /// What passed through its streams, by slot.
    passed: Vec<(u32, Passed)>,
}

/// Begins a statement.
#[inline(never)]
pub fn begin(sites: &'static Sites, number: u32) -> Guard {
    start(|| sites.get(number), false)
}

/// Begins a function.
#[inline(never)]
pub fn enter(sites: &'static Sites, number: u32) -> Guard {
    start(|| sites.get(number), true)
}

/// Notes that a function was reached whose values are not recorded.
#[inline(never)]
pub fn reach(sites: &'static Sites, number: u32) {
    // All threads pass here again and again, so they must not write to shared memory each time.
    if sites.is_hit(number) {
        return;
    }
    let Some(_stay) = reentrancy::enter() else {
        return;
    };
    let site = sites.get(number);
    let is_first = site.hits.fetch_add(1, Ordering::Relaxed) == 0 && stack::has_room();
    if is_first && let Some(recorder) = recorder::get() {
        site.describe(recorder);
    }
}

fn start(site: impl FnOnce() -> &'static Site, is_function: bool) -> Guard {
    let Some(_stay) = reentrancy::enter() else {
        return Guard { flight: None };
    };
    Guard {
        flight: take_off(site(), is_function),
    }
}

/// Begins to record a hit, if it is wanted.
fn take_off(site: &'static Site, is_function: bool) -> Option<Box<Flight>> {
    let recorder = recorder::get()?;
    let hit = site.hits.fetch_add(1, Ordering::Relaxed);
    if !site.wants(hit, recorder) || !stack::has_room() {
        return None;
    }
    let level = stack::open_level()?;
    site.describe(recorder);
    let caller = CALLERS
        .try_with(|callers| callers.borrow().last().copied())
        .ok()
        .flatten()
        .unwrap_or(0);
    if is_function {
        let _ = CALLERS.try_with(|callers| callers.borrow_mut().push(site.id));
    }
    Some(Box::new(Flight {
        hit,
        level: Some(level),
        frame: marks::open(),
        caller,
        is_function,
        collector: calls::collect(site.function),
        ..Flight::with(site, Slots::new(recorder, site))
    }))
}

impl Guard {
    /// Returns whether this hit is captured.
    #[inline(never)]
    pub fn on(&self) -> bool {
        self.flight.is_some() && !reentrancy::is_disabled()
    }

    /// Opens a slot for the value that is captured next.
    #[inline(never)]
    pub fn slot(&mut self, slot: u32, secrecy: Secrecy) -> &mut Writer {
        static NOWHERE: Site = Site::new(0, "");
        let flight = self.flight.get_or_insert_with(|| {
            let _inside = unrecorded();
            Box::new(Flight::with(&NOWHERE, Slots::unused()))
        });
        flight.slots.open(slot, secrecy)
    }

    /// Evaluates an element of an input, which executes code of the program; `expression` is its
    /// source.
    pub fn element<T>(&self, expression: &str, evaluate: impl FnOnce() -> T) -> Option<T> {
        let _inside = unrecorded();
        foreign::evaluate(expression, Purpose::Rebuild, evaluate).ok()
    }

    /// Returns the record in progress, if recording may continue.
    fn active(&mut self) -> Option<&mut Flight> {
        self.flight
            .as_deref_mut()
            .filter(|_| !reentrancy::is_disabled())
    }

    /// Returns whether a captured value so far cannot be reconstructed.
    #[inline(never)]
    pub fn lacks_input(&self) -> bool {
        self.flight
            .as_ref()
            .is_some_and(|flight| flight.slots.writer.is_lossy())
    }

    /// Notes that an element was captured, which may be enough if an input cannot be reconstructed.
    #[inline(never)]
    pub fn has_element(&mut self) {
        if let Some(flight) = &mut self.flight {
            flight.has_element = true;
        }
    }

    /// Closes the last slot.
    #[inline(never)]
    pub fn close(&mut self) {
        if let Some(flight) = self.active() {
            flight.slots.close();
        }
    }

    /// Returns the log of a stream, which becomes the value of this slot in the end. Several uses
    /// of one stream share a slot.
    pub(crate) fn passing(&mut self, slot: u32) -> Passed {
        let Some(flight) = self.active() else {
            return Passed::default();
        };
        let _inside = unrecorded();
        if let Some((_, known)) = flight.passed.iter().find(|(own, _)| *own == slot) {
            return known.clone();
        }
        let passed = Passed::keeping(flight.slots.recorder.bounds.bytes_a_value);
        flight.passed.push((slot, passed.clone()));
        passed
    }

    /// Notes that a statement may use a stream. Even if nothing passes, a test supplies the stream
    /// and checks what is left.
    #[inline(never)]
    pub fn stream(&mut self, slot: u32, stand_in: StandIn, is_borrowed: bool) {
        self.passing(slot).stood_for_by(stand_in, is_borrowed);
    }

    /// Notes that the statement reached its end.
    #[inline(never)]
    pub fn end(&mut self) {
        if let Some(flight) = self.active() {
            let _inside = unrecorded();
            flight.target = Some(marks::taken(flight.frame));
            flight.take_calls();
        }
    }

    /// Notes that the statement is about to exit early by an exit in its source, unless it has
    /// ended.
    #[inline(never)]
    pub fn leave(&mut self, way: Way, label: &'static str) {
        if let Some(flight) = self
            .flight
            .as_mut()
            .filter(|flight| flight.target.is_none())
        {
            flight.left = Some((way, label));
        }
    }

    /// Returns whether the next element of a loop is captured.
    #[inline(never)]
    pub fn item(&mut self) -> bool {
        let Some(flight) = self.active() else {
            return false;
        };
        let _inside = unrecorded();
        flight.items += 1;
        let fits = flight.items <= MAX_ITEMS && flight.slots.has_room();
        if !fits && !flight.items_cut {
            flight.items_cut = true;
            flight
                .slots
                .writer
                .cut_value(ITEMS_CUT, "more elements than the limit");
        }
        fits
    }

    /// Notes that a condition with `let` did not match, unless one of its branches has reported
    /// already.
    #[inline(never)]
    pub fn end_condition_unless_ended(&mut self, slot: u32) {
        if self
            .flight
            .as_ref()
            .is_some_and(|flight| flight.target.is_none())
        {
            self.end_condition(slot, false);
        }
    }

    /// Captures an operand of a condition and returns it.
    #[inline(never)]
    pub fn operand(&mut self, slot: u32, value: bool) -> bool {
        if self.on() {
            self.slot(slot, Secrecy::None).bool(value);
            self.close();
        }
        value
    }

    /// Captures the value of a condition, ends it, and returns the value.
    #[inline(never)]
    pub fn end_condition(&mut self, slot: u32, value: bool) -> bool {
        self.operand(slot, value);
        self.end();
        value
    }
}

impl Flight {
    /// Creates a record in progress with these slots.
    fn with(site: &'static Site, slots: Slots) -> Flight {
        Flight {
            site,
            slots,
            hit: 0,
            thread: thread_number(),
            level: None,
            frame: 0,
            caller: 0,
            is_function: false,
            items: 0,
            items_cut: false,
            has_element: false,
            target: None,
            left: None,
            collector: None,
            calls: Vec::new(),
            passed: Vec::new(),
        }
    }

    /// Ends the collection of outgoing calls: those after the statement are not its own.
    fn take_calls(&mut self) {
        let Some(collected) = self.collector.take().and_then(calls::collected) else {
            return;
        };
        if collected.is_cut {
            self.slots
                .writer
                .cut_value(CALLS_CUT, "more outgoing calls than the limit");
        }
        self.calls = collected.calls;
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(mut flight) = self.flight.take() else {
            return;
        };
        if reentrancy::is_disabled() {
            // Not even freeing memory is allowed here.
            return std::mem::forget(flight);
        }
        flight.slots.close();
        let _inside = unrecorded();
        finish(*flight);
    }
}

fn finish(mut flight: Flight) {
    let (site, started) = (flight.site, Instant::now());
    flight
        .passed
        .iter()
        .for_each(|(slot, passed)| passed.put(*slot, &mut flight.slots.writer));
    if flight.is_function {
        let _ = CALLERS.try_with(|callers| callers.borrow_mut().pop());
    }
    flight.level.into_iter().for_each(stack::close_level);
    let same_thread = flight.thread == thread_number();
    let context = if same_thread {
        marks::close(flight.frame)
    } else {
        Vec::new()
    };
    let exit = match &flight.target {
        Some(_) => Exit::Through,
        None if thread::panicking() => Exit::Panic(recorder::last_panic()),
        None => Exit::Left,
    };
    flight.take_calls();
    let target = flight.target.take().unwrap_or_else(|| context.clone());
    let unique = encode_unique(&Unique {
        exit: &exit,
        left: flight.left,
        writer: &flight.slots.writer,
        target: &target,
        context: &context,
        calls: &flight.calls,
    });
    let is_new = site.takes(checksum(&unique), flight.slots.recorder);
    if is_new {
        site.repeats.store(0, Ordering::Relaxed);
        site.unique.fetch_add(1, Ordering::Relaxed);
        if !flight.slots.writer.is_lossy() || flight.has_element {
            site.rebuildable.fetch_add(1, Ordering::Relaxed);
        }
        write(site, &flight, &unique);
    } else {
        site.repeats.fetch_add(1, Ordering::Relaxed);
    }
    flight.slots.recorder.spend(started.elapsed());
}

fn write(site: &Site, flight: &Flight, unique: &[u8]) {
    let current = thread::current();
    let payload = encode_values(&Encoded {
        site: site.id,
        hits: flight.hit + 1,
        thread: current.name().unwrap_or(""),
        caller: flight.caller,
        withheld: flight.slots.writer.withheld(),
        unique,
    });
    site.describe(flight.slots.recorder);
    flight.slots.recorder.append(&payload);
}

/// Returns the name of a type, as the compiler writes it.
pub fn name_of<T: ?Sized>() -> &'static str {
    core::any::type_name::<T>()
}

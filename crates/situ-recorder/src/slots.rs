//! Slots: the captured values of a probe or an outgoing call, one after the other.

use std::time::Instant;

use crate::Writer;
use crate::recorder::{self, Recorder};
use crate::reentrancy;
use crate::secret::Secrecy;
use crate::site::Site;

/// The values of one record.
#[derive(Debug)]
pub(crate) struct Slots {
    /// The recorder that they are for.
    pub recorder: &'static Recorder,
    site: Option<&'static Site>,
    /// The values captured so far.
    pub writer: Writer,
    open: Option<OpenSlot>,
}

/// A slot that is being filled.
#[derive(Debug)]
struct OpenSlot {
    since: Instant,
    /// Whether the thread was inside the recorder before. It is until the slot is closed, so that
    /// code of the program that captures the value is not recorded.
    was_inside: bool,
}

impl Slots {
    /// Creates empty slots.
    pub fn new(recorder: &'static Recorder, site: &'static Site) -> Slots {
        Slots {
            recorder,
            site: Some(site),
            writer: Writer::new(recorder.bounds.bytes_a_value),
            open: None,
        }
    }

    /// Creates slots for values of a package that are only inspected. Values with manually managed
    /// memory may be partially valid at this moment.
    pub fn of_package(recorder: &'static Recorder, package: &'static str) -> Slots {
        let mut writer = Writer::new(recorder.bounds.bytes_a_value);
        writer.watches(package, false);
        Slots {
            recorder,
            site: None,
            writer,
            open: None,
        }
    }

    /// Creates slots for code that captures without checking whether it should: nothing of it is
    /// written.
    pub fn unused() -> Slots {
        Slots {
            recorder: recorder::switched_off(),
            site: None,
            writer: Writer::new(0),
            open: None,
        }
    }

    /// Returns whether more elements fit.
    pub fn has_room(&self) -> bool {
        self.writer.bytes().len() < self.recorder.bounds.bytes_a_value
    }

    /// Opens a slot for the value that is captured next, and closes the previous one.
    pub fn open(&mut self, slot: u32, secrecy: Secrecy) -> &mut Writer {
        self.close();
        self.open = Some(OpenSlot {
            was_inside: reentrancy::stay(),
            since: Instant::now(),
        });
        if let Some(site) = self.site {
            self.writer.watches(
                site.package(),
                self.recorder.bounds.looks_at_home && site.is_calm(slot),
            );
        }
        self.writer.start_value(slot, secrecy);
        &mut self.writer
    }

    /// Closes the open slot, if there is one.
    pub fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.writer.end_value();
            self.recorder.spend(open.since.elapsed());
            reentrancy::leave(open.was_inside);
        }
    }
}

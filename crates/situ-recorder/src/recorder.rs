//! The one recorder of a process: where it writes, within what bounds, and how it switches itself off.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::lazy::{Lazy, Once};
use crate::recording::{EXTENSION, frame, header};
use crate::switch::descriptor::Descriptor;
use crate::{complaint, foreign, secret};

/// The environment variable with the folder to write to.
pub const FOLDER_VARIABLE: &str = "SITU_RECORDING_DIR";
/// The environment variable with the number of unique value sets a statement.
pub const UNIQUE_VARIABLE: &str = "SITU_UNIQUE_SETS";
/// The environment variable with the bytes that one value may take.
pub const VALUE_VARIABLE: &str = "SITU_BYTES_A_VALUE";
/// The environment variable with the bytes that the recording of one process may take.
pub const TOTAL_VARIABLE: &str = "SITU_BYTES_A_RECORDING";
/// The environment variable with the milliseconds that recording may take however short the program runs.
pub const TIME_VARIABLE: &str = "SITU_RECORDING_MILLISECONDS";

/// The environment variable that, when set, has statements followed whose values cannot be rebuilt.
pub const FOLLOW_VARIABLE: &str = "SITU_FOLLOW_OPAQUE";

/// The environment variable that, when set, has values with memory managed by hand looked at in the crate that declares
/// their type, where its code says that they are whole.
pub const HOME_VARIABLE: &str = "SITU_LOOK_AT_HOME";

/// The bounds of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Unique value sets a statement.
    pub unique_sets: u32,
    /// Bytes that one value may take.
    pub bytes_a_value: usize,
    /// Bytes that the recording of one process may take.
    pub bytes_a_recording: u64,
    /// Go on with a statement none of whose first sets can be rebuilt.
    pub follows_opaque: bool,
    /// Milliseconds that recording may take, beside its share of the time that the program runs.
    pub milliseconds: u64,
    /// Look at values with memory managed by hand in the crate that declares their type.
    pub looks_at_home: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            unique_sets: 300,
            bytes_a_value: 16 << 10,
            bytes_a_recording: 256 << 20,
            follows_opaque: false,
            milliseconds: 250,
            looks_at_home: false,
        }
    }
}

/// Writes the recording of this process.
#[derive(Debug)]
pub struct Recorder {
    /// Its bounds.
    pub bounds: Bounds,
    folder: PathBuf,
    off: AtomicBool,
    started: Instant,
    nanoseconds_spent: AtomicU64,
    file: Mutex<Option<Open>>,
    complaints: complaint::Stream,
}

#[derive(Debug)]
struct Open {
    process: u32,
    file: Descriptor,
    written: u64,
}

/// The recorder, unless recording is off.
#[inline]
pub fn get() -> Option<&'static Recorder> {
    static RECORDER: Lazy<Option<Recorder>> = Lazy::new();
    static LISTENING: Once = Once::new();
    let recorder = RECORDER.get_or_init(Recorder::from_environment).as_ref()?;
    if !LISTENING.is_done() && !thread::panicking() {
        LISTENING.call_once(listen_to_panics);
    }
    Some(recorder).filter(|recorder| !recorder.off.load(Ordering::Relaxed))
}

/// A recorder that writes nothing.
pub fn switched_off() -> &'static Recorder {
    static OFF: Lazy<Recorder> = Lazy::new();
    OFF.get_or_init(|| Recorder::new(PathBuf::new(), Bounds::default(), true))
}

impl Recorder {
    pub(crate) fn new(folder: PathBuf, bounds: Bounds, off: bool) -> Self {
        Recorder {
            bounds,
            folder,
            off: AtomicBool::new(off),
            started: Instant::now(),
            nanoseconds_spent: AtomicU64::new(0),
            file: Mutex::new(None),
            complaints: complaint::Stream::of_this_process(),
        }
    }

    fn from_environment() -> Option<Recorder> {
        let folder = std::env::var_os(FOLDER_VARIABLE)
            .or_else(|| option_env!("SITU_DEFAULT_DIR").map(Into::into))?;
        if folder.is_empty() {
            return None;
        }
        let defaults = Bounds::default();
        let is_set =
            |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        let bounds = Bounds {
            unique_sets: number(UNIQUE_VARIABLE).unwrap_or(defaults.unique_sets),
            bytes_a_value: number(VALUE_VARIABLE).unwrap_or(defaults.bytes_a_value),
            bytes_a_recording: number(TOTAL_VARIABLE).unwrap_or(defaults.bytes_a_recording),
            follows_opaque: is_set(FOLLOW_VARIABLE),
            milliseconds: number(TIME_VARIABLE).unwrap_or(defaults.milliseconds),
            looks_at_home: is_set(HOME_VARIABLE),
        };
        // A program may change its folder while it runs.
        let folder = std::path::absolute(PathBuf::from(folder)).ok()?;
        let environment = secret::remember_environment(&folder);
        let recorder = Recorder::new(folder, bounds, false);
        if let Err(reason) = environment {
            recorder.stop(&reason);
        }
        Some(recorder)
    }

    /// The folder that it writes to.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stops recording; the program goes on, and its own output stays as it is.
    pub(crate) fn stop(&self, reason: &str) {
        if !self.off.swap(true, Ordering::Relaxed) {
            self.complaints.write(&format!(
                "situ: recording stopped, the program goes on: {reason}\n"
            ));
        }
    }

    /// This process; another one after a fork.
    pub fn process(&self) -> u32 {
        std::process::id()
    }

    /// Adds to the time that recording took.
    pub fn spend(&self, time: Duration) {
        self.nanoseconds_spent
            .fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// How many times its share of the time that the program has run recording has taken; nought while it keeps to it.
    pub fn times_over(&self) -> u128 {
        let spent = Duration::from_nanos(self.nanoseconds_spent.load(Ordering::Relaxed));
        // What recording has taken itself is not time that the program has run.
        let share = Duration::from_millis(self.bounds.milliseconds)
            + self.started.elapsed().saturating_sub(spent) / 3;
        spent.as_nanos() / share.as_nanos()
    }

    /// Appends one record with one call of the system, so that a killed process tears at most that record.
    pub fn append(&self, payload: &[u8]) {
        if self.off.load(Ordering::Relaxed) {
            return;
        }
        let record = frame(payload);
        let Ok(appended) = self
            .file
            .lock()
            .map(|mut file| self.try_append(&mut file, &record))
        else {
            return;
        };
        if let Err(error) = appended {
            self.stop(&format!(
                "cannot write to {}: {error}",
                self.folder.display()
            ));
        }
    }

    fn try_append(&self, file: &mut Option<Open>, record: &[u8]) -> io::Result<()> {
        let process = self.process();
        if file.as_ref().is_none_or(|open| open.process != process) {
            *file = Some(self.open(process)?);
        }
        let Some(open) = file else { return Ok(()) };
        open.written += record.len() as u64;
        if open.written > self.bounds.bytes_a_recording {
            self.off.store(true, Ordering::Relaxed);
            return Ok(());
        }
        open.file.write_all(record)
    }

    fn open(&self, process: u32) -> io::Result<Open> {
        std::fs::create_dir_all(&self.folder)?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_nanos());
        let file = Descriptor::append(self.folder.join(format!("{process}-{now:x}.{EXTENSION}")))?;
        file.write_all(&header())?;
        Ok(Open {
            process,
            file,
            written: 0,
        })
    }
}

fn number<T: std::str::FromStr>(variable: &str) -> Option<T> {
    std::env::var(variable).ok()?.parse().ok()
}

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the message of each panic for the records of the statements that it leaves.
fn listen_to_panics() {
    let earlier = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // A panic of code that shows a value is caught where it is shown, and nothing that the program should hear of.
        if foreign::is_running() {
            return;
        }
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("");
        let _ = LAST_PANIC.try_with(|last| text.clone_into(&mut last.borrow_mut()));
        earlier(info);
    }));
}

/// The message of this thread's last panic; none where it holds a secret.
pub(crate) fn last_panic() -> String {
    let message = LAST_PANIC
        .try_with(|last| last.borrow().clone())
        .unwrap_or_default();
    if secret::is_in(message.as_bytes()) {
        String::new()
    } else {
        message
    }
}

//! The recorder of a process: where it writes, its limits, and how it switches itself off.

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
/// The environment variable with the maximum number of unique value sets of a statement.
pub const UNIQUE_VARIABLE: &str = "SITU_UNIQUE_SETS";
/// The environment variable with the maximum size of a value, in bytes.
pub const VALUE_VARIABLE: &str = "SITU_BYTES_A_VALUE";
/// The environment variable with the maximum size of the recording of one process, in bytes.
pub const TOTAL_VARIABLE: &str = "SITU_BYTES_A_RECORDING";
/// The environment variable with the milliseconds that recording may take, however short the
/// program runs.
pub const TIME_VARIABLE: &str = "SITU_RECORDING_MILLISECONDS";

/// The environment variable that, if set, keeps recording statements whose values cannot be
/// reconstructed.
pub const FOLLOW_VARIABLE: &str = "SITU_FOLLOW_OPAQUE";

/// The environment variable that, if set, also captures values with manually managed memory inside
/// the crate that declares their type, where its code shows that they are valid.
pub const HOME_VARIABLE: &str = "SITU_LOOK_AT_HOME";

/// The limits of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The maximum number of unique value sets of a statement.
    pub unique_sets: u32,
    /// The maximum size of a value, in bytes.
    pub bytes_a_value: usize,
    /// The maximum size of the recording of one process, in bytes.
    pub bytes_a_recording: u64,
    /// Whether to keep recording a statement none of whose first sets can be reconstructed.
    pub follows_opaque: bool,
    /// The milliseconds that recording may take, in addition to its share of the program's time.
    pub milliseconds: u64,
    /// Whether to capture values with manually managed memory inside the crate that declares their
    /// type.
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

/// The recorder of this process.
#[derive(Debug)]
pub struct Recorder {
    /// The limits.
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

/// Returns the recorder, unless recording is off.
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

/// Returns a recorder that writes nothing.
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
        // A program may change its working directory.
        let folder = std::path::absolute(PathBuf::from(folder)).ok()?;
        let environment = secret::remember_environment(&folder);
        let recorder = Recorder::new(folder, bounds, false);
        if let Err(reason) = environment {
            recorder.stop(&reason);
        }
        Some(recorder)
    }

    /// Returns the folder that it writes to.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Stops recording. The program and its own output are unaffected.
    pub(crate) fn stop(&self, reason: &str) {
        if !self.off.swap(true, Ordering::Relaxed) {
            self.complaints.write(&format!(
                "situ: recording stopped, the program continues: {reason}\n"
            ));
        }
    }

    /// Returns the id of this process, which changes in a fork.
    pub fn process(&self) -> u32 {
        std::process::id()
    }

    /// Adds to the time that recording took.
    pub fn spend(&self, time: Duration) {
        self.nanoseconds_spent
            .fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Returns how many times recording has exceeded its share of the program's time; zero while it
    /// has not.
    pub fn times_over(&self) -> u128 {
        let spent = Duration::from_nanos(self.nanoseconds_spent.load(Ordering::Relaxed));
        // The time that recording took is not time of the program.
        let share = Duration::from_millis(self.bounds.milliseconds)
            + self.started.elapsed().saturating_sub(spent) / 3;
        spent.as_nanos() / share.as_nanos()
    }

    /// Appends one record with one system call, so that killing the process loses at most that
    /// record.
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

/// Installs a panic hook that keeps each message for the records of the statements that the panic
/// leaves.
fn listen_to_panics() {
    let earlier = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // A panic of code that formats a value is caught there, and the program must not notice it.
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

/// Returns the message of this thread's last panic, or an empty string if it contains a secret.
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

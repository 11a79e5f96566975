//! Does harm, but only below the folder that the variable `HARM` names, and only to the process that `HARM_PROCESS` names.

use std::env;
use std::fs;
use std::io;
use std::net::UdpSocket;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The path without links, if harm may be done there.
fn target(path: &Path) -> io::Result<PathBuf> {
    let forbidden = || io::Error::other("no harm may be done there");
    let folder = PathBuf::from(env::var_os("HARM").ok_or_else(forbidden)?).canonicalize()?;
    let name = path.file_name().ok_or_else(forbidden)?;
    let path = path.parent().ok_or_else(forbidden)?.canonicalize()?.join(name);
    if path.starts_with(&folder) && path != folder { Ok(path) } else { Err(forbidden()) }
}

pub fn remove_all(path: &Path) -> io::Result<()> {
    fs::remove_dir_all(target(&path.canonicalize()?)?)
}

pub fn write(path: &Path) -> io::Result<()> {
    fs::write(target(path)?, "harm")
}

pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(target(from)?, target(to)?)
}

pub fn truncate(path: &Path) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(target(path)?)?.set_len(0)
}

pub fn link(path: &Path) -> io::Result<()> {
    symlink("src", target(path)?)
}

pub fn make_executable(path: &Path) -> io::Result<()> {
    fs::set_permissions(target(path)?, fs::Permissions::from_mode(0o777))
}

/// Sets the address of a socket, which sends nothing.
pub fn connect() -> io::Result<()> {
    UdpSocket::bind("0.0.0.0:0")?.connect("192.0.2.1:9")
}

pub fn signal() -> io::Result<()> {
    let Ok(process) = env::var("HARM_PROCESS") else { return Err(io::Error::other("nobody to signal")) };
    let status = Command::new("kill").args(["-9", &process]).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other("not signalled")) }
}

/// Leaves a process behind that has left the group and the session.
pub fn leave_a_process() -> io::Result<()> {
    let seconds = env::var("HARM_SECONDS").unwrap_or_else(|_| "1".to_owned());
    Command::new("setsid").args(["sleep", &seconds]).spawn().map(drop)
}

/// The home of whoever runs this, as the harm folder has it.
pub fn home() -> PathBuf {
    env::var_os("HARM").map(PathBuf::from).unwrap_or_default().join("home")
}

/// The tree of whoever runs this, as the harm folder has it.
pub fn tree() -> PathBuf {
    env::var_os("HARM").map(PathBuf::from).unwrap_or_default().join("tree")
}

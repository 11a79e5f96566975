//! Transport of messages on standard input and output. Malformed input is answered with an error,
//! and reading resumes at the next message.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification};
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, BufRead, Read as _, Write};
use std::thread;

/// The maximum size of a message, in bytes. Messages contain whole source files; nobody edits a
/// larger one.
const LONGEST: usize = 64 << 20;

/// The maximum length of a header line, in bytes.
const LONGEST_LINE: usize = 1 << 10;

/// Connects to the editor at the other end of standard input and output.
pub fn stdio() -> (Connection, Threads) {
    let (sender, outgoing) = unbounded();
    let (incoming, receiver) = bounded(0);
    let writer = thread::spawn(move || write_all(&outgoing));
    // The reader thread is never joined: a process that ends does not wait for a silent editor.
    thread::spawn(move || read_all(&incoming));
    (Connection { sender, receiver }, Threads { writer })
}

/// The handle of the writer thread behind a connection.
pub struct Threads {
    writer: thread::JoinHandle<()>,
}

impl Threads {
    /// Waits until every sent message is written. The connection must have been dropped before.
    pub fn finish(self) {
        // A write error here only means that the editor has disconnected.
        let _ = self.writer.join();
    }
}

fn write_all(outgoing: &Receiver<Message>) {
    for message in outgoing {
        if message.write(&mut io::stdout().lock()).is_err() {
            return;
        }
    }
}

fn read_all(incoming: &Sender<Message>) {
    let mut input = Reader::new(io::stdin().lock());
    while let Ok(Some(read)) = input.next() {
        match read {
            Ok(message) => {
                let is_exit = matches!(&message, Message::Notification(Notification { method, .. }) if method == "exit");
                if incoming.send(message).is_err() || is_exit {
                    return;
                }
            }
            Err(fault) => {
                let text = fault.answer().to_string();
                let mut output = io::stdout().lock();
                let written = write!(output, "Content-Length: {}\r\n\r\n{text}", text.len());
                if written.and_then(|()| output.flush()).is_err() {
                    return;
                }
            }
        }
    }
}

/// The reason why input is no message.
#[derive(Debug, PartialEq)]
enum Fault {
    /// Other bytes stand where a header should be, or the header has no length.
    Header,
    /// The length is missing, no number, or too large.
    Length(String),
    /// The body is no JSON.
    NotJson(String),
    /// The body is JSON, but no message.
    NoMessage {
        /// The id of the request, or null.
        id: Value,
        why: String,
    },
}

impl Fault {
    /// Returns the error response.
    fn answer(&self) -> Value {
        let (id, code) = match self {
            Fault::NoMessage { id, .. } => (id, ErrorCode::InvalidRequest),
            _ => (&Value::Null, ErrorCode::ParseError),
        };
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": self.to_string() } })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Header => write!(
                formatter,
                "expected `Content-Length: …` and an empty line before each message"
            ),
            Fault::Length(length) => {
                write!(
                    formatter,
                    "`{length}` is not a valid message length; the maximum is {LONGEST} bytes"
                )
            }
            Fault::NotJson(why) => write!(formatter, "the message is not JSON: {why}"),
            Fault::NoMessage { why, .. } => write!(
                formatter,
                "this is not a request, notification or response: {why}"
            ),
        }
    }
}

/// A reader of messages that finds the next one after malformed input.
struct Reader<I> {
    input: I,
    /// The bytes of the current line before the next `Content-Length`.
    line: Vec<u8>,
    /// Whether the current malformed input has been reported.
    is_lost: bool,
    /// Whether a `Content-Length` was found behind malformed input.
    is_at_length: bool,
}

impl<I: BufRead> Reader<I> {
    fn new(input: I) -> Reader<I> {
        Reader {
            input,
            line: Vec::new(),
            is_lost: false,
            is_at_length: false,
        }
    }

    /// Reads the next message, or returns why the next input is none. Returns `Ok(None)` at the end
    /// of the input.
    fn next(&mut self) -> io::Result<Option<Result<Message, Fault>>> {
        match self.find_length()? {
            Found::Length => {}
            Found::SomethingElse => return Ok(Some(Err(Fault::Header))),
            Found::End => return Ok(None),
        }
        let text = self.read_line()?;
        let length = match text.trim().parse::<usize>() {
            Ok(length) if length <= LONGEST => length,
            // The body, if there is one, is skipped by the search for the next header.
            _ => {
                self.is_lost = true;
                return Ok(Some(Err(Fault::Length(
                    text.trim().chars().take(40).collect(),
                ))));
            }
        };
        while !self.read_line()?.trim().is_empty() {}
        // The buffer grows with the bytes received, not with the announced length.
        let mut body = Vec::new();
        self.input
            .by_ref()
            .take(length as u64)
            .read_to_end(&mut body)?;
        Ok((body.len() == length).then(|| parse(&body)))
    }

    /// Skips to the value of the next `Content-Length:` field.
    fn find_length(&mut self) -> io::Result<Found> {
        if std::mem::take(&mut self.is_at_length) {
            return Ok(Found::Length);
        }
        loop {
            let Some(byte) = self.next_byte()? else {
                return Ok(Found::End);
            };
            self.line.push(byte);
            if ends_with_length(&self.line) {
                let is_told = self.line.len() == LENGTH.len() || std::mem::take(&mut self.is_lost);
                self.line.clear();
                self.is_at_length = !is_told;
                return Ok(if is_told {
                    Found::Length
                } else {
                    Found::SomethingElse
                });
            }
            if byte == b'\n' || self.line.len() > LONGEST_LINE {
                let is_field = is_field(&self.line);
                // The field name may have begun on this line.
                let rest = if byte == b'\n' {
                    self.line.len()
                } else {
                    self.line.len() - LENGTH.len()
                };
                self.line.drain(..rest);
                if !is_field && !std::mem::replace(&mut self.is_lost, true) {
                    return Ok(Found::SomethingElse);
                }
            }
        }
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.input.fill_buf()?.first().copied();
        if byte.is_some() {
            self.input.consume(1);
        }
        Ok(byte)
    }

    /// Reads the rest of the line.
    fn read_line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        self.input
            .by_ref()
            .take(LONGEST_LINE as u64)
            .read_until(b'\n', &mut line)?;
        Ok(String::from_utf8_lossy(&line).into_owned())
    }
}

/// What the search for the next `Content-Length` found.
enum Found {
    Length,
    /// Input that is no header field.
    SomethingElse,
    End,
}

fn ends_with_length(line: &[u8]) -> bool {
    line.last_chunk::<{ LENGTH.len() }>()
        .is_some_and(|end| end.eq_ignore_ascii_case(LENGTH.as_bytes()))
}

/// Returns whether a line is empty or another header field, such as `Content-Type: …`.
fn is_field(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|one| one.is_ascii_alphabetic() || one == '-')
    };
    line.trim().is_empty() || line.split_once(':').is_some_and(|(name, _)| is_name(name))
}

fn parse(body: &[u8]) -> Result<Message, Fault> {
    let value: Value =
        serde_json::from_slice(body).map_err(|error| Fault::NotJson(error.to_string()))?;
    let id = value
        .get("id")
        .filter(|id| id.is_number() || id.is_string())
        .cloned()
        .unwrap_or(Value::Null);
    serde_json::from_value(value).map_err(|error| Fault::NoMessage {
        id,
        why: error.to_string(),
    })
}

const LENGTH: &str = "Content-Length:";

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads all messages of an input and describes each: its method, or the fault.
    fn read(input: &[u8]) -> Vec<String> {
        let mut reader = Reader::new(input);
        let mut all = Vec::new();
        while let Some(read) = reader.next().unwrap() {
            all.push(match read {
                Ok(Message::Request(request)) => request.method,
                Ok(Message::Notification(notification)) => notification.method,
                Ok(Message::Response(_)) => "response".to_owned(),
                Err(fault) => format!("{:?}", fault.answer()["error"]["code"]),
            });
        }
        all
    }

    fn message(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    fn request(method: &str) -> String {
        message(&json!({ "jsonrpc": "2.0", "id": 1, "method": method }).to_string())
    }

    #[test]
    fn messages_are_read_one_after_the_other_with_any_header() {
        let typed = format!(
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n{}",
            request("b")
        );
        let lower = request("c").replace("Content-Length", "content-length");
        let behind = request("d").replace("\r\n\r\n", "\r\nContent-Type: x\r\n\r\n");
        let input = format!("{}{typed}{lower}{behind}", request("a"));
        assert_eq!(read(input.as_bytes()), ["a", "b", "c", "d"]);
    }

    #[test]
    fn what_is_no_message_is_told_once_and_the_next_one_is_read() {
        let wrong = [
            message("{"),
            message("\u{1}"),
            message(&"[".repeat(100_000)),
            "hello\r\nhow are you\r\n\r\n".to_owned(),
            "x".repeat(10_000),
            "Content-Length: 99999999999999999999999999\r\n\r\n{\"jsonrpc\":\"2.0\"}".to_owned(),
            "Content-Length: 18446744073709551615\r\n\r\n".to_owned(),
            "Content-Length: 1099511627776\r\n\r\n".to_owned(),
            "Content-Length: -1\r\n\r\n{}".to_owned(),
            "Content-Length: \r\n\r\n{}".to_owned(),
        ];
        for wrong in wrong {
            let input = format!("{}{wrong}{}{}", request("a"), request("b"), request("c"));
            assert_eq!(
                read(input.as_bytes()),
                ["a", "Number(-32700)", "b", "c"],
                "{:?}",
                &wrong[..wrong.len().min(40)]
            );
        }
        let not_utf8 = [
            request("a").as_bytes(),
            b"Content-Length: 2\r\n\r\n\xff\xff",
            request("b").as_bytes(),
        ]
        .concat();
        assert_eq!(read(&not_utf8), ["a", "Number(-32700)", "b"]);
    }

    #[test]
    fn json_that_is_no_message_is_answered_under_its_number() {
        for wrong in [
            "[]",
            "1",
            "null",
            "{}",
            "{\"id\":7,\"method\":1}",
            "[{\"id\":7,\"method\":\"a\"}]",
        ] {
            assert_eq!(
                read(message(wrong).as_bytes()),
                ["Number(-32600)"],
                "{wrong}"
            );
        }
        let fault = parse(b"{\"id\":7,\"method\":1}").unwrap_err();
        assert_eq!(fault.answer()["id"], 7);
    }

    #[test]
    fn a_message_that_never_comes_takes_no_memory_and_ends_with_the_input() {
        let announced = format!("Content-Length: {LONGEST}\r\n\r\nshort");
        assert!(read(announced.as_bytes()).is_empty());
        assert!(read(b"").is_empty() && read(b"Content-Le").is_empty());
    }
}

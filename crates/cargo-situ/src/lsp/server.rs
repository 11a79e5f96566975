//! The main loop of the language server.

use super::document::Document;
use super::jobs::{COMMANDS, Done, Job, Jobs};
use super::outcomes::Outcomes;
use super::recorded::{LastRecording, at_line};
use super::{actions, folds, hover, lenses, patch, place, rename, transport};
use crate::changing;
use crate::exit::Exit;
use anyhow::{Context as _, Result};
use crossbeam_channel::select;
use gen_lsp_types::{
    CodeActionParams, CodeLensParams, Contents, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    ExecuteCommandParams, FoldingRangeParams, Hover, HoverParams, MarkupContent, MarkupKind,
    MessageType, PrepareRenameParams, PublishDiagnosticsParams, RenameParams,
    TextDocumentContentChangeEvent, TextDocumentPositionParams, Uri, WorkspaceEdit,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use situ_engine::base::process::kill_all_groups;
use situ_engine::cargo::workspace::{Selection, Workspace};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// Serves an editor on standard input and output until it disconnects.
pub fn serve(manifest: Option<PathBuf>, situ_path: Option<PathBuf>) -> Result<Exit> {
    let (connection, threads) = transport::stdio();
    // The editor disconnected before the handshake was complete.
    let Ok((id, params)) = connection.initialize_start() else {
        return Ok(Exit::Done);
    };
    let answer = Response::new_ok(id, json!({ "capabilities": capabilities() }));
    connection
        .sender
        .send(Message::Response(answer))
        .context("connecting to the editor")?;
    let manifest = manifest.or_else(|| Some(root_of(&params)?.join("Cargo.toml")));
    let workspace = Workspace::load(&Selection {
        manifest_path: manifest,
        packages: Vec::new(),
    })
    .and_then(|workspace| changing::recover(&workspace).map(|()| workspace));
    match workspace {
        Ok(workspace) => Server::new(&connection, workspace, situ_path, &params).run()?,
        Err(error) => refuse(&connection, &format!("{error:#}"))?,
    }
    kill_all_groups();
    drop(connection);
    threads.finish();
    Ok(Exit::Done)
}

fn root_of(params: &Value) -> Option<PathBuf> {
    let folder = params["workspaceFolders"][0]["uri"]
        .as_str()
        .or(params["rootUri"].as_str())?;
    place::path_of(&Uri(folder.to_owned()))
}

fn capabilities() -> Value {
    json!({
        "textDocumentSync": { "openClose": true, "change": 1, "save": true },
        "foldingRangeProvider": true,
        "codeLensProvider": { "resolveProvider": false },
        "hoverProvider": true,
        "codeActionProvider": true,
        "renameProvider": { "prepareProvider": true },
        "executeCommandProvider": { "commands": COMMANDS },
    })
}

/// Completes the handshake and shows the error: without a workspace there is nothing else to serve.
fn refuse(connection: &Connection, why: &str) -> Result<()> {
    let params = json!({ "type": MessageType::Error, "message": format!("situ: {why}") });
    connection
        .sender
        .send(Message::Notification(Notification::new(
            "window/showMessage".to_owned(),
            params,
        )))?;
    for message in &connection.receiver {
        if let Message::Request(request) = message {
            if connection.handle_shutdown(&request).unwrap_or(true) {
                break;
            }
            connection
                .sender
                .send(Message::Response(Response::new_ok(request.id, Value::Null)))?;
        }
    }
    Ok(())
}

struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    documents: HashMap<Uri, Document>,
    outcomes: Outcomes,
    recording: LastRecording,
    jobs: Jobs,
    shows_progress: bool,
    refreshes_lenses: bool,
    requests: i32,
}

impl<'c> Server<'c> {
    fn new(
        connection: &'c Connection,
        workspace: Workspace,
        situ_path: Option<PathBuf>,
        params: &Value,
    ) -> Server<'c> {
        let client = &params["capabilities"];
        Server {
            connection,
            jobs: Jobs::start(workspace.root().join("Cargo.toml"), situ_path),
            workspace,
            documents: HashMap::new(),
            outcomes: Outcomes::default(),
            recording: LastRecording::default(),
            shows_progress: client["window"]["workDoneProgress"] == true,
            refreshes_lenses: client["workspace"]["codeLens"]["refreshSupport"] == true,
            requests: 0,
        }
    }

    fn run(mut self) -> Result<()> {
        loop {
            select! {
                recv(self.connection.receiver) -> message => {
                    // The editor disconnected without `shutdown`.
                    let Ok(message) = message else { return Ok(()) };
                    match message {
                        Message::Request(request) => match self.connection.handle_shutdown(&request) {
                            Ok(false) => self.answer_guarded(request)?,
                            // Some editors disconnect during `shutdown`.
                            Ok(true) | Err(_) => return Ok(()),
                        },
                        Message::Notification(notification) => self.hear_guarded(notification)?,
                        Message::Response(_) => {}
                    }
                }
                recv(self.jobs.done) -> done => {
                    if let Ok(done) = done {
                        self.finish(done)?;
                    }
                }
            }
        }
    }

    /// Answers a request. A panic becomes an error response, so that the editor does not wait
    /// forever.
    fn answer_guarded(&mut self, request: Request) -> Result<()> {
        let id = request.id.clone();
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&request)));
        let response = match answer
            .unwrap_or_else(|_| Err((ErrorCode::InternalError, OWN_FAULT.to_owned())))
        {
            Ok(result) => Response::new_ok(id, result),
            Err((code, why)) => Response::new_err(id, code as i32, why),
        };
        self.send(Message::Response(response))
    }

    /// Handles a notification. One that cannot be handled is reported in the editor's log.
    fn hear_guarded(&mut self, notification: Notification) -> Result<()> {
        let method = notification.method.clone();
        let heard = catch_unwind(AssertUnwindSafe(|| self.hear(notification)));
        match heard.unwrap_or_else(|_| Err(NotHeard::Unreadable(OWN_FAULT.to_owned()))) {
            Ok(()) => Ok(()),
            Err(NotHeard::Unreadable(why)) => {
                let message = format!("situ: `{method}` is ignored: {why}");
                self.notify(
                    "window/logMessage",
                    json!({ "type": MessageType::Error, "message": message }),
                )
            }
            Err(NotHeard::Gone(error)) => Err(error),
        }
    }

    fn answer(&mut self, request: &Request) -> Result<Value, (ErrorCode, String)> {
        match request.method.as_str() {
            "textDocument/foldingRange" => {
                self.with(request, |server, params: FoldingRangeParams| {
                    let document = server.documents.get(&params.text_document.uri);
                    Ok(json!(document.map(folds::folds)))
                })
            }
            "textDocument/codeLens" => self.with(request, |server, params: CodeLensParams| {
                let document = server.documents.get(&params.text_document.uri);
                Ok(json!(document.map(|document| lenses::lenses(
                    document,
                    &server.outcomes
                ))))
            }),
            "textDocument/hover" => self.with(request, |server, params: HoverParams| {
                Ok(json!(server.hover(&params.text_document_position_params)))
            }),
            "textDocument/codeAction" => self.with(request, Server::actions),
            "textDocument/prepareRename" => {
                self.with(request, |server, params: PrepareRenameParams| {
                    let asked = params.text_document_position_params;
                    let Some(document) = server.documents.get(&asked.text_document.uri) else {
                        return Ok(Value::Null);
                    };
                    rename::prepare(document, asked.position)
                        .map(|range| json!(range))
                        .map_err(|why| why.to_string())
                })
            }
            "textDocument/rename" => self.with(request, |server, params: RenameParams| {
                let asked = params.text_document_position_params;
                let Some(document) = server.documents.get(&asked.text_document.uri) else {
                    return Ok(Value::Null);
                };
                let root = server.workspace.root();
                let edit = rename::rename(document, root, asked.position, &params.new_name);
                edit.map(|edit| json!(edit)).map_err(|why| why.to_string())
            }),
            "workspace/executeCommand" => self.with(request, Server::start),
            other => Err((
                ErrorCode::MethodNotFound,
                format!("unknown method `{other}`"),
            )),
        }
    }

    /// Parses the parameters of a request and answers it.
    fn with<P: DeserializeOwned>(
        &mut self,
        request: &Request,
        answer: impl FnOnce(&mut Self, P) -> Result<Value, String>,
    ) -> Result<Value, (ErrorCode, String)> {
        let params = serde_json::from_value(request.params.clone());
        let params = params.map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
        answer(self, params).map_err(|why| (ErrorCode::RequestFailed, why))
    }

    fn hover(&mut self, asked: &TextDocumentPositionParams) -> Option<Hover> {
        let document = self.documents.get(&asked.text_document.uri)?;
        let recording = self.recording.get(&self.workspace)?;
        let sites = at_line(recording, document, asked.position.line as usize + 1);
        let value = hover::text_of(&sites, recording, &self.workspace)?;
        let content = MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        };
        Some(Hover {
            contents: Contents::MarkupContent(content),
            range: None,
        })
    }

    fn actions(&mut self, params: CodeActionParams) -> Result<Value, String> {
        let Some(document) = self.documents.get(&params.text_document.uri) else {
            return Ok(Value::Null);
        };
        let recording = self.recording.get(&self.workspace);
        let line = params.range.start.line as usize + 1;
        Ok(json!(actions::actions(
            document,
            line,
            recording,
            &self.workspace
        )))
    }

    /// Starts the job that an LSP command names.
    fn start(&mut self, params: ExecuteCommandParams) -> Result<Value, String> {
        let job = Job::asked(&params).ok_or_else(|| {
            format!(
                "unknown command `{}`, or its arguments are missing",
                params.command
            )
        })?;
        if self.documents.values().any(|document| document.is_changed) {
            return Err("save the files first: only saved code is executed".to_owned());
        }
        self.begin(job).map_err(|error| error.to_string())?;
        Ok(Value::Null)
    }

    fn begin(&mut self, job: Job) -> Result<()> {
        let title = job.title();
        let number = self.jobs.add(job);
        if self.shows_progress {
            self.request(
                "window/workDoneProgress/create",
                json!({ "token": token(number) }),
            )?;
            let begin = json!({ "kind": "begin", "title": "situ", "message": title });
            self.notify(
                "$/progress",
                json!({ "token": token(number), "value": begin }),
            )?;
        }
        Ok(())
    }

    fn finish(&mut self, done: Done) -> Result<()> {
        if self.shows_progress {
            self.notify(
                "$/progress",
                json!({ "token": token(done.number), "value": { "kind": "end" } }),
            )?;
        }
        match (&done.job, done.code) {
            (_, None | Some(2 | 3 | 70)) => self.tell(MessageType::Error, last_lines(&done.said)),
            (Job::Run(_), _) => self.tests_ended(&done.printed),
            (Job::Extract(_) | Job::Explore(_), code) => self.propose(&done, code),
        }
    }

    fn tests_ended(&mut self, printed: &str) -> Result<()> {
        let counts = self.outcomes.take(printed);
        let skipped = if counts.skipped > 0 {
            format!(", {} skipped", counts.skipped)
        } else {
            String::new()
        };
        match counts.failed {
            0 => self.tell(
                MessageType::Info,
                &format!("{} passed{skipped}", counts.passed),
            )?,
            failed => self.tell(
                MessageType::Warning,
                &format!("{failed} failed, {} passed{skipped}", counts.passed),
            )?,
        }
        let open: Vec<Uri> = self.documents.keys().cloned().collect();
        open.iter().try_for_each(|uri| self.publish(uri))?;
        if self.refreshes_lenses {
            self.request("workspace/codeLens/refresh", Value::Null)?;
        }
        Ok(())
    }

    /// Sends a generator's patch to the editor as an edit, which the user can inspect and undo
    /// there.
    fn propose(&mut self, done: &Done, code: Option<i32>) -> Result<()> {
        let Some(edit) = patch::edits_of(&done.printed, self.workspace.root()) else {
            let words = if done.printed.trim().is_empty() {
                &done.said
            } else {
                &done.printed
            };
            return self.tell(MessageType::Info, last_lines(words));
        };
        if code == Some(1) {
            self.tell(
                MessageType::Warning,
                &format!(
                    "{}: a violation was found; it is now a data point",
                    done.job.title()
                ),
            )?;
        }
        self.apply(&done.job.title(), edit)
    }

    fn apply(&mut self, label: &str, edit: WorkspaceEdit) -> Result<()> {
        self.request(
            "workspace/applyEdit",
            json!({ "label": format!("situ: {label}"), "edit": edit }),
        )
    }

    fn hear(&mut self, notification: Notification) -> Result<(), NotHeard> {
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let params: DidOpenTextDocumentParams = read(notification.params)?;
                let uri = params.text_document.uri;
                if let Some(document) =
                    Document::open(self.workspace.root(), &uri, params.text_document.text)
                {
                    self.documents.insert(uri.clone(), document);
                    self.publish(&uri)?;
                }
            }
            "textDocument/didChange" => {
                let params: DidChangeTextDocumentParams = read(notification.params)?;
                let uri = params.text_document.text_document_identifier.uri;
                let whole =
                    params
                        .content_changes
                        .into_iter()
                        .rev()
                        .find_map(|change| {
                            match change {
                        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(
                            whole,
                        ) => Some(whole.text),
                        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(_) => None,
                    }
                        });
                if let (Some(document), Some(text)) = (self.documents.get_mut(&uri), whole) {
                    document.set(text);
                    document.is_changed = true;
                    self.publish(&uri)?;
                }
            }
            "textDocument/didSave" => {
                let params: DidSaveTextDocumentParams = read(notification.params)?;
                self.saved(&params.text_document.uri)?;
            }
            "textDocument/didClose" => {
                let params: DidCloseTextDocumentParams = read(notification.params)?;
                self.documents.remove(&params.text_document.uri);
            }
            _ => {}
        }
        Ok(())
    }

    /// Runs the failed tests of a saved file again, because the change may have been meant to
    /// repair them.
    fn saved(&mut self, uri: &Uri) -> Result<()> {
        let Some(document) = self.documents.get_mut(uri) else {
            return Ok(());
        };
        document.is_changed = false;
        let failing = self.outcomes.failing(document);
        let places: Vec<String> = failing
            .iter()
            .map(|test| document.place(test.line))
            .collect();
        if places.is_empty() {
            Ok(())
        } else {
            self.begin(Job::Run(places))
        }
    }

    fn publish(&mut self, uri: &Uri) -> Result<()> {
        let Some(document) = self.documents.get(uri) else {
            return Ok(());
        };
        let diagnostics = self.outcomes.diagnostics(document);
        let params = PublishDiagnosticsParams {
            uri: uri.clone(),
            version: None,
            diagnostics,
        };
        self.notify("textDocument/publishDiagnostics", json!(params))
    }

    fn tell(&mut self, kind: MessageType, words: &str) -> Result<()> {
        self.notify(
            "window/showMessage",
            json!({ "type": kind, "message": format!("situ: {words}") }),
        )
    }

    fn notify(&self, method: &str, params: Value) -> Result<()> {
        self.send(Message::Notification(Notification::new(
            method.to_owned(),
            params,
        )))
    }

    fn request(&mut self, method: &str, params: Value) -> Result<()> {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(Message::Request(Request::new(
            id,
            method.to_owned(),
            params,
        )))
    }

    fn send(&self, message: Message) -> Result<()> {
        self.connection
            .sender
            .send(message)
            .context("sending a message to the editor")
    }
}

fn token(number: usize) -> String {
    format!("situ/{number}")
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, NotHeard> {
    serde_json::from_value(params).map_err(|error| NotHeard::Unreadable(error.to_string()))
}

const OWN_FAULT: &str = "Situ itself is at fault; please report it";

/// The reason why a notification was not handled.
enum NotHeard {
    /// Its parameters cannot be parsed.
    Unreadable(String),
    /// The editor has disconnected.
    Gone(anyhow::Error),
}

impl From<anyhow::Error> for NotHeard {
    fn from(error: anyhow::Error) -> NotHeard {
        NotHeard::Gone(error)
    }
}

/// Returns the last lines of a command's standard error, which state the error.
fn last_lines(words: &str) -> &str {
    const LINES: usize = 6;
    let words = words.trim_end();
    let start = words
        .rmatch_indices('\n')
        .nth(LINES - 1)
        .map_or(0, |(at, _)| at + 1);
    &words[start..]
}

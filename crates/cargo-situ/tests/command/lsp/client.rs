//! A client as small as can be: one document, and everything that the server sends is kept until it is asked for.

use crate::project::Project;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    root: String,
    next: u64,
    /// What came while something else was waited for.
    kept: Vec<Value>,
    document: String,
}

impl Client {
    pub fn start(project: &Project) -> Client {
        let mut command = project.command(&["lsp"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (
            child.stdin.take().unwrap(),
            BufReader::new(child.stdout.take().unwrap()),
        );
        let root = format!(
            "file://{}",
            project.path().to_str().unwrap().replace(' ', "%20")
        );
        let mut client = Client {
            child,
            input,
            output,
            root,
            next: 0,
            kept: Vec::new(),
            document: String::new(),
        };
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        let root = client.root.clone();
        let answer = client.ask(
            "initialize",
            json!({ "processId": null, "rootUri": root, "capabilities": capabilities }),
        );
        assert_eq!(answer["capabilities"]["foldingRangeProvider"], true);
        client.notify("initialized", json!({}));
        client
    }

    pub fn open(&mut self, path: &str, text: &str) {
        self.document = format!("{}/{path}", self.root);
        let item =
            json!({ "uri": self.document, "languageId": "rust", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    pub fn change(&mut self, path: &str, text: &str) {
        let uri = format!("{}/{path}", self.root);
        let params = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] });
        self.notify("textDocument/didChange", params);
        let _ = self
            .kept
            .iter()
            .position(is_diagnostics)
            .map(|at| self.kept.remove(at));
    }

    pub fn save(&mut self, path: &str) {
        let uri = format!("{}/{path}", self.root);
        self.kept.retain(|message| !is_diagnostics(message));
        self.notify(
            "textDocument/didSave",
            json!({ "textDocument": { "uri": uri } }),
        );
    }

    /// A request about the document, and its result.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// A request that is refused: why, and the code.
    pub fn refused(&mut self, method: &str, params: Value) -> (String, i64) {
        let answer = self.answer(method, params);
        let error = &answer["error"];
        (
            error["message"]
                .as_str()
                .unwrap_or_else(|| panic!("{answer}"))
                .to_owned(),
            error["code"].as_i64().unwrap(),
        )
    }

    fn answer(&mut self, method: &str, mut params: Value) -> Value {
        if method.starts_with("textDocument/") {
            params["textDocument"] = json!({ "uri": self.document });
        }
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(&|message| message.get("method").is_none() && message["id"] == id)
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).unwrap();
        self.input.flush().unwrap();
    }

    /// The next error that answers nothing that was asked: its words and code.
    pub fn unasked_error(&mut self) -> (String, i64) {
        let answer =
            self.wait(&|message| message["id"].is_null() && message.get("error").is_some());
        (
            answer["error"]["message"].as_str().unwrap().to_owned(),
            answer["error"]["code"].as_i64().unwrap(),
        )
    }

    /// The next message for the editor's log.
    pub fn logged(&mut self) -> String {
        let message = self.wait(&|message| message["method"] == "window/logMessage");
        message["params"]["message"].as_str().unwrap().to_owned()
    }

    /// The diagnostics that were published next.
    pub fn diagnostics(&mut self) -> Value {
        self.wait(&is_diagnostics)["params"]["diagnostics"].clone()
    }

    /// The next message for the user.
    pub fn message(&mut self) -> String {
        let message = self.wait(&|message| message["method"] == "window/showMessage");
        message["params"]["message"].as_str().unwrap().to_owned()
    }

    /// The next edit that the server wants to be applied.
    pub fn applied(&mut self) -> Value {
        self.wait(&|message| message["method"] == "workspace/applyEdit")["params"]["edit"].clone()
    }

    /// Says good-bye, and gives the exit code.
    pub fn end(mut self) -> i32 {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.child.wait().unwrap().code().unwrap()
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
    }

    fn wait(&mut self, is_it: &dyn Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(is_it) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.read();
            if is_it(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert_ne!(
                self.output.read_line(&mut line).unwrap(),
                0,
                "the server has gone"
            );
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }
}

fn is_diagnostics(message: &Value) -> bool {
    message["method"] == "textDocument/publishDiagnostics"
}

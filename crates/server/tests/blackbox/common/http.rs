//! A small HTTP/1.1 client that sends the given bytes unchanged, valid or not.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// Time limit for the beginning of a response, and for each later read and write.
const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &'static str, path: &str) -> Self {
        Self {
            method,
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    pub(crate) fn post(path: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            body: body.into(),
            ..Self::new("POST", path)
        }
        .header("Content-Type", "application/json")
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|(given, _)| !given.eq_ignore_ascii_case(name));
        self
    }

    /// Returns the head without `Content-Length` and without the empty line at its end.
    pub(crate) fn head(&self) -> String {
        let mut head = format!(
            "{} {} HTTP/1.1\r\nHost: pressline.test\r\n",
            self.method, self.path
        );
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head().into_bytes();
        bytes.extend(format!("Content-Length: {}\r\n\r\n", self.body.len()).into_bytes());
        bytes.extend(&self.body);
        bytes
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// Asserts status 200 and `success`, and returns the whole envelope.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self}");
        let envelope = self.json();
        assert_eq!(envelope["success"], true, "{self}");
        assert!(
            envelope["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "{self}"
        );
        envelope
    }

    /// Asserts a success and returns its `data`, an order.
    #[track_caller]
    pub(crate) fn order(&self) -> Value {
        self.ok()["data"].take()
    }

    pub(crate) fn is_replay(&self) -> bool {
        self.header("Idempotent-Replayed") == Some("true")
    }
}

impl std::fmt::Display for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?} {}", self.status, self.headers, self.text())
    }
}

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Result<Self, String> {
        Self::open_patiently(address, TIMEOUT)
    }

    /// Opens a connection. Each response may take up to `patience`.
    pub(crate) fn open_patiently(address: SocketAddr, patience: Duration) -> Result<Self, String> {
        let stream = TcpStream::connect_timeout(&address, TIMEOUT)
            .map_err(|error| format!("connect: {error}"))?;
        stream.set_read_timeout(Some(patience)).unwrap();
        stream.set_write_timeout(Some(TIMEOUT)).unwrap();
        stream.set_nodelay(true).unwrap();
        Ok(Self {
            stream: BufReader::new(stream),
        })
    }

    /// Sends `request` without waiting for the response.
    #[cfg(target_os = "linux")]
    pub(crate) fn begin(&mut self, request: &Request) -> Result<(), String> {
        self.write(&request.bytes())
    }

    /// Returns whether a response has begun to arrive.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_answered(&self) -> bool {
        let stream = self.stream.get_ref();
        stream.set_nonblocking(true).unwrap();
        let answered = stream.peek(&mut [0]).is_ok();
        stream.set_nonblocking(false).unwrap();
        answered
    }

    pub(crate) fn send(&mut self, request: &Request) -> Result<Response, String> {
        self.send_raw(&request.bytes())
    }

    pub(crate) fn send_raw(&mut self, bytes: &[u8]) -> Result<Response, String> {
        // A server may respond before it has read everything, so a failed write is not an error if
        // there is a response.
        let written = self.write(bytes);
        self.read()
            .map_err(|error| format!("{error} (write: {written:?})"))
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let stream = self.stream.get_mut();
        stream
            .write_all(bytes)
            .and_then(|()| stream.flush())
            .map_err(|error| format!("write: {error}"))
    }

    pub(crate) fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Ok(0) => Err("closed without a response".to_owned()),
            Ok(_) => Ok(line.trim_end().to_owned()),
            Err(error) => Err(format!("read: {error}")),
        }
    }

    pub(crate) fn read(&mut self) -> Result<Response, String> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| format!("no status line: {first:?}"))?;
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            match line.split_once(':') {
                Some((name, value)) => {
                    headers.push((name.trim().to_owned(), value.trim().to_owned()))
                }
                None if line.is_empty() => break,
                None => return Err(format!("no header: {line:?}")),
            }
        }
        let mut response = Response {
            status,
            headers,
            body: Vec::new(),
        };
        let length = response
            .header("Content-Length")
            .map(|length| length.parse::<usize>());
        response.body = if response.header("Transfer-Encoding").is_some() {
            self.read_chunks()?
        } else if let Some(length) = length {
            self.read_exactly(length.map_err(|error| format!("Content-Length: {error}"))?)?
        } else {
            Vec::new()
        };
        Ok(response)
    }

    fn read_exactly(&mut self, length: usize) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; length];
        self.stream
            .read_exact(&mut bytes)
            .map_err(|error| format!("the response's body: {error}"))?;
        Ok(bytes)
    }

    fn read_chunks(&mut self) -> Result<Vec<u8>, String> {
        let mut body = Vec::new();
        loop {
            let line = self.line()?;
            let length = usize::from_str_radix(&line, 16)
                .map_err(|error| format!("chunk {line:?}: {error}"))?;
            body.extend(self.read_exactly(length)?);
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }
}

/// Sends `request` over a new connection.
pub(crate) fn try_send(address: SocketAddr, request: &Request) -> Result<Response, String> {
    Connection::open(address)?.send(&request.clone().header("Connection", "close"))
}

pub(crate) fn try_get(address: SocketAddr, path: &str) -> Result<Response, String> {
    try_send(address, &Request::new("GET", path))
}

//! A webhook receiver.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Attempt {
    pub(crate) fn id(&self) -> &str {
        &self.headers["webhook-id"]
    }

    pub(crate) fn event(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Returns whether any of the signatures was made with `secret`, as Standard Webhooks defines.
    pub(crate) fn is_signed_by(&self, secret: &str) -> bool {
        let key = STANDARD
            .decode(secret.strip_prefix("whsec_").unwrap())
            .unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        for part in [self.id(), ".", &self.headers["webhook-timestamp"], "."] {
            mac.update(part.as_bytes());
        }
        mac.update(&self.body);
        let wanted = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        let signatures = &self.headers["webhook-signature"];
        signatures.split(' ').any(|signature| signature == wanted)
    }
}

/// Returns a receiver's response, head and body as sent.
pub(crate) type Answer = Box<dyn Fn(&Attempt) -> String + Send + Sync>;

/// A receiver that runs until the test process ends.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    attempts: Arc<Mutex<Vec<Attempt>>>,
}

/// Returns the settings that permit a server to call `receivers`.
pub(crate) fn permitting<'a>(
    receivers: impl IntoIterator<Item = &'a Receiver>,
) -> [(&'static str, String); 3] {
    let receivers = receivers.into_iter();
    let ports: Vec<String> = receivers
        .map(|receiver| receiver.address.port().to_string())
        .collect();
    let networks = || "127.0.0.0/8".to_owned();
    [
        ("PRESSLINE__EGRESS__ALLOW_STORES", networks()),
        ("PRESSLINE__EGRESS__ALLOW", networks()),
        ("PRESSLINE__EGRESS__PORTS", ports.join(",")),
    ]
}

pub(crate) fn status(code: u16) -> String {
    format!("HTTP/1.1 {code} Status\r\ncontent-length: 0\r\n\r\n")
}

impl Receiver {
    pub(crate) fn accepting() -> Self {
        Self::start(|_| status(204))
    }

    pub(crate) fn start(answer: impl Fn(&Attempt) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let attempts: Arc<Mutex<Vec<Attempt>>> = Arc::default();
        let (answer, shared): (Arc<Answer>, _) =
            (Arc::new(Box::new(answer)), Arc::clone(&attempts));
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (answer, attempts) = (Arc::clone(&answer), Arc::clone(&shared));
                // Only the caller notices a lost connection.
                thread::spawn(move || connection.map(|stream| serve(stream, &answer, &attempts)));
            }
        });
        Self { address, attempts }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    pub(crate) fn count(&self) -> usize {
        self.attempts.lock().unwrap().len()
    }

    pub(crate) fn attempts(&self) -> Vec<Attempt> {
        self.attempts.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, answer: &Answer, attempts: &Mutex<Vec<Attempt>>) -> Option<()> {
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let attempt = read(&mut reader)?;
        attempts.lock().ok()?.push(attempt.clone());
        writer.write_all(answer(&attempt).as_bytes()).ok()?;
    }
}

fn read(reader: &mut impl BufRead) -> Option<Attempt> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim_end().is_empty() {
            break;
        }
        lines.push(line.trim_end().to_owned());
    }
    let headers = lines
        .iter()
        .skip(1)
        .filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    let headers: BTreeMap<String, String> = headers.collect();
    let length = headers.get("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Attempt {
        path: lines.first()?.split(' ').nth(1)?.to_owned(),
        headers,
        body,
    })
}

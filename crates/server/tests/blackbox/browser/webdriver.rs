//! A browser session in the WebDriver protocol (W3C, level 2), as far as the tests need it.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::Connection;

/// Name of the field that refers to a page element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// Time between two searches for an element.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Keys without a character, as code points of the protocol.
pub(super) mod key {
    pub(in super::super) const TAB: char = '\u{e004}';
    pub(in super::super) const ENTER: char = '\u{e007}';
    pub(in super::super) const CONTROL: char = '\u{e009}';
    pub(in super::super) const SPACE: char = '\u{e00d}';
    pub(in super::super) const DOWN: char = '\u{e015}';
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Locator<'a> {
    Css(&'a str),
    XPath(&'a str),
}

impl Locator<'_> {
    fn body(self) -> Value {
        match self {
            Self::Css(value) => json!({ "using": "css selector", "value": value }),
            Self::XPath(value) => json!({ "using": "xpath", "value": value }),
        }
    }
}

/// A rejected command: `error` and `message` of the driver.
#[derive(Debug)]
pub(super) struct Refused(Value);

impl Refused {
    fn is_missing_element(&self) -> bool {
        self.0["error"] == "no such element"
    }
}

/// A session of the driver at `driver`.
#[derive(Debug, Clone)]
pub(super) struct Client {
    driver: SocketAddr,
    session: String,
}

impl Client {
    pub(super) fn open(driver: SocketAddr, capabilities: &Value) -> Self {
        let body = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let session = send(driver, "POST", "/session", Some(&body)).unwrap();
        let session = session["sessionId"].as_str().unwrap().to_owned();
        Self { driver, session }
    }

    pub(super) fn close(&self) {
        self.send("DELETE", "", None).unwrap();
    }

    /// Opens `url` and waits until it has loaded.
    pub(super) fn goto(&self, url: &str) {
        self.post("url", &json!({ "url": url })).unwrap();
    }

    pub(super) fn find(&self, locator: Locator<'_>) -> Result<Element<'_>, Refused> {
        let found = self.post("element", &locator.body())?;
        Ok(self.element(&found))
    }

    pub(super) fn find_all(&self, locator: Locator<'_>) -> Vec<Element<'_>> {
        let found = self.post("elements", &locator.body()).unwrap();
        let found = found.as_array().unwrap().iter();
        found.map(|reference| self.element(reference)).collect()
    }

    /// Waits for an element; `None` if it does not appear within `limit`.
    pub(super) fn wait_for(&self, locator: Locator<'_>, limit: Duration) -> Option<Element<'_>> {
        let begin = Instant::now();
        loop {
            match self.find(locator) {
                Ok(element) => return Some(element),
                Err(refused) if !refused.is_missing_element() => panic!("{refused:?}"),
                Err(_) if begin.elapsed() > limit => return None,
                Err(_) => std::thread::sleep(POLL_INTERVAL),
            }
        }
    }

    pub(super) fn active_element(&self) -> Element<'_> {
        let found = self.send("GET", "/element/active", None).unwrap();
        self.element(&found)
    }

    /// Presses and releases `key`.
    pub(super) fn press(&self, key: char) {
        let actions = ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key }));
        let source = json!({ "type": "key", "id": "keys", "actions": actions });
        self.post("actions", &json!({ "actions": [source] }))
            .unwrap();
    }

    /// Runs `script`, the body of a function, with `arguments`. Returns its result.
    pub(super) fn execute(&self, script: &str, arguments: &[Value]) -> Value {
        let body = json!({ "script": script, "args": arguments });
        self.post("execute/sync", &body).unwrap()
    }

    /// Runs `script`, the body of a function. Its last argument is a callback for the result.
    pub(super) fn execute_async(&self, script: &str) -> Value {
        let body = json!({ "script": script, "args": [] });
        self.post("execute/async", &body).unwrap()
    }

    pub(super) fn window(&self) -> Value {
        self.send("GET", "/window", None).unwrap()
    }

    pub(super) fn new_tab(&self) -> Value {
        let opened = self.post("window/new", &json!({ "type": "tab" })).unwrap();
        opened["handle"].clone()
    }

    pub(super) fn switch_to_window(&self, handle: &Value) {
        self.post("window", &json!({ "handle": handle })).unwrap();
    }

    pub(super) fn close_window(&self) {
        self.send("DELETE", "/window", None).unwrap();
    }

    pub(super) fn post(&self, command: &str, body: &Value) -> Result<Value, Refused> {
        self.send("POST", &format!("/{command}"), Some(body))
    }

    fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Refused> {
        let path = format!("/session/{}{path}", self.session);
        send(self.driver, method, &path, body)
    }

    fn element(&self, reference: &Value) -> Element<'_> {
        let id = reference[ELEMENT].as_str().unwrap().to_owned();
        Element { client: self, id }
    }
}

#[derive(Debug)]
pub(super) struct Element<'a> {
    client: &'a Client,
    id: String,
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Element<'_> {
    pub(super) fn click(&self) {
        self.post("click", &json!({}));
    }

    pub(super) fn clear(&self) {
        self.post("clear", &json!({}));
    }

    /// Types `text`. Control keys are code points of [`key`].
    pub(super) fn send_keys(&self, text: &str) {
        self.post("value", &json!({ "text": text }));
    }

    /// Chooses the option with the given `label` from a list.
    pub(super) fn select(&self, label: &str) {
        let path = format!(".//option[normalize-space(.)='{label}']");
        let option = self.post("element", &Locator::XPath(&path).body());
        self.client.element(&option).click();
    }

    /// Returns the visible text; empty if the element is no longer part of the page.
    pub(super) fn text(&self) -> String {
        let text = self.get("text").ok();
        text.and_then(|text| text.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    /// Returns the attribute `name`; `None` if the element does not have it.
    pub(super) fn attr(&self, name: &str) -> Option<String> {
        let value = self.get(&format!("attribute/{name}")).unwrap();
        value.as_str().map(str::to_owned)
    }

    /// Returns the property `name`; `None` if it is not a string.
    pub(super) fn prop(&self, name: &str) -> Option<String> {
        let value = self.get(&format!("property/{name}")).unwrap();
        value.as_str().map(str::to_owned)
    }

    /// Returns the element as an argument for scripts.
    pub(super) fn reference(&self) -> Value {
        json!({ ELEMENT: self.id })
    }

    fn get(&self, what: &str) -> Result<Value, Refused> {
        let path = format!("/element/{}/{what}", self.id);
        self.client.send("GET", &path, None)
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        let command = format!("element/{}/{command}", self.id);
        self.client.post(&command, body).unwrap()
    }
}

/// Maximum run time of a script. Beside other tests, axe took more than 30 s on a page.
pub(super) const SCRIPT_TIME: Duration = Duration::from_secs(120);

/// Sends a command to a driver and returns the `value` of its response.
fn send(
    driver: SocketAddr,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<Value, Refused> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {driver}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut connection = Connection::open_patiently(driver, 2 * SCRIPT_TIME).unwrap();
    let response = connection.send_raw(request.as_bytes()).unwrap();
    let value = response.json()["value"].take();
    if response.status == 200 {
        Ok(value)
    } else {
        Err(Refused(value))
    }
}

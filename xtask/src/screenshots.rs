//! `cargo xtask screenshots`: screenshots of the console for the documentation.
//!
//! They show the demo data of a first run, in Chromium driven by WebDriver.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::cargo::{cargo, root, run as run_command};
use crate::error::TaskError;

/// Folder of the screenshots in the workspace.
const FOLDER: &str = "docs/screenshots";
/// Name, path, colour scheme, and window width in CSS pixels.
const PICTURES: [(&str, &str, &str, u32); 8] = [
    ("today", "/console", "light", 1280),
    ("queue", "/console/queue", "light", 1280),
    ("order", "/console/orders/SUN-42", "light", 1280),
    ("batch", "/console/batches/BATCH-1", "light", 1280),
    ("scan", "/console/scan?step=pack", "dark", 1280),
    ("problems", "/console/problems?kinds=change", "light", 1280),
    ("reports", "/console/reports?by=sku", "dark", 1280),
    ("phone", "/console/orders/SUN-42", "light", 320),
];
/// Time limit for the start of a program, and for a page to show a text.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn run() -> Result<(), TaskError> {
    run_command(&mut cargo(["build", "--locked", "--package=pressline"]))?;
    let metadata = crate::cargo::metadata(false)?;
    let folder = tempfile::tempdir()?;
    let mut service = Command::new(metadata.target_directory.join("debug/pressline"));
    // Runs in an empty folder, so that the service creates its demo database.
    service
        .current_dir(folder.path())
        .env("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0")
        .env("PRESSLINE__OPERATOR__LISTEN", "127.0.0.1:0");
    let (_service, link) = start(&mut service, |line| line.strip_prefix("Console: "))?;
    let mut driver = Command::new(pressline_testkit::browser_driver()?);
    driver.arg("--port=0").env("TMPDIR", folder.path());
    let (_driver, port) = start(&mut driver, |line| {
        line.split_once("was started successfully on port ")
            .map(|(_, port)| port.trim_end_matches('.'))
    })?;
    let browser = Browser::open(port.parse()?)?;
    browser.go(&link)?;
    // A link signs in only by its button.
    browser.execute("document.querySelector('main form button').click()")?;
    let home = link.split("/console").next().unwrap_or_default();
    // The last order of the demo.
    let last = format!("{home}/console/orders?searchKey=sunday-1154");
    // The demo's orders are placed in the background, so the list is reloaded until the last exists.
    browser.wait_for("Today", || Ok(()))?;
    browser.wait_for("SUN-154", || browser.go(&last))?;
    for (name, path, scheme, width) in PICTURES {
        browser.show(scheme, width)?;
        browser.go(&format!("{home}{path}"))?;
        // The station shows something only after a scan.
        if name == "scan" {
            browser.execute(
                "const code = [...document.querySelectorAll('label')]
                     .find((label) => label.textContent.includes('Scan code')).control;
                 code.value = 'SUN-42-1';
                 [...document.querySelectorAll('button')]
                     .find((button) => button.textContent.trim() === 'Record').click()",
            )?;
            browser.wait_for("units done at pack", || Ok(()))?;
        }
        let response = browser.call("GET", "screenshot", &Value::Null)?;
        let picture = STANDARD.decode(response.as_str().unwrap_or_default())?;
        fs::write(root().join(FOLDER).join(format!("{name}.png")), picture)?;
    }
    browser.call("DELETE", "", &Value::Null)?;
    Ok(())
}

/// A child process that is killed when the value is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program and returns the result of `find` on the first matching line of its output.
fn start(
    command: &mut Command,
    find: impl Fn(&str) -> Option<&str>,
) -> Result<(Running, String), TaskError> {
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut running = Running(command.spawn()?);
    let output = running.0.stdout.take().ok_or("no output")?;
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let first_match = lines.find_map(|line| find(&line).map(str::to_owned));
    // The remaining output is read too, or the program would block on a full pipe.
    thread::spawn(move || lines.for_each(drop));
    let address = first_match.ok_or_else(|| format!("{command:?} has ended"))?;
    Ok((running, address))
}

struct Browser {
    port: u16,
    session: String,
}

impl Browser {
    fn open(port: u16) -> Result<Self, TaskError> {
        let arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"];
        let options = json!({ "goog:chromeOptions": { "args": arguments } });
        let wanted = json!({ "capabilities": { "alwaysMatch": options } });
        let made = send(port, "POST", "/session", &wanted)?;
        let session_id = made.get("sessionId").and_then(Value::as_str);
        let session = session_id.ok_or("no session")?.to_owned();
        Ok(Self { port, session })
    }

    /// Runs a command of the session and returns its value.
    fn call(&self, method: &str, command: &str, body: &Value) -> Result<Value, TaskError> {
        // An empty `command` addresses the session itself, without a trailing slash.
        let path = format!("/session/{}/{command}", self.session);
        send(self.port, method, path.trim_end_matches('/'), body)
    }

    fn go(&self, url: &str) -> Result<(), TaskError> {
        self.call("POST", "url", &json!({ "url": url })).map(drop)
    }

    fn execute(&self, script: &str) -> Result<Value, TaskError> {
        let body = json!({ "script": script, "args": [] });
        self.call("POST", "execute/sync", &body)
    }

    /// Sets the colour scheme `scheme` and the window width, in CSS pixels, for the following
    /// pages.
    fn show(&self, scheme: &str, width: u32) -> Result<(), TaskError> {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        let height = if width < 1000 { 640 } else { 900 };
        let window =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        for (command, parameters) in [
            ("Emulation.setEmulatedMedia", media),
            ("Emulation.setDeviceMetricsOverride", window),
        ] {
            let body = json!({ "cmd": command, "params": parameters });
            self.call("POST", "goog/cdp/execute", &body)?;
        }
        Ok(())
    }

    /// Waits until the page shows `text`. Calls `between` before each further check.
    fn wait_for(
        &self,
        text: &str,
        between: impl Fn() -> Result<(), TaskError>,
    ) -> Result<(), TaskError> {
        let begin = Instant::now();
        loop {
            let shown = self.execute("return document.body ? document.body.innerText : ''");
            if shown.is_ok_and(|shown| shown.as_str().is_some_and(|shown| shown.contains(text))) {
                return Ok(());
            }
            if begin.elapsed() > PATIENCE {
                return Err(format!("no page shows `{text}`").into());
            }
            thread::sleep(Duration::from_millis(100));
            between()?;
        }
    }
}

/// Sends a request to the driver on `port` and returns the value of the response.
fn send(port: u16, method: &str, path: &str, body: &Value) -> Result<Value, TaskError> {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // The driver keeps the connection open, so the end of the response is known only by its length.
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    while reader.read_line(&mut head)? > 2 {
        let line = head.lines().next_back().unwrap_or_default();
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    if !head.starts_with("HTTP/1.1 200") {
        let body = String::from_utf8_lossy(&bytes);
        return Err(format!("{method} {path}: {head}{body}").into());
    }
    let document: Value = serde_json::from_slice(&bytes)?;
    Ok(document.get("value").cloned().unwrap_or_default())
}

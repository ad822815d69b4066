//! Chromium, by the driver of the distribution. Without one of them, the tests are skipped.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::webdriver::{Client, SCRIPT_TIME};

/// Output of the driver when it is listening, up to its port.
const LISTENING: &str = "was started successfully on port ";

/// A running driver. Dropping it ends the driver and all its browsers.
pub(super) struct Driver {
    process: Child,
    pub(super) address: SocketAddr,
    /// Browser profiles and downloads; dropped last.
    folder: TempDir,
}

impl Driver {
    /// Starts a driver. Returns `None` if the driver or the browser is not installed.
    fn start() -> Option<Self> {
        let program = match pressline_testkit::browser_driver() {
            Ok(program) => program,
            Err(reason) => {
                pressline_testkit::skip("browser", reason);
                return None;
            }
        };
        let folder = TempDir::new().unwrap();
        let mut process = Command::new(program)
            .arg("--port=0")
            .env("TMPDIR", folder.path())
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once(LISTENING)?;
            port.trim_end_matches('.').parse().ok()
        });
        let address = (Ipv4Addr::LOCALHOST, port.expect("the port of the driver")).into();
        // Later output must be read, because the driver would block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self {
            process,
            address,
            folder,
        })
    }

    /// Creates the folder `name`, deleted with the driver.
    pub(super) fn folder(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    pub(super) fn browser(&self, runs_scripts: bool) -> Client {
        Client::open(self.address, &capabilities(runs_scripts))
    }

    /// Opens a browser with the page load strategy `none`: its commands return before a page has
    /// loaded.
    pub(super) fn impatient_browser(&self, runs_scripts: bool) -> Client {
        let mut capabilities = capabilities(runs_scripts);
        capabilities["pageLoadStrategy"] = "none".into();
        Client::open(self.address, &capabilities)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        let _ = self.process.wait();
    }
}

fn capabilities(runs_scripts: bool) -> Value {
    let scripts = if runs_scripts { 1 } else { 2 };
    json!({
        "goog:chromeOptions": {
            // `--app` opens a window without tabs and toolbars. Chromium would redraw them for each
            // page, which takes a sixth to a fourth of the tests' processor time.
            "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update",
                "--window-size=1280,900", "--lang=en", "--app=data:,",
            ],
            "prefs": { "profile.managed_default_content_settings.javascript": scripts },
        },
        "timeouts": { "script": SCRIPT_TIME.as_millis() },
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
    })
}

pub(super) fn in_browser(test: impl FnOnce(&Driver)) {
    if let Some(driver) = Driver::start() {
        test(&driver);
    }
}

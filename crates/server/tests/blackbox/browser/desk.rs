//! A user at a browser, who finds elements by their visible names.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::driver::Driver;
use super::webdriver::{Client, Element, Locator, key};
use crate::common::{Server, Site, pause_after};

/// Maximum time until a page shows something.
const PATIENCE: Duration = Duration::from_secs(30);
/// Maximum number of Tab presses to any element of a page.
const MOST_TABS: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hands {
    Mouse,
    /// The keyboard alone: every element is reached by the Tab key.
    Keys,
}

/// Makes a sign-in link for `name` on the command line, and returns its path.
pub(super) fn sign_in_link(site: &Site, name: &str) -> String {
    let made = site.run(&["--json", "operator", "sign-in", name]).json();
    let (_, secret) = made["link"].as_str().unwrap().rsplit_once('=').unwrap();
    format!("/console/sign-in?link={secret}")
}

pub(super) struct Desk {
    pub(super) client: Client,
    pub(super) home: String,
    hands: Hands,
}

impl Desk {
    pub(super) fn open(driver: &Driver, server: &Server) -> Self {
        Self::with(driver, server, true, Hands::Mouse)
    }

    pub(super) fn with(driver: &Driver, server: &Server, runs_scripts: bool, hands: Hands) -> Self {
        Self::new(driver.browser(runs_scripts), server, hands)
    }

    /// Opens a browser with a user who does not wait until pages are loaded.
    pub(super) fn impatient(driver: &Driver, server: &Server, runs_scripts: bool) -> Self {
        let client = driver.impatient_browser(runs_scripts);
        Self::new(client, server, Hands::Keys)
    }

    fn new(client: Client, server: &Server, hands: Hands) -> Self {
        Self {
            client,
            home: format!("http://{}", server.for_operators()),
            hands,
        }
    }

    /// Signs `name` in by a link from the command line.
    pub(super) fn sign_in(&self, site: &Site, name: &str) {
        self.go(&sign_in_link(site, name));
        self.press("Sign in");
        self.is_at("Today");
    }

    pub(super) fn go(&self, path: &str) {
        let address = format!("{}{path}", self.home);
        self.client.goto(&address);
    }

    pub(super) fn is_at(&self, heading: &str) {
        let path = format!("//h1[normalize-space(.)='{heading}']");
        self.element(&path, heading);
    }

    /// Waits until the page shows `text`.
    pub(super) fn sees(&self, text: &str) {
        let begin = Instant::now();
        loop {
            let shown = self.text();
            if shown.contains(text) {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "no `{text}` in\n{shown}");
            std::thread::sleep(pause_after(begin.elapsed()));
        }
    }

    /// Returns the visible text of the page; empty while another page loads.
    pub(super) fn text(&self) -> String {
        let body = self.client.find(Locator::Css("body"));
        body.map(|body| body.text()).unwrap_or_default()
    }

    /// Presses the button with the text `name`.
    pub(super) fn press(&self, name: &str) {
        let path = format!("//button[normalize-space(.)='{name}']");
        let button = self.element(&path, name);
        self.activate(button, key::ENTER);
    }

    /// Follows the link with the text `name`.
    pub(super) fn follow(&self, name: &str) {
        let path = format!("//a[normalize-space(.)='{name}']");
        self.follow_at(&path, name);
    }

    /// Follows the link at an XPath. `name` is for the failure message.
    pub(super) fn follow_at(&self, path: &str, name: &str) {
        let link = self.element(path, name);
        self.activate(link, key::ENTER);
    }

    /// Waits until the page has an element at the XPath `path`.
    pub(super) fn finds(&self, path: &str) {
        self.element(path, path);
    }

    /// Opens the `details` element with the given `summary`.
    pub(super) fn unfold(&self, summary: &str) {
        let path = format!("//summary[normalize-space(.)='{summary}']");
        let summary = self.element(&path, summary);
        self.activate(summary, key::ENTER);
    }

    /// Ticks a checkbox, or selects a radio button, by its `label`.
    pub(super) fn tick(&self, label: &str) {
        let field = self.field(label);
        self.activate(field, key::SPACE);
    }

    /// Replaces the value of a field by `text`.
    pub(super) fn fill(&self, label: &str, text: &str) {
        let field = self.field(label);
        match self.hands {
            Hands::Mouse => field.clear(),
            Hands::Keys => {
                self.reach(&field);
                field.send_keys(&format!("{}a", key::CONTROL));
            }
        }
        field.send_keys(text);
    }

    /// Chooses `file`. The system's file dialog is not part of the page, so the path is typed into
    /// the field.
    pub(super) fn attach(&self, label: &str, file: &Path) {
        let field = self.field(label);
        if self.hands == Hands::Keys {
            self.reach(&field);
        }
        field.send_keys(file.to_str().unwrap());
    }

    /// Chooses `option` from a list.
    pub(super) fn choose(&self, label: &str, option: &str) {
        let field = self.field(label);
        match self.hands {
            Hands::Mouse => field.select(option),
            Hands::Keys => {
                self.reach(&field);
                field.send_keys(option);
                let script = "return arguments[0].selectedOptions[0].label;";
                let chosen = self.client.execute(script, &[field.reference()]);
                assert_eq!(chosen, option, "{label}");
            }
        }
    }

    pub(super) fn value(&self, label: &str) -> String {
        let field = self.field(label);
        field.prop("value").unwrap_or_default()
    }

    /// Waits for the element at an XPath. `name` is for the failure message.
    fn element(&self, path: &str, name: &str) -> Element<'_> {
        let found = self.client.wait_for(Locator::XPath(path), PATIENCE);
        found.unwrap_or_else(|| panic!("no `{name}` on the page\n{}", self.text()))
    }

    /// Returns the field labelled `label`.
    fn field(&self, label: &str) -> Element<'_> {
        let path = format!(
            "//*[@id=//label[normalize-space(.)='{label}']/@for] | //input[@aria-label='{label}'] \
             | //label[normalize-space(.)='{label}']//input"
        );
        self.element(&path, label)
    }

    fn activate(&self, element: Element<'_>, key: char) {
        match self.hands {
            Hands::Mouse => element.click(),
            Hands::Keys => {
                if self.reach(&element) {
                    self.key(key);
                }
            }
        }
    }

    /// Moves the focus to `element` with the Tab key, and with the arrow keys within a radio group.
    /// Returns `false` if an arrow key has already selected it.
    fn reach(&self, element: &Element<'_>) -> bool {
        let group = match element.attr("type").as_deref() {
            Some("radio") => element.attr("name"),
            _ => None,
        };
        for _ in 0..MOST_TABS {
            self.key(key::TAB);
            let mut focused = self.client.active_element();
            if focused == *element {
                return true;
            }
            while group.is_some() && focused.attr("name") == group {
                self.key(key::DOWN);
                focused = self.client.active_element();
                if focused == *element {
                    return false;
                }
            }
        }
        panic!("the Tab key does not reach {:?}", element.prop("outerHTML"));
    }

    pub(super) fn key(&self, value: char) {
        self.client.press(value);
    }

    /// Sends a command of the Chrome DevTools Protocol.
    pub(super) fn command(&self, name: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        self.client.post("goog/cdp/execute", &body).unwrap()
    }

    /// Returns the browser's log entries of `kind` since the last call.
    fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self
            .client
            .post("se/log", &json!({ "type": kind }))
            .unwrap();
        entries.as_array().unwrap().clone()
    }

    /// Asserts that the browser sent requests to the service only, and that no page violated its
    /// content security policy or failed in a script.
    pub(super) fn assert_kept_to_itself(&self) {
        for entry in self.log("performance") {
            let entry: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            let message = &entry["message"];
            if message["method"] != "Network.requestWillBeSent" {
                continue;
            }
            let url = message["params"]["request"]["url"].as_str().unwrap();
            let is_own = url.starts_with(&format!("{}/", self.home));
            assert!(is_own || url.starts_with("data:"), "a request to {url}");
        }
        for entry in self.log("browser") {
            let is_hint = ["INFO", "DEBUG"]
                .iter()
                .any(|level| entry["level"] == *level);
            // The network log complains about every page with a status of 400 or more.
            let is_harmless = is_hint || entry["source"] == "network";
            assert!(is_harmless, "the browser complains: {entry}");
        }
    }

    /// Checks the logs and closes the browser.
    pub(super) fn leave(self) {
        self.assert_kept_to_itself();
        self.client.close();
    }
}

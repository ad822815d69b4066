//! A person at a browser, who uses what a page shows by its name.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::driver::Driver;
use super::webdriver::{Client, Element, Locator, key};
use crate::common::{Server, Site, pause_after};

/// How long a page may take to show something.
const PATIENCE: Duration = Duration::from_secs(30);
/// Most steps by the Tab key to anything on a page.
const MOST_TABS: usize = 400;

/// What a person uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hands {
    Mouse,
    /// The keyboard alone: everything is reached by the Tab key.
    Keys,
}

/// Makes a sign-in link by the command line, and returns its path.
pub(super) fn sign_in_link(site: &Site, name: &str) -> String {
    let made = site.run(&["--json", "operator", "sign-in", name]).json();
    let (_, secret) = made["link"].as_str().unwrap().rsplit_once('=').unwrap();
    format!("/console/sign-in?link={secret}")
}

/// A person at a browser.
pub(super) struct Desk {
    pub(super) client: Client,
    pub(super) home: String,
    hands: Hands,
}

impl Desk {
    /// Opens a browser in which scripts run.
    pub(super) fn open(driver: &Driver, server: &Server) -> Self {
        Self::with(driver, server, true, Hands::Mouse)
    }

    pub(super) fn with(driver: &Driver, server: &Server, runs_scripts: bool, hands: Hands) -> Self {
        Self::new(driver.browser(runs_scripts), server, hands)
    }

    /// Opens a browser that is used while its pages load.
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

    /// Signs in by a link that the command line prints.
    pub(super) fn sign_in(&self, site: &Site, name: &str) {
        self.go(&sign_in_link(site, name));
        self.press("Sign in");
        self.is_at("Today");
    }

    /// Opens an address of the console.
    pub(super) fn go(&self, path: &str) {
        let address = format!("{}{path}", self.home);
        self.client.goto(&address);
    }

    /// Waits until the page has this heading.
    pub(super) fn is_at(&self, heading: &str) {
        let path = format!("//h1[normalize-space(.)='{heading}']");
        self.element(&path, heading);
    }

    /// Waits until the page shows a text.
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

    /// Returns what the page shows; nothing while another one is loaded.
    pub(super) fn text(&self) -> String {
        let body = self.client.find(Locator::Css("body"));
        body.map(|body| body.text()).unwrap_or_default()
    }

    /// Presses a button, by all of its text.
    pub(super) fn press(&self, name: &str) {
        let path = format!("//button[normalize-space(.)='{name}']");
        let button = self.element(&path, name);
        self.activate(button, key::ENTER);
    }

    /// Follows a link, by all of its text.
    pub(super) fn follow(&self, name: &str) {
        let path = format!("//a[normalize-space(.)='{name}']");
        self.follow_at(&path, name);
    }

    /// Follows a link, by its path.
    pub(super) fn follow_at(&self, path: &str, name: &str) {
        let link = self.element(path, name);
        self.activate(link, key::ENTER);
    }

    /// Waits until the page has an element, by its path.
    pub(super) fn finds(&self, path: &str) {
        self.element(path, path);
    }

    /// Opens what is folded, by its summary.
    pub(super) fn unfold(&self, summary: &str) {
        let path = format!("//summary[normalize-space(.)='{summary}']");
        let summary = self.element(&path, summary);
        self.activate(summary, key::ENTER);
    }

    /// Ticks a checkbox, or chooses one of several.
    pub(super) fn tick(&self, label: &str) {
        let field = self.field(label);
        self.activate(field, key::SPACE);
    }

    /// Types into a field, instead of what is in it.
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

    /// Chooses a file. The dialog of the system is not part of the page: only the field is reached.
    pub(super) fn attach(&self, label: &str, file: &Path) {
        let field = self.field(label);
        if self.hands == Hands::Keys {
            self.reach(&field);
        }
        field.send_keys(file.to_str().unwrap());
    }

    /// Chooses from a list.
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

    /// Returns what is in a field.
    pub(super) fn value(&self, label: &str) -> String {
        let field = self.field(label);
        field.prop("value").unwrap_or_default()
    }

    /// Returns an element by its path, which the page may show only later.
    fn element(&self, path: &str, name: &str) -> Element<'_> {
        let found = self.client.wait_for(Locator::XPath(path), PATIENCE);
        found.unwrap_or_else(|| panic!("no `{name}` on the page\n{}", self.text()))
    }

    /// Returns a field by its label.
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

    /// Moves the focus to an element, by the Tab key, and by the arrows within a group of which one
    /// is chosen: that chooses it, and the result is false.
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

    /// Presses a key.
    pub(super) fn key(&self, value: char) {
        self.client.press(value);
    }

    /// Gives the browser a command of its protocol.
    pub(super) fn command(&self, name: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        self.client.post("goog/cdp/execute", &body).unwrap()
    }

    /// Returns the entries of a log of the browser since the last call.
    fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self
            .client
            .post("se/log", &json!({ "type": kind }))
            .unwrap();
        entries.as_array().unwrap().clone()
    }

    /// Asserts that the browser has asked nobody else for anything, and that no page broke its
    /// policy or failed in a script.
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
            // Pages with a status of 400 or more are complaints of the network.
            let is_harmless = is_hint || entry["source"] == "network";
            assert!(is_harmless, "the browser complains: {entry}");
        }
    }

    /// Ends the session and closes the browser.
    pub(super) fn leave(self) {
        self.assert_kept_to_itself();
        self.client.close();
    }
}

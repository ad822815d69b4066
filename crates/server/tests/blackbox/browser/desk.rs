//! A person at a browser, who uses what a page shows by its name.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use super::driver::{Driver, call};
use crate::common::{Server, Site};

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

/// A person at a browser.
pub(super) struct Desk {
    pub(super) client: Client,
    driver: SocketAddr,
    session: String,
    pub(super) home: String,
    hands: Hands,
}

impl Desk {
    /// Opens a browser in which scripts run.
    pub(super) async fn open(driver: &Driver, server: &Server) -> Self {
        Self::with(driver, server, true, Hands::Mouse).await
    }

    pub(super) async fn with(
        driver: &Driver,
        server: &Server,
        runs_scripts: bool,
        hands: Hands,
    ) -> Self {
        let client = driver.browser(runs_scripts).await;
        let session = client.session_id().await.unwrap().unwrap();
        Self {
            client,
            driver: driver.address,
            session,
            home: format!("http://{}", server.for_operators()),
            hands,
        }
    }

    /// Signs in by a link that the command line prints.
    pub(super) async fn sign_in(&self, site: &Site, name: &str) {
        let made = site.run(&["--json", "operator", "sign-in", name]).json();
        let (_, secret) = made["link"].as_str().unwrap().rsplit_once('=').unwrap();
        self.go(&format!("/console/sign-in?link={secret}")).await;
        self.press("Sign in").await;
        self.is_at("Today").await;
    }

    /// Opens an address of the console.
    pub(super) async fn go(&self, path: &str) {
        let address = format!("{}{path}", self.home);
        self.client.goto(&address).await.unwrap();
    }

    /// Waits until the page has this heading.
    pub(super) async fn is_at(&self, heading: &str) {
        let path = format!("//h1[normalize-space(.)='{heading}']");
        self.element(&path, heading).await;
    }

    /// Waits until the page shows a text.
    pub(super) async fn sees(&self, text: &str) {
        let begin = Instant::now();
        loop {
            let shown = self.text().await;
            if shown.contains(text) {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "no `{text}` in\n{shown}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Returns what the page shows; nothing while another one is loaded.
    pub(super) async fn text(&self) -> String {
        match self.client.find(Locator::Css("body")).await {
            Ok(body) => body.text().await.unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// Presses a button, by all of its text.
    pub(super) async fn press(&self, name: &str) {
        let path = format!("//button[normalize-space(.)='{name}']");
        let button = self.element(&path, name).await;
        self.activate(button, Key::Enter).await;
    }

    /// Follows a link, by all of its text.
    pub(super) async fn follow(&self, name: &str) {
        let path = format!("//a[normalize-space(.)='{name}']");
        self.follow_at(&path, name).await;
    }

    /// Follows a link, by its path.
    pub(super) async fn follow_at(&self, path: &str, name: &str) {
        let link = self.element(path, name).await;
        self.activate(link, Key::Enter).await;
    }

    /// Waits until the page has an element, by its path.
    pub(super) async fn finds(&self, path: &str) {
        self.element(path, path).await;
    }

    /// Opens what is folded, by its summary.
    pub(super) async fn unfold(&self, summary: &str) {
        let path = format!("//summary[normalize-space(.)='{summary}']");
        let summary = self.element(&path, summary).await;
        self.activate(summary, Key::Enter).await;
    }

    /// Ticks a checkbox, or chooses one of several.
    pub(super) async fn tick(&self, label: &str) {
        let field = self.field(label).await;
        self.activate(field, Key::Space).await;
    }

    /// Types into a field, instead of what is in it.
    pub(super) async fn fill(&self, label: &str, text: &str) {
        let field = self.field(label).await;
        match self.hands {
            Hands::Mouse => field.clear().await.unwrap(),
            Hands::Keys => {
                self.reach(&field).await;
                field.send_keys(&(Key::Control + "a")).await.unwrap();
            }
        }
        field.send_keys(text).await.unwrap();
    }

    /// Chooses a file. The dialog of the system is not part of the page: only the field is reached.
    pub(super) async fn attach(&self, label: &str, file: &Path) {
        let field = self.field(label).await;
        if self.hands == Hands::Keys {
            self.reach(&field).await;
        }
        field.send_keys(file.to_str().unwrap()).await.unwrap();
    }

    /// Chooses from a list.
    pub(super) async fn choose(&self, label: &str, option: &str) {
        let field = self.field(label).await;
        match self.hands {
            Hands::Mouse => field.select_by_label(option).await.unwrap(),
            Hands::Keys => {
                self.reach(&field).await;
                field.send_keys(option).await.unwrap();
                let script = "return arguments[0].selectedOptions[0].label;";
                let field = serde_json::to_value(&field).unwrap();
                let chosen = self.client.execute(script, vec![field]).await.unwrap();
                assert_eq!(chosen, option, "{label}");
            }
        }
    }

    /// Returns what is in a field.
    pub(super) async fn value(&self, label: &str) -> String {
        let field = self.field(label).await;
        field.prop("value").await.unwrap().unwrap_or_default()
    }

    /// Returns an element by its path, which the page may show only later.
    async fn element(&self, path: &str, name: &str) -> Element {
        let wait = self.client.wait().at_most(PATIENCE);
        match wait
            .every(Duration::from_millis(20))
            .for_element(Locator::XPath(path))
            .await
        {
            Ok(element) => element,
            Err(error) => panic!("no `{name}`: {error}\n{}", self.text().await),
        }
    }

    /// Returns a field by its label.
    async fn field(&self, label: &str) -> Element {
        let path = format!(
            "//*[@id=//label[normalize-space(.)='{label}']/@for] | //input[@aria-label='{label}'] \
             | //label[normalize-space(.)='{label}']//input"
        );
        self.element(&path, label).await
    }

    async fn activate(&self, element: Element, key: Key) {
        match self.hands {
            Hands::Mouse => element.click().await.unwrap(),
            Hands::Keys => {
                if self.reach(&element).await {
                    self.key(key.into()).await;
                }
            }
        }
    }

    /// Moves the focus to an element, by the Tab key, and by the arrows within a group of which one
    /// is chosen: that chooses it, and the result is false.
    async fn reach(&self, element: &Element) -> bool {
        let group = match element.attr("type").await.unwrap().as_deref() {
            Some("radio") => element.attr("name").await.unwrap(),
            _ => None,
        };
        for _ in 0..MOST_TABS {
            self.key(Key::Tab.into()).await;
            let mut focused = self.client.active_element().await.unwrap();
            if focused.element_id() == element.element_id() {
                return true;
            }
            while group.is_some() && focused.attr("name").await.unwrap() == group {
                self.key(Key::Down.into()).await;
                focused = self.client.active_element().await.unwrap();
                if focused.element_id() == element.element_id() {
                    return false;
                }
            }
        }
        panic!("the Tab key does not reach {:?}", element.html(false).await);
    }

    /// Presses a key.
    pub(super) async fn key(&self, value: char) {
        let keys = KeyActions::new("keys".to_owned());
        let keys = keys.then(KeyAction::Down { value });
        let keys = keys.then(KeyAction::Up { value });
        self.client.perform_actions(keys).await.unwrap();
    }

    /// Gives the browser a command of its protocol.
    pub(super) fn command(&self, name: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        call(self.driver, &self.session, "goog/cdp/execute", &body)
    }

    /// Returns the entries of a log of the browser since the last call.
    fn log(&self, kind: &str) -> Vec<Value> {
        let entries = call(
            self.driver,
            &self.session,
            "se/log",
            &json!({ "type": kind }),
        );
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
    pub(super) async fn leave(self) {
        self.assert_kept_to_itself();
        self.client.close().await.unwrap();
    }
}

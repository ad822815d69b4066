//! Text and JSON document that the first run prints.

use std::net::SocketAddr;
use std::path::PathBuf;

use pressline_backoffice::operator::{NewLink, Operator};
use pressline_backoffice::store::StoreWithSecret;

use crate::sign_in::sign_in_url;

use super::orders;

/// Shell commands to paste, which call the API as the demo store.
const CALLS: &str = concat!(include_str!("call.sh"), include_str!("calls.sh"));
/// Shell commands that start production of the order that [`CALLS`] places, as the demo operator.
const OPERATOR_CALLS: &str = include_str!("operator_calls.sh");

/// Shell commands to paste, which call the API as a test store.
const SANDBOX_CALLS: &str = concat!(include_str!("call.sh"), include_str!("sandbox.sh"));

pub(super) const OPERATOR: &str = "demo";

pub(super) struct Demo {
    pub(super) store_id: String,
    /// `None` if the database had a store before this run.
    pub(super) new: Option<NewDemo>,
    pub(super) operator_name: Option<String>,
    pub(super) has_made_up_orders: bool,
}

/// Secrets of a [`Demo`]. Only the run that creates the demo can print them.
pub(super) struct NewDemo {
    pub(super) secret_key: String,
    /// Operator that this run created; `None` if the database had an operator before this run.
    pub(super) operator: Option<Box<DemoOperator>>,
}

pub(super) struct DemoOperator {
    pub(super) operator: Operator,
    pub(super) token: String,
    pub(super) link: NewLink,
}

/// Addresses that a server with the default database prints when it starts.
pub struct Addresses {
    /// Address of the stores' listener, the setting `http.listen`.
    pub stores: SocketAddr,
    /// Address of the operators' listener, `operator.listen`; `None` if operators are not served.
    pub operators: Option<SocketAddr>,
    /// Base URL of the console for browsers, the setting `operator.public_url`; `None` if empty.
    pub public_url: Option<String>,
    /// Path of the SQLite file, absolute if possible.
    pub database: PathBuf,
}

impl Addresses {
    fn sign_in(&self, operator: &DemoOperator) -> Option<String> {
        let address = self.operators?;
        Some(sign_in_url(&self.console(address), &operator.link))
    }

    fn console(&self, address: SocketAddr) -> String {
        let public = self.public_url.clone();
        public.unwrap_or_else(|| format!("http://{address}"))
    }
}

impl Demo {
    pub(super) fn operator(&self) -> Option<&DemoOperator> {
        self.new.as_ref()?.operator.as_deref()
    }

    pub(crate) fn document(&self, addresses: &Addresses) -> serde_json::Value {
        let (address, operators) = (addresses.stores, addresses.operators);
        let mut document = serde_json::json!({
            "address": address, "operatorAddress": operators, "storeId": self.store_id,
            "database": addresses.database,
        });
        if let (Some(new), Some(fields)) = (&self.new, document.as_object_mut()) {
            let operator = new.operator.as_ref();
            let token = operator.map(|operator| operator.token.as_str());
            let link = operator.and_then(|operator| addresses.sign_in(operator));
            fields.insert("secretKey".to_owned(), new.secret_key.as_str().into());
            fields.insert("operatorToken".to_owned(), token.into());
            fields.insert("signInLink".to_owned(), link.into());
        }
        document
    }

    pub(crate) fn text(&self, addresses: &Addresses) -> String {
        let address = addresses.stores;
        let mut text = format!(
            "\nPressline listens on http://{address}; the reference is at http://{address}/docs. Ctrl-C stops it.\n\
             Data: {}\n",
            addresses.database.display()
        );
        let store_id = &self.store_id;
        text.push_str(&match &self.new {
            Some(new) => format!(
                "Demo store {store_id}, secret key {} (shown this once).\n",
                new.secret_key
            ),
            None => format!(
                "Store {store_id}. Its secret key was shown when it was created;\n\
                 `pressline store rotate-key {store_id}` creates another key.\n"
            ),
        });
        text.push_str(&self.operators_text(addresses));
        if self.has_made_up_orders {
            text.push_str(&format!(
                "The store `{}` and its orders are made up.\n",
                orders::NAME
            ));
        }
        if let Some(new) = &self.new {
            let token = new
                .operator
                .as_ref()
                .map(|operator| operator.token.as_str());
            let calls = filled_in(CALLS, &address.to_string(), store_id, &new.secret_key)
                .replace("{operator}\n", &operator_calls(addresses.operators, token));
            text.push_str(&format!(
                "\nPaste this into another terminal to place an order, repeat it, update it, find it and read it,\n\
                 to begin with its production, and to print its history. `$RESPONSE` has the whole last response:\n\n\
                 {calls}\n"
            ));
        }
        text
    }

    fn operators_text(&self, addresses: &Addresses) -> String {
        let Some(address) = addresses.operators else {
            return String::new();
        };
        let operator = self.operator();
        let token = operator.map_or_else(
            || "`pressline operator token NAME` creates a token.".to_owned(),
            |operator| {
                format!(
                    "Demo operator's token {} (shown this once).",
                    operator.token
                )
            },
        );
        let link = operator.and_then(|operator| addresses.sign_in(operator));
        let console = match (link, &self.operator_name) {
            (Some(link), _) => format!(
                "Console: {link}\n\
                 (signs in once, within 10 minutes; `pressline operator sign-in {OPERATOR}` makes another link).\n"
            ),
            (None, Some(name)) => format!(
                "Console: {}/console; `pressline operator sign-in {name}` prints a link that opens it.\n",
                addresses.console(address)
            ),
            (None, None) => String::new(),
        };
        format!(
            "{console}Operators: http://{address}, a private port: do not open it to the internet. {token}\n"
        )
    }
}

/// Returns shell commands that take an order from placed to delivered, as the test store `made`.
pub(crate) fn sandbox_text(address: &str, made: &StoreWithSecret) -> String {
    let store = made.record.store.id.to_string();
    let calls = filled_in(SANDBOX_CALLS, address, &store, made.secret.expose());
    format!(
        "\n\nPaste this into a terminal, while the server runs, to take an order from placed to delivered, with one change\n\
         that the print shop approves:\n\n{calls}"
    )
}

fn filled_in(calls: &str, address: &str, store: &str, key: &str) -> String {
    calls
        .replace("{address}", address)
        .replace("{store}", store)
        .replace("{key}", key)
}

fn operator_calls(address: Option<SocketAddr>, token: Option<&str>) -> String {
    let (Some(address), Some(token)) = (address, token) else {
        return String::new();
    };
    OPERATOR_CALLS
        .replace("{address}", &address.to_string())
        .replace("{token}", token)
}

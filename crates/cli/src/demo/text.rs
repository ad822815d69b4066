//! What the first run prints.

use std::net::SocketAddr;
use std::path::PathBuf;

use pressline_backoffice::operator::{NewLink, Operator};
use pressline_backoffice::store::StoreWithSecret;

use crate::sign_in::sign_in_url;

use super::orders;

/// Calls to paste; `{address}`, `{store}`, `{key}` and `{operator}` are placeholders.
const CALLS: &str = concat!(include_str!("call.sh"), include_str!("calls.sh"));
/// Calls by which the print shop starts the order; `{address}` and `{token}` are placeholders.
const OPERATOR_CALLS: &str = include_str!("operator_calls.sh");

/// Calls of a test store to paste; `{address}`, `{store}` and `{key}` are placeholders.
const SANDBOX_CALLS: &str = concat!(include_str!("call.sh"), include_str!("sandbox.sh"));

/// The name of the operator that the first run creates.
pub(super) const OPERATOR: &str = "demo";

pub(super) struct Demo {
    pub(super) store_id: String,
    /// `None` if the first store is from an earlier run.
    pub(super) new: Option<NewDemo>,
    /// An operator who can sign in. `None` if there are no operators.
    pub(super) operator_name: Option<String>,
    pub(super) has_made_up_orders: bool,
}

/// Secrets that only the run that creates the demo can print.
pub(super) struct NewDemo {
    pub(super) secret_key: String,
    /// `None` if there were operators before.
    pub(super) operator: Option<Box<DemoOperator>>,
}

pub(super) struct DemoOperator {
    pub(super) operator: Operator,
    pub(super) token: String,
    pub(super) link: NewLink,
}

/// Addresses in the text of the first run.
pub struct Addresses {
    /// The address on which stores are served.
    pub stores: SocketAddr,
    /// `None` if operators are not served.
    pub operators: Option<SocketAddr>,
    /// The configured URL at which browsers reach the console.
    pub public_url: Option<String>,
    /// The file of the database.
    pub database: PathBuf,
}

impl Addresses {
    /// Returns the sign-in link of an operator. `None` if operators are not served.
    fn sign_in(&self, operator: &DemoOperator) -> Option<String> {
        let address = self.operators?;
        Some(sign_in_url(&self.console(address), &operator.link))
    }

    /// Returns the URL at which browsers reach the listener of operators.
    fn console(&self, address: SocketAddr) -> String {
        let public = self.public_url.clone();
        public.unwrap_or_else(|| format!("http://{address}"))
    }
}

impl Demo {
    /// Returns the operator that this run has created.
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
                 `pressline store rotate-key {store_id}` creates another one.\n"
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

    /// Returns how operators reach the console and their calls. Empty if operators are not served.
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

/// Returns what a test store may paste: the walk of an order from placed to delivered.
pub(crate) fn sandbox_text(address: &str, made: &StoreWithSecret) -> String {
    let store = made.record.store.id.to_string();
    let calls = filled_in(SANDBOX_CALLS, address, &store, made.secret.expose());
    format!(
        "\n\nPaste this into a terminal, while the server runs, to take an order from placed to delivered, with one change\n\
         that the shop approves:\n\n{calls}"
    )
}

fn filled_in(calls: &str, address: &str, store: &str, key: &str) -> String {
    calls
        .replace("{address}", address)
        .replace("{store}", store)
        .replace("{key}", key)
}

/// Returns the calls of the demo operator. Empty where operators are not served or there were others before.
fn operator_calls(address: Option<SocketAddr>, token: Option<&str>) -> String {
    let (Some(address), Some(token)) = (address, token) else {
        return String::new();
    };
    OPERATOR_CALLS
        .replace("{address}", &address.to_string())
        .replace("{token}", token)
}

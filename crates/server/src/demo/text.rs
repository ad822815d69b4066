//! What the first run prints.

use std::net::SocketAddr;

use pressline_domain::store::StoreWithSecret;

use super::{Demo, DemoOperator, OPERATOR};
use crate::config::sign_in_url;

/// The calls to paste, with places for address, store, key and the calls of an operator.
const CALLS: &str = include_str!("calls.sh");
/// The calls with which the print shop begins with the order, with places for address and token.
const OPERATOR_CALLS: &str = include_str!("operator_calls.sh");

/// The walk of an order of a test store to paste, with places for address, store and key.
const SANDBOX_CALLS: &str = include_str!("sandbox.sh");

pub(crate) struct Addresses {
    pub(crate) stores: SocketAddr,
    /// `None` if operators are not served.
    pub(crate) operators: Option<SocketAddr>,
    /// Where browsers reach the console, if that is configured.
    pub(crate) public_url: Option<String>,
}

impl Addresses {
    /// Returns the link by which an operator signs in to the console. `None` if operators are not served.
    fn sign_in(&self, operator: &DemoOperator) -> Option<String> {
        let served = self.operators.map(|address| format!("http://{address}"))?;
        let console = self.public_url.as_ref().unwrap_or(&served);
        Some(sign_in_url(console, &operator.link))
    }
}

impl Demo {
    pub(crate) fn document(&self, addresses: &Addresses) -> serde_json::Value {
        let (address, operators) = (addresses.stores, addresses.operators);
        match self {
            Self::New {
                store_id,
                secret_key,
                operator,
            } => serde_json::json!({
                "address": address, "storeId": store_id, "secretKey": secret_key,
                "operatorAddress": operators,
                "operatorToken": operator.as_ref().map(|operator| &operator.token),
                "signInLink": operator.as_ref().and_then(|operator| addresses.sign_in(operator)),
            }),
            Self::Earlier { store_id } => serde_json::json!({
                "address": address, "storeId": store_id, "operatorAddress": operators,
            }),
        }
    }

    pub(crate) fn text(&self, addresses: &Addresses) -> String {
        let address = addresses.stores;
        let listening = format!(
            "\nPressline listens on http://{address}; the reference is at http://{address}/docs.\n"
        );
        match self {
            Self::New {
                store_id,
                secret_key,
                operator,
            } => {
                let token = operator.as_ref().map(|operator| operator.token.as_str());
                let address = address.to_string();
                let calls = filled_in(CALLS, &address, store_id, secret_key)
                    .replace("{operator}\n", &operator_calls(addresses.operators, token));
                let link = operator
                    .as_ref()
                    .and_then(|operator| addresses.sign_in(operator));
                let operators = operators_text(addresses.operators, token);
                let console = link.map_or_else(String::new, console_text);
                format!(
                    "{listening}\
                     Demo store {store_id}, secret key {secret_key} (shown this once).\n{operators}{console}\n\
                     Paste this into another terminal to place an order, repeat it, update it, find it and read it,\n\
                     to begin with its production, and to print its history:\n\n{calls}\n"
                )
            }
            Self::Earlier { store_id } => format!(
                "{listening}\
                 Store {store_id}. Its secret key was shown when it was created;\n\
                 `pressline store rotate-key {store_id}` creates another one.\n{}",
                operators_text(addresses.operators, None)
            ),
        }
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

fn console_text(link: String) -> String {
    format!(
        "Console: {link}\n\
         (signs in once, within 10 minutes; `pressline operator sign-in {OPERATOR}` makes another link).\n"
    )
}

fn operators_text(address: Option<SocketAddr>, token: Option<&str>) -> String {
    let Some(address) = address else {
        return String::new();
    };
    let token = token.map_or_else(
        || "`pressline operator token NAME` creates a token.".to_owned(),
        |token| format!("Demo operator's token {token} (shown this once)."),
    );
    format!("Operators: http://{address}. {token}\n")
}

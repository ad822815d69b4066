//! A store's client, with its own implementation of signatures.

use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use super::{ErrorBody, Request, Response, TIMEOUT, assert_error, try_send, wait_for};

pub(crate) const PATHS: [&str; 31] = [
    "/app/v1/orders/create",
    "/app/v1/orders/create-label",
    "/app/v1/orders/update",
    "/app/v1/orders/search",
    "/api/v1/orders/search",
    "/app/v1/orders/estimate",
    "/app/v1/products/search",
    "/app/v1/orders/get",
    "/app/v1/orders/history",
    "/app/v1/orders/cancel",
    "/app/v1/orders/hold",
    "/app/v1/orders/release",
    "/app/v1/orders/process-now",
    "/app/v1/orders/withdraw-change",
    "/app/v1/orders/answer",
    "/app/v1/orders/update-label",
    "/app/v1/events/search",
    "/app/v1/sandbox/clock",
    "/app/v1/sandbox/move",
    "/app/v1/sandbox/webhooks",
    "/app/v1/webhooks/create",
    "/app/v1/webhooks/list",
    "/app/v1/webhooks/update",
    "/app/v1/webhooks/enable",
    "/app/v1/webhooks/disable",
    "/app/v1/webhooks/delete",
    "/app/v1/webhooks/rotate-secret",
    "/app/v1/webhooks/test",
    "/app/v1/webhooks/deliveries/search",
    "/app/v1/webhooks/deliveries/resend",
    "/app/v1/webhooks/deliveries/recover",
];

/// Paths of [`PATHS`] that accept a signature over the body alone.
pub(crate) const PLAIN: [&str; 5] = [
    "/app/v1/orders/create",
    "/app/v1/orders/create-label",
    "/app/v1/orders/update",
    "/app/v1/orders/search",
    "/api/v1/orders/search",
];

pub(crate) fn unix_seconds() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap()
}

fn mac(key: &str, text: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

/// Returns the signature of `text` in base64.
pub(crate) fn sign(key: &str, text: &[u8]) -> String {
    STANDARD.encode(mac(key, text))
}

/// Returns the signature of `text` in hexadecimal.
pub(crate) fn sign_hex(key: &str, text: &[u8]) -> String {
    hex::encode(mac(key, text))
}

/// Returns `json` without white space outside of strings.
pub(crate) fn compact(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let mut keep = |c: char| {
        if in_string {
            (in_string, escaped) = (escaped || c != '"', !escaped && c == '\\');
            return true;
        }
        in_string = c == '"';
        !c.is_ascii_whitespace()
    };
    json.chars().filter(|c| keep(*c)).collect()
}

#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) store: String,
    pub(crate) key: String,
}

impl Client {
    /// A signed request to an order endpoint, such as `create`.
    pub(crate) fn request(&self, operation: &str, body: impl Into<Vec<u8>>) -> Request {
        self.request_to(&format!("/app/v1/orders/{operation}"), body)
    }

    /// A request to `path`, signed with the current time and the path.
    pub(crate) fn request_to(&self, path: &str, body: impl Into<Vec<u8>>) -> Request {
        self.timestamped((path, path), &unix_seconds().to_string(), body)
    }

    /// A request to `path`, signed with `timestamp` and `signed_path`.
    pub(crate) fn timestamped(
        &self,
        (path, signed_path): (&str, &str),
        timestamp: &str,
        body: impl Into<Vec<u8>>,
    ) -> Request {
        let body = body.into();
        let text = [format!("{timestamp}.{signed_path}.").as_bytes(), &body].concat();
        self.signed_by(path, body, &sign(&self.key, &text))
            .header("X-Service-Timestamp", timestamp)
    }

    /// A request to `path`, signed over the body alone.
    pub(crate) fn plain(&self, path: &str, body: impl Into<Vec<u8>>) -> Request {
        let body = body.into();
        let signature = sign(&self.key, &body);
        self.signed_by(path, body, &signature)
    }

    /// A request with the given `signature`.
    pub(crate) fn signed_by(
        &self,
        path: &str,
        body: impl Into<Vec<u8>>,
        signature: &str,
    ) -> Request {
        Request::post(path, body)
            .header("X-Service-Store-Id", &self.store)
            .header("X-Service-Hmac-Sha256", signature)
    }

    #[track_caller]
    pub(crate) fn send(&self, request: &Request) -> Response {
        try_send(self.address, request).unwrap_or_else(|error| panic!("{error}: {request:?}"))
    }

    #[track_caller]
    pub(crate) fn call(&self, operation: &str, body: &Value) -> Response {
        self.send(&self.request(operation, body.to_string()))
    }

    #[track_caller]
    pub(crate) fn create(&self, body: &Value) -> Value {
        self.call("create", body).order()
    }

    /// Creates an order. Returns it with `itemStatuses` and item statuses, which the response
    /// leaves out.
    #[track_caller]
    pub(crate) fn placed(&self, body: &Value) -> Value {
        let mut made = self.create(body);
        let shown = self.shown(body["order_id"].as_str().unwrap());
        made["itemStatuses"] = shown["itemStatuses"].clone();
        let items = made["childDetails"].as_array_mut().unwrap();
        for (item, shown) in items
            .iter_mut()
            .zip(shown["childDetails"].as_array().unwrap())
        {
            item["status"] = shown["status"].clone();
        }
        made
    }

    /// Returns the order `order_id` as `get` shows it.
    #[track_caller]
    pub(crate) fn shown(&self, order_id: &str) -> Value {
        self.call("get", &serde_json::json!({ "order_id": order_id }))
            .order()
    }

    /// Returns the error of a call. Its `body` must fail validation.
    #[track_caller]
    pub(crate) fn rejected(&self, operation: &str, body: &Value) -> ErrorBody {
        assert_error(&self.call(operation, body), 400, "validation_failed")
    }

    /// Returns the orders that the search `body` finds. Repeats it while it gets 429 because of the
    /// store's other searches.
    #[track_caller]
    pub(crate) fn search(&self, body: &Value) -> Vec<Value> {
        let response = wait_for("a search that is not refused", TIMEOUT, || {
            Some(self.call("search", body)).filter(|response| response.status != 429)
        });
        let envelope = response.ok();
        envelope["data"].as_array().expect("data is a list").clone()
    }

    /// Returns the order ids that a search for `key` finds, in order.
    #[track_caller]
    pub(crate) fn found(&self, key: &str) -> Vec<String> {
        let orders = self.search(&serde_json::json!({ "searchKey": key, "size": 100 }));
        orders
            .iter()
            .map(|order| order["orderId"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Returns the order `order_id` as a search shows it, and asserts that it is unique.
    #[track_caller]
    pub(crate) fn stored(&self, order_id: &str) -> Value {
        let orders = self.search(&serde_json::json!({ "searchKey": order_id, "size": 100 }));
        let mut named = orders
            .into_iter()
            .filter(|order| order["orderId"] == order_id);
        let order = named
            .next()
            .unwrap_or_else(|| panic!("no order {order_id}"));
        assert!(named.next().is_none(), "{order_id} is there twice");
        order
    }
}

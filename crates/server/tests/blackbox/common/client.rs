//! A store's client, which signs with code of its own.

use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use super::{ErrorBody, Request, Response, TIMEOUT, assert_error, try_send, wait_for};

/// The paths of all operations.
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

/// The paths at which the signature may cover the body alone.
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

/// The signature of a text in base64.
pub(crate) fn sign(key: &str, text: &[u8]) -> String {
    STANDARD.encode(mac(key, text))
}

/// The signature of a text in hexadecimal.
pub(crate) fn sign_hex(key: &str, text: &[u8]) -> String {
    hex::encode(mac(key, text))
}

/// The text of a JSON document without the white space outside of its strings.
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

/// A store, and where to reach the service.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) store: String,
    pub(crate) key: String,
}

impl Client {
    /// A request for an operation, signed.
    pub(crate) fn request(&self, operation: &str, body: impl Into<Vec<u8>>) -> Request {
        self.request_to(&format!("/app/v1/orders/{operation}"), body)
    }

    /// A request whose signature covers the time and the path.
    pub(crate) fn request_to(&self, path: &str, body: impl Into<Vec<u8>>) -> Request {
        self.timestamped((path, path), &unix_seconds().to_string(), body)
    }

    /// A request to `path` whose signature covers a timestamp and `signed_path`.
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

    /// A request whose signature covers the body alone.
    pub(crate) fn plain(&self, path: &str, body: impl Into<Vec<u8>>) -> Request {
        let body = body.into();
        let signature = sign(&self.key, &body);
        self.signed_by(path, body, &signature)
    }

    /// A request with a signature made elsewhere.
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

    /// Creates an order and returns it with the statuses that the response leaves out.
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

    /// The order with this order id.
    #[track_caller]
    pub(crate) fn shown(&self, order_id: &str) -> Value {
        self.call("get", &serde_json::json!({ "order_id": order_id }))
            .order()
    }

    /// The error of an operation whose body fails its validation.
    #[track_caller]
    pub(crate) fn rejected(&self, operation: &str, body: &Value) -> ErrorBody {
        assert_error(&self.call(operation, body), 400, "validation_failed")
    }

    /// The orders that a search finds. A search that is refused because others of the store run is repeated.
    #[track_caller]
    pub(crate) fn search(&self, body: &Value) -> Vec<Value> {
        let response = wait_for("a search that is not refused", TIMEOUT, || {
            Some(self.call("search", body)).filter(|response| response.status != 429)
        });
        let envelope = response.ok();
        envelope["data"].as_array().expect("data is a list").clone()
    }

    /// The order ids that a search finds, in its order.
    #[track_caller]
    pub(crate) fn found(&self, key: &str) -> Vec<String> {
        let orders = self.search(&serde_json::json!({ "searchKey": key, "size": 100 }));
        orders
            .iter()
            .map(|order| order["orderId"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The one order of this order id.
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

//! A store's client, which signs with code of its own.

use std::net::SocketAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use super::{ErrorBody, Request, Response, assert_error, try_send};

/// The paths of all operations.
pub(crate) const PATHS: [&str; 7] = [
    "/app/v1/orders/create",
    "/app/v1/orders/create-label",
    "/app/v1/orders/update",
    "/app/v1/orders/search",
    "/api/v1/orders/search",
    "/app/v1/orders/estimate",
    "/app/v1/products/search",
];

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

    pub(crate) fn request_to(&self, path: &str, body: impl Into<Vec<u8>>) -> Request {
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

    /// The error of an operation whose body fails its validation.
    #[track_caller]
    pub(crate) fn rejected(&self, operation: &str, body: &Value) -> ErrorBody {
        assert_error(&self.call(operation, body), 400, "validation_failed")
    }

    /// The orders that a search finds.
    #[track_caller]
    pub(crate) fn search(&self, body: &Value) -> Vec<Value> {
        let envelope = self.call("search", body).ok();
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

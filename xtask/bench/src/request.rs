//! Requests, signed and written out before the clock runs.

use std::ops::Range;
use std::sync::Arc;
use std::thread;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use fastrand::Rng;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::BenchError;
use crate::sample::{ITEMS, Samples};
use crate::zipf::Zipf;

/// The paths of the interface.
pub(crate) const CREATE: &str = "/app/v1/orders/create";
pub(crate) const UPDATE: &str = "/app/v1/orders/update";
pub(crate) const SEARCH: &str = "/app/v1/orders/search";
pub(crate) const GET: &str = "/app/v1/orders/get";
pub(crate) const HISTORY: &str = "/app/v1/orders/history";
pub(crate) const HOLD: &str = "/app/v1/orders/hold";
pub(crate) const RELEASE: &str = "/app/v1/orders/release";
pub(crate) const EVENTS: &str = "/app/v1/events/search";

/// A store as its client knows it.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) store_id: String,
    pub(crate) secret: String,
}

impl Account {
    /// A signed request with this body, ready for the wire.
    pub(crate) fn request(&self, path: &str, body: &str) -> Vec<u8> {
        self.with_signature(path, body, &signature(&self.secret, body.as_bytes()))
    }

    /// The same with a signature that is well-formed and wrong.
    pub(crate) fn forged(&self, path: &str, body: &str) -> Vec<u8> {
        self.with_signature(path, body, &signature("another key", body.as_bytes()))
    }

    fn with_signature(&self, path: &str, body: &str, signature: &str) -> Vec<u8> {
        let mut bytes = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             X-Service-Store-Id: {}\r\nX-Service-Hmac-Sha256: {signature}\r\n\r\n",
            body.len(),
            self.store_id
        )
        .into_bytes();
        bytes.extend_from_slice(body.as_bytes());
        bytes
    }
}

/// Orders that a load creates.
#[derive(Clone)]
pub(crate) struct Orders {
    pub(crate) samples: Arc<Samples>,
    /// The stores that send them, drawn by Zipf's law.
    pub(crate) accounts: Vec<Account>,
    /// Items of each order.
    pub(crate) items: usize,
}

impl Orders {
    /// Orders of one store.
    pub(crate) fn of_store(samples: &Arc<Samples>, account: &Account) -> Self {
        Self {
            samples: Arc::clone(samples),
            accounts: vec![account.clone()],
            items: ITEMS,
        }
    }

    /// So many signed requests that create orders of a series.
    pub(crate) fn requests(&self, series: &str, count: u64) -> Result<Vec<Vec<u8>>, BenchError> {
        let half = count / 2;
        // Two threads, as a run makes many millions of requests.
        thread::scope(|scope| {
            let second = scope.spawn(|| self.part(series, half..count));
            let mut requests = self.part(series, 0..half)?;
            let second = second.join().map_err(|_| "making requests panicked")?;
            requests.append(&mut second?);
            Ok(requests)
        })
    }

    fn part(&self, series: &str, numbers: Range<u64>) -> Result<Vec<Vec<u8>>, BenchError> {
        let stores = Zipf::new(self.accounts.len());
        let mut random = Rng::with_seed(numbers.end);
        let mut request = |number| {
            let account = self.accounts.get(stores.draw(&mut random));
            let order = self.samples.order_of(series, number, self.items);
            let body = serde_json::to_string(&order)?;
            Ok(account.ok_or("there is no store")?.request(CREATE, &body))
        };
        numbers.map(&mut request).collect()
    }
}

/// A request without a body.
pub(crate) fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

/// HMAC-SHA256 in base64.
fn signature(secret: &str, body: &[u8]) -> String {
    // A key of any length is good.
    Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_or_else(
        |_| String::new(),
        |mut mac| {
            mac.update(body);
            BASE64_STANDARD.encode(mac.finalize().into_bytes())
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: RFC 4231, test case 2.
    #[test]
    fn signs_as_the_rfc_does() {
        let digest = signature("Jefe", b"what do ya want for nothing?");
        let expected: [u8; 32] = [
            0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e, 0x6a, 0x04, 0x24, 0x26, 0x08, 0x95,
            0x75, 0xc7, 0x5a, 0x00, 0x3f, 0x08, 0x9d, 0x27, 0x39, 0x83, 0x9d, 0xec, 0x58, 0xb9,
            0x64, 0xec, 0x38, 0x43,
        ];
        assert_eq!(digest, BASE64_STANDARD.encode(expected));
    }

    #[test]
    fn a_request_is_whole_and_a_forged_one_differs_in_its_signature_alone() {
        let account = Account {
            store_id: "store".to_owned(),
            secret: "key".to_owned(),
        };
        let text = String::from_utf8(account.request(CREATE, "{}")).unwrap();
        assert!(
            text.starts_with("POST /app/v1/orders/create HTTP/1.1\r\n"),
            "{text}"
        );
        assert!(text.contains("\r\nContent-Length: 2\r\n"), "{text}");
        assert!(text.ends_with("\r\n\r\n{}"), "{text}");
        let forged = String::from_utf8(account.forged(CREATE, "{}")).unwrap();
        let differing = text
            .lines()
            .zip(forged.lines())
            .filter(|(a, b)| a != b)
            .count();
        assert_eq!((differing, forged.len()), (1, text.len()));
    }
}

//! Requests, signed and serialized before a window begins.

use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::UNIX_EPOCH;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use fastrand::Rng;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::BenchError;
use crate::sample::Samples;

pub(crate) const CREATE: &str = "/app/v1/orders/create";
pub(crate) const UPDATE: &str = "/app/v1/orders/update";
pub(crate) const SEARCH: &str = "/app/v1/orders/search";
pub(crate) const GET: &str = "/app/v1/orders/get";
pub(crate) const HOLD: &str = "/app/v1/orders/hold";
pub(crate) const RELEASE: &str = "/app/v1/orders/release";

/// Exponent of the Zipf distribution, here and in pgbench. The minimum of pgbench is 1.001.
pub(crate) const EXPONENT: f64 = 1.1;

#[derive(Debug, Clone)]
pub(crate) struct Account {
    pub(crate) store_id: String,
    pub(crate) secret: String,
}

impl Account {
    /// Returns the bytes of a signed request to `path` with `body`.
    pub(crate) fn request(&self, path: &str, body: &str) -> Vec<u8> {
        self.signed_with(&self.secret, path, body)
    }

    /// Same as [`Self::request`], with a well-formed but wrong signature.
    pub(crate) fn forged(&self, path: &str, body: &str) -> Vec<u8> {
        self.signed_with("another key", path, body)
    }

    fn signed_with(&self, secret: &str, path: &str, body: &str) -> Vec<u8> {
        // Without a timestamp, a request can be sent in any later window. Only these operations
        // accept that.
        let (timestamp, signature) = if [CREATE, UPDATE, SEARCH].contains(&path) {
            (String::new(), signature(secret, body))
        } else {
            let now = UNIX_EPOCH.elapsed().unwrap_or_default().as_secs();
            let signature = signature(secret, &format!("{now}.{path}.{body}"));
            (format!("X-Service-Timestamp: {now}\r\n"), signature)
        };
        format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             X-Service-Store-Id: {}\r\n{timestamp}X-Service-Hmac-Sha256: {signature}\r\n\r\n{body}",
            body.len(),
            self.store_id
        )
        .into_bytes()
    }
}

#[derive(Clone)]
pub(crate) struct Orders {
    pub(crate) samples: Arc<Samples>,
    /// Stores that send the orders, drawn from a Zipf distribution.
    pub(crate) accounts: Vec<Account>,
    pub(crate) items: usize,
}

impl Orders {
    /// Returns `count` signed requests that create the orders of `series`.
    pub(crate) fn requests(&self, series: &str, count: u64) -> Result<Vec<Vec<u8>>, BenchError> {
        in_two_threads(count, |numbers| self.part(series, numbers))
    }

    fn part(&self, series: &str, numbers: Range<u64>) -> Result<Vec<Vec<u8>>, BenchError> {
        let mut random = Rng::with_seed(numbers.end);
        let mut request = |number| {
            let account = self.accounts.get(draw(&mut random, self.accounts.len()));
            let body = self.samples.order(series, number, self.items).body();
            Ok(account.ok_or("there is no store")?.request(CREATE, &body))
        };
        numbers.map(&mut request).collect()
    }
}

/// Draws a number below `count`: `k` has a probability proportional to `1 / (k + 1) ^ EXPONENT`.
fn draw(random: &mut Rng, count: usize) -> usize {
    loop {
        let drawn = random.usize(..count.max(1));
        if random.f64() < ((drawn + 1) as f64).powf(-EXPONENT) {
            return drawn;
        }
    }
}

/// Makes the requests `0..count` in two threads, because a run makes many millions of requests.
pub(crate) fn in_two_threads(
    count: u64,
    make: impl Fn(Range<u64>) -> Result<Vec<Vec<u8>>, BenchError> + Sync,
) -> Result<Vec<Vec<u8>>, BenchError> {
    let half = count / 2;
    thread::scope(|scope| {
        let second = scope.spawn(|| make(half..count));
        let mut requests = make(0..half)?;
        let second = second.join().map_err(|_| "making requests panicked")?;
        requests.append(&mut second?);
        Ok(requests)
    })
}

pub(crate) fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

fn signature(secret: &str, text: &str) -> String {
    // HMAC accepts keys of any length.
    Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_or_else(
        |_| String::new(),
        |mut mac| {
            mac.update(text.as_bytes());
            BASE64_STANDARD.encode(mac.finalize().into_bytes())
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_is_drawn_as_often_as_the_law_says() {
        let mut random = Rng::with_seed(5);
        let drawn = (0..10_000).filter(|_| draw(&mut random, 200) == 0);
        // The sum of k^-1.1 for k from 1 to 200 is 4.70, so 0 has a probability of 0.213.
        assert!((2000..2260).contains(&drawn.count()));
    }
}

//! Ids, signatures and paths.

pub(crate) const STORE: &str = "0197f3c2-0000-7000-8000-000000000001";
pub(crate) const OTHER_STORE: &str = "0197f3c2-0000-7000-8000-000000000002";
pub(crate) const KEY: &str = "0197f3c2-0000-7000-8000-00000000000a";

/// Start time of every test: 2024-06-08T03:49:12.905Z, in milliseconds since 1970.
pub(crate) const NOW: i64 = 1_717_818_552_905;

/// Signatures in base64 that [`FakeAuthenticator`](super::fakes::FakeAuthenticator) knows.
pub(crate) const GOOD: &str = "Z29vZGdvb2Rnb29kZ29vZGdvb2Rnb29kZ29vZGdvb2Q=";
pub(crate) const BAD: &str = "YmFkLmJhZC5iYWQuYmFkLmJhZC5iYWQuYmFkLmJhZC4=";
pub(crate) const LATE: &str = "bGF0ZWxhdGVsYXRlbGF0ZWxhdGVsYXRlbGF0ZWxhdGU=";
pub(crate) const UNTIMED: &str = "bm8tdGltZS5uby10aW1lLm5vLXRpbWUubm8tdGltZS4=";
pub(crate) const BLIND: &str = "YmxpbmQuLi5ibGluZC4uLmJsaW5kLi4uYmxpbmQuLi4=";

pub(crate) const CREATE: &str = "/app/v1/orders/create";
pub(crate) const LABEL: &str = "/app/v1/orders/create-label";
pub(crate) const UPDATE: &str = "/app/v1/orders/update";
pub(crate) const SEARCH: &str = "/app/v1/orders/search";
pub(crate) const ESTIMATE: &str = "/app/v1/orders/estimate";
pub(crate) const PRODUCTS: &str = "/app/v1/products/search";

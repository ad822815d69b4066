//! Outbound requests to URLs that stores and operators gave.
//!
//! [`Client`] is the only way out to such URLs. It resolves names itself, asks the [`UrlPolicy`] about
//! every address that it found, and connects to exactly these addresses, so that an answer that
//! changes in between leads nowhere. It follows no redirects and uses no proxy.
//!
//! [`UrlPolicy`]: pressline_domain::egress::UrlPolicy

mod client;
mod connect;
mod connection;
mod error;
mod names;
mod pool;
mod request;
mod tls;

pub use client::Client;
pub use error::EgressError;
pub use hyper::header;
pub use names::{Resolver, SystemResolver};
pub use request::{Limits, Post, Response};
pub use tls::{CaError, Trust};

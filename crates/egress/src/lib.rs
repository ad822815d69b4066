//! Outbound requests to URLs that stores and operators gave.
//!
//! [`Client`] is the only way out to such URLs. It resolves names itself, asks the [`UrlPolicy`] about
//! every address that it found, and connects to exactly these addresses, so that an answer that
//! changes in between leads nowhere. It follows no redirects and uses no proxy. [`StoreFiles`] fetches print files by it.
//!
//! [`UrlPolicy`]: pressline_kit::url::UrlPolicy

mod client;
mod connect;
mod connection;
mod download;
mod error;
mod files;
mod names;
mod pool;
mod request;
mod tls;

pub use client::Client;
pub use download::Download;
pub use error::EgressError;
pub use files::{FileLimits, StoreFiles};
pub use hyper::header;
pub use names::{Resolver, SystemResolver};
pub use request::{Get, Limits, Post, Response};
pub use tls::{CaError, Trust};

//! Outbound requests to URLs that stores and operators entered.
//!
//! All outbound requests go through [`Client`]. It resolves names itself, checks every address
//! that it finds with the [`UrlPolicy`], and connects only to checked addresses, so that a DNS
//! answer that changes in between has no effect. It follows no redirects and uses no proxy.
//! [`StoreFiles`] fetches print files with a [`Client`].
//!
//! [`UrlPolicy`]: pressline_kit::url::UrlPolicy

// Modules import only modules of the groups above them.
mod error;
mod request;
mod tls;

mod names;

mod connect;

mod connection;

mod pool;

mod download;

mod client;

mod files;

pub use client::Client;
pub use download::Download;
pub use error::EgressError;
pub use files::{FileLimits, StoreFiles};
pub use hyper::header;
pub use names::{Resolver, SystemResolver};
pub use request::{Get, Limits, Post, Response};
pub use tls::{CaError, Trust};

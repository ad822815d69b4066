//! The services and limits of the two APIs, which the app data of their listeners contains.

mod api;
pub(crate) mod fault;
mod services;
mod settings;
mod watch;

pub use api::{Api, OperatorApi};
pub use services::{OperatorServices, Services};
pub use settings::Settings;
pub use watch::EventWatch;
pub(crate) use watch::Waiters;

//! Delivery of events to webhook endpoints.
//!
//! [`Worker`] finds subscriptions with pending events, leases them and delivers their events. The
//! back office decides which messages to send ([`plan`]) and applies the results
//! ([`apply_results`]). [`EventSender`] signs events by the specification [Standard Webhooks] 1.0.0
//! and sends them.
//!
//! [`plan`]: pressline_backoffice::webhook::plan
//! [`apply_results`]: pressline_backoffice::webhook::apply_results
//! [Standard Webhooks]: https://github.com/standard-webhooks/standard-webhooks

// Modules import only modules of the groups above them.
mod pace;
mod prune;
mod retry_after;
mod sender;
mod settings;
mod signature;
mod slots;
mod source;
mod wake;

mod outbound;
mod secrets;

mod event_sender;

mod ports;

mod subscription;

mod worker;

pub use event_sender::EventSender;
pub use outbound::Outbound;
pub use pace::Pace;
pub use ports::Ports;
pub use sender::{Headers, Request, Response, Sender};
pub use settings::Settings;
pub use signature::{InvalidSecret, SigningKey, signature};
pub use wake::Wake;
pub use worker::Worker;

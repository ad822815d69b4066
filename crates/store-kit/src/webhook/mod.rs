//! The rows of webhooks, and the statements about them: endpoints, subscriptions, messages and the log.
//!
//! They are the same for both databases but for the parts in a [`Dialect`](crate::Dialect). A transaction that
//! locks several of these rows locks subscriptions first, then the endpoint, and the counter of events last.

mod clock;
mod endpoint;
mod hearing;
mod lag;
mod log;
mod message;
mod number;
mod port;
mod record;
mod recover;
mod row;
mod search;
mod subscription;
mod subscription_values;

pub(crate) use row::{DeliveryRow, EndpointRow, SecretRow};

//! Rows and statements of webhooks: endpoints, subscriptions, messages and the delivery log.
//!
//! The statements are the same for both databases, except for the parts in
//! [`Dialect`](crate::Dialect). A transaction that locks several of the rows locks subscriptions
//! first, then the endpoint, and the event counter last.

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

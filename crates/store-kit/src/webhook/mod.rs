//! Rows and statements of webhooks: endpoints, subscriptions, messages and the delivery log.
//!
//! The statements are for both databases; the parts that differ are in [`Dialect`](crate::Dialect).
//! A transaction that locks several kinds of rows locks subscriptions first, then the endpoint, and
//! the event counter last.

mod endpoint;
mod lag;
mod log;
mod record;
mod recover;
mod row;
mod scope;
mod search;
mod subscription;
mod subscription_values;

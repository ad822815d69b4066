//! Back-office rules on plain values, without ports: which webhook is sent, and when.

#[cfg(test)]
mod webhooks;

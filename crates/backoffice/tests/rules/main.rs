//! Rules of the back office on plain values, without ports: when which webhook is sent.

#[cfg(test)]
mod webhooks;

//! The HTTP interface as callers see it, over the in-memory adapters.

mod answers;
mod common;
mod errors;
mod health;
mod log;
mod operations;
mod sockets;
mod wire;

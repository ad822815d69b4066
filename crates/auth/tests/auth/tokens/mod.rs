//! The authenticator of operators: what it accepts, how long it remembers, and what it writes.

mod rules;
mod uses;
mod world;

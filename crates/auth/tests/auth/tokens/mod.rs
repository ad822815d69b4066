//! The operators' authenticator: accepted tokens, caching, and recorded uses.

mod rules;
mod uses;
mod world;

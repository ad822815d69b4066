//! The production store: PostgreSQL through diesel.

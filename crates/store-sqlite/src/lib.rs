//! The embedded default store: SQLite through diesel.

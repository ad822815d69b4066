//! Callers: stores and operators, each with its own limits.

use pressline_domain::value::id::{SessionId, StoreId, TokenId};

/// A caller with its own limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A store, for calls with its signature.
    Store(StoreId),
    /// An operator, by the bearer token of the header `Authorization`.
    Token(TokenId),
    /// An operator, by the session of the browser.
    Session(SessionId),
}

impl Caller {
    /// Returns the kind of caller for messages and headers, such as `store`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Store(_) => "store",
            Self::Token(_) => "token",
            Self::Session(_) => "session",
        }
    }
}

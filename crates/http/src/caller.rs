//! Callers of the service: stores and operators.

use pressline_domain::value::{SessionId, StoreId, TokenId};

/// A caller of the service, with its own rate limit and its own limits on concurrent calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A store, which signs its calls.
    Store(StoreId),
    /// An operator's bearer token, from the header `Authorization`.
    Token(TokenId),
    /// An operator's session in a browser.
    Session(SessionId),
}

impl Caller {
    /// Returns the word for the kind of caller in messages and headers, such as `store`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Store(_) => "store",
            Self::Token(_) => "token",
            Self::Session(_) => "session",
        }
    }
}

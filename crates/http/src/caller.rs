//! Who makes a call, as limits count it.

use pressline_domain::id::{SessionId, StoreId, TokenId};

/// The caller whose calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A store.
    Store(StoreId),
    /// An operator, by the token of the call.
    Token(TokenId),
    /// An operator, by the session of its browser.
    Session(SessionId),
}

impl Caller {
    /// Returns what the caller is, as messages and headers call it.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Store(_) => "store",
            Self::Token(_) => "token",
            Self::Session(_) => "session",
        }
    }
}

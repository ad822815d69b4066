//! Who makes a call, as limits count it.

use pressline_domain::id::{StoreId, TokenId};

/// The caller whose calls are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    /// A store.
    Store(StoreId),
    /// An operator, by the token of the call.
    Token(TokenId),
}

impl Caller {
    /// Returns what the caller is, as messages and headers call it.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Store(_) => "store",
            Self::Token(_) => "token",
        }
    }
}

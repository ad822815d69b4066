//! Who changes an order.

use crate::id::{KeyId, OperatorId};

pressline_kit::named! {
    /// The kinds of actor, by their names in events.
    #[derive(PartialOrd, Ord)]
    pub enum Role {
        /// The store that the order belongs to.
        Store = "store",
        /// An operator of the shop.
        Operator = "operator",
        /// The service itself, when something is due.
        Service = "service",
        /// A carrier, which reports what becomes of parcels.
        Carrier = "carrier",
    }
}

/// Who changes an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum Actor {
    /// The store, with the key that the request was signed with.
    Store(KeyId),
    /// This operator.
    Operator(OperatorId),
    /// A person or program with access to the host, by the command line. Counts as an operator.
    CommandLine,
    /// The service itself.
    Service,
    /// A carrier, by this operator's token.
    Carrier(OperatorId),
}

impl Actor {
    /// Returns the kind of actor.
    pub fn role(self) -> Role {
        match self {
            Self::Store(_) => Role::Store,
            Self::Operator(_) | Self::CommandLine => Role::Operator,
            Self::Service => Role::Service,
            Self::Carrier(_) => Role::Carrier,
        }
    }
}

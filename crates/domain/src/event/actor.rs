//! Actors: the parties that change orders.

use crate::value::{KeyId, OperatorId};

pressline_kit::named! {
    /// Kind of actor, with its name in events.
    #[derive(PartialOrd, Ord)]
    pub enum Role {
        /// The store that owns the order.
        Store = "store",
        /// An operator of the print shop.
        Operator = "operator",
        /// The service itself: it ends a hold or the cooling-off window, or disables a webhook
        /// endpoint.
        Service = "service",
        /// A carrier that reports the arrival or return of parcels.
        Carrier = "carrier",
    }
}

/// The party that changes an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum Actor {
    /// The store; contains the key that signed the request.
    Store(KeyId),
    /// An operator, by id.
    Operator(OperatorId),
    /// A person or program that uses the command line on the host. Counts as an operator.
    CommandLine,
    /// The service itself.
    Service,
    /// A carrier; contains the operator that owns the carrier's token.
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

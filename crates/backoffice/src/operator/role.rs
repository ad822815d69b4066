//! What operators may do.

pressline_kit::named! {
    /// The role of an operator. Each call requires a least role: see [`RIGHTS`](super::RIGHTS).
    #[derive(PartialOrd, Ord)]
    pub enum OperatorRole {
        /// Reads everything of its stores.
        Viewer = "viewer",
        /// Reports what becomes of parcels, and nothing else.
        Carrier = "carrier",
        /// Reads, moves and changes orders.
        Operator = "operator",
        /// Also administers stores.
        Admin = "admin",
    }
}

impl OperatorRole {
    /// Returns whether operators of this role may sign in to the console. Carriers call with a
    /// token only.
    pub fn may_sign_in(self) -> bool {
        self != Self::Carrier
    }

    /// Returns whether this role may do what requires `least`.
    ///
    /// Viewer, operator and admin each include the one before. Operator and admin also include
    /// carrier, which includes nothing else.
    pub fn includes(self, least: Self) -> bool {
        match self {
            Self::Viewer | Self::Carrier => self == least,
            Self::Operator => least != Self::Admin,
            Self::Admin => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OperatorRole::{Admin, Carrier, Operator, Viewer};

    #[test]
    fn roles_include_the_one_before_and_operators_track() {
        let included = [
            (Viewer, vec![Viewer]),
            (Carrier, vec![Carrier]),
            (Operator, vec![Viewer, Carrier, Operator]),
            (Admin, vec![Viewer, Carrier, Operator, Admin]),
        ];
        for (role, expected) in included {
            let all = super::OperatorRole::ALL.into_iter();
            let found: Vec<_> = all.filter(|least| role.includes(*least)).collect();
            assert_eq!(found, expected, "{role:?}");
        }
    }
}

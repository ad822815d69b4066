//! Roles of operators.

pressline_kit::named! {
    /// Role of an operator. Each call requires a minimum role: see [`RIGHTS`](super::RIGHTS).
    #[derive(PartialOrd, Ord)]
    pub enum OperatorRole {
        /// Reads all data of the stores that the operator has access to.
        Viewer = "viewer",
        /// Only reports the tracking of parcels, by the call `shipments/track`.
        Carrier = "carrier",
        /// Reads orders, changes them, and moves them to other statuses.
        Operator = "operator",
        /// Administers stores, in addition to the permissions of `Operator`.
        Admin = "admin",
    }
}

impl OperatorRole {
    /// Returns whether the role may sign in to the console: all except `Carrier`, with tokens only.
    pub fn may_sign_in(self) -> bool {
        self != Self::Carrier
    }

    /// Returns whether this role permits calls with the minimum role `least`.
    ///
    /// `Admin` includes all roles, and `Operator` all roles except `Admin`. `Viewer` and `Carrier`
    /// include only themselves.
    pub fn includes(self, least: Self) -> bool {
        match self {
            Self::Viewer | Self::Carrier => self == least,
            // Includes `Carrier`, because operators track parcels as well.
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

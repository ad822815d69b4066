//! Roles of operators, and rights: the minimum role for each call.

pressline_kit::named! {
    /// Role of an operator. Each call requires a minimum role: see [`RIGHTS`].
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

/// Minimum role for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Right {
    /// Name of the call: the path of its operation after `/admin/v1/`.
    pub call: &'static str,
    /// Minimum role that permits `call`.
    pub least_role: OperatorRole,
}

/// Rights of all calls of operators. No role permits a call that is missing here.
pub const RIGHTS: &[Right] = &[
    of("queue/search", OperatorRole::Viewer),
    of("queue/counts", OperatorRole::Viewer),
    of("orders/search", OperatorRole::Viewer),
    of("orders/get", OperatorRole::Viewer),
    of("orders/history", OperatorRole::Viewer),
    of("orders/move", OperatorRole::Operator),
    of("orders/decide", OperatorRole::Operator),
    of("orders/update", OperatorRole::Operator),
    of("orders/fee-lines", OperatorRole::Operator),
    of("orders/notes", OperatorRole::Operator),
    of("orders/replace", OperatorRole::Operator),
    of("orders/import", OperatorRole::Operator),
    of("shipments/create", OperatorRole::Operator),
    of("shipments/update", OperatorRole::Operator),
    of("shipments/void", OperatorRole::Operator),
    of("shipments/track", OperatorRole::Carrier),
    of("shipments/find", OperatorRole::Viewer),
    of("shipments/import", OperatorRole::Operator),
    of("shipments/export", OperatorRole::Viewer),
    of("production/record", OperatorRole::Operator),
    of("production/misprint", OperatorRole::Operator),
    of("production/get", OperatorRole::Viewer),
    of("batches/create", OperatorRole::Operator),
    of("batches/get", OperatorRole::Viewer),
    of("batches/search", OperatorRole::Viewer),
    of("batches/start", OperatorRole::Operator),
    of("batches/close", OperatorRole::Operator),
    of("reports/orders", OperatorRole::Admin),
    of("catalog/import", OperatorRole::Admin),
    of("stores/list", OperatorRole::Admin),
    of("stores/show", OperatorRole::Admin),
    of("stores/create", OperatorRole::Admin),
    of("stores/set", OperatorRole::Admin),
    of("stores/enable", OperatorRole::Admin),
    of("stores/disable", OperatorRole::Admin),
    of("stores/keys/rotate", OperatorRole::Admin),
    of("stores/keys/revoke", OperatorRole::Admin),
    of("webhooks/create", OperatorRole::Admin),
    of("webhooks/list", OperatorRole::Viewer),
    of("webhooks/update", OperatorRole::Admin),
    of("webhooks/enable", OperatorRole::Admin),
    of("webhooks/disable", OperatorRole::Admin),
    of("webhooks/delete", OperatorRole::Admin),
    of("webhooks/rotate-secret", OperatorRole::Admin),
    of("webhooks/test", OperatorRole::Operator),
    of("webhooks/deliveries/search", OperatorRole::Viewer),
    of("webhooks/deliveries/resend", OperatorRole::Operator),
    of("webhooks/deliveries/recover", OperatorRole::Operator),
];

const fn of(call: &'static str, least_role: OperatorRole) -> Right {
    Right { call, least_role }
}

impl Right {
    /// Returns the minimum role for `call`; `None` if no role permits it.
    pub fn least_role_for(call: &str) -> Option<OperatorRole> {
        let right = RIGHTS.iter().find(|right| right.call == call);
        right.map(|right| right.least_role)
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

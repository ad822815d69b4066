//! Statements of the overview, the reports, production and lookups across stores, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;

use pressline_store_kit::StatementScope;

use super::port_statements::PortStatements;
use super::statements::Samples;

impl Samples {
    /// Calls `visit` with each statement of the overview (all stores and one store), the reports,
    /// production, and lookups of shipments and numbers (all stores and one store).
    pub(super) fn for_each_of_ports(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let of_any = self.ports;
        let of_one = PortStatements {
            scope: StatementScope::OneStore,
            ..of_any
        };
        let of_both = [of_any, of_one].map(|ports| [ports.overview(), ports.shipments()]);
        let others = [
            of_any.number(),
            of_one.number(),
            of_any.placed(),
            of_any.production(),
        ];
        for (name, statement) in of_both.into_iter().flatten().chain(others).flatten() {
            visit(name, &statement);
        }
    }
}

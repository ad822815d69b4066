//! Statements of the overview, the reports and production, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_store_kit::{overview_statements, placed_statement, production_statements};

use super::statements::Samples;
use crate::dialect::DIALECT;

impl Samples {
    /// Calls `visit` with each statement of the overview (all stores and one store), the reports
    /// and production.
    pub(super) fn for_each_of_sums(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let overviews = [false, true].map(|one| overview_statements(&DIALECT, one));
        let production = production_statements(&DIALECT, self.change.store_id());
        for (name, statement) in overviews.into_iter().flatten().chain(production) {
            visit(name, &statement);
        }
        visit("placed orders of a store", &placed_statement());
    }
}

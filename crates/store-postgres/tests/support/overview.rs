//! The statements of the overview, of figures and of production, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_domain::figures::PlacedRange;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::overview::Hours;
use pressline_domain::time::Timestamp;
use pressline_store_kit::{
    overview_documents, overview_lines, overview_parcels, overview_placed, placed_documents,
    placed_lines, production_statements,
};

use super::statements::Samples;
use crate::overview::texts;
use crate::webhook::DIALECT;

impl Samples {
    /// Calls a function with each statement of the overview, about all stores and about one, of figures and of production.
    pub(super) fn for_each_of_sums(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let hours = Hours::until(Timestamp::from_millis(1_717_818_552_905));
        let (any, one) = (texts(false), texts(true));
        visit("open orders of any stores", &overview_lines(any));
        visit("open orders of a store", &overview_lines(one));
        visit(
            "parcels of open orders of any stores",
            &overview_documents(any),
        );
        visit(
            "parcels of open orders of a store",
            &overview_documents(one),
        );
        visit("orders of any stores by hour", &overview_placed(any, hours));
        visit("orders of a store by hour", &overview_placed(one, hours));
        visit(
            "parcels of any stores by hour",
            &overview_parcels(any, hours),
        );
        visit("parcels of a store by hour", &overview_parcels(one, hours));
        let range = PlacedRange {
            store: StoreId::new(uuid::Uuid::nil()),
            from: OrderId::LOWEST,
            before: OrderId::HIGHEST,
            count: 500,
        };
        let [shipments, corrections] = placed_documents(&range);
        visit("placed orders of a store", &placed_lines(&range));
        visit("shipments of placed orders", &shipments);
        visit("fee lines of placed orders", &corrections);
        for (name, statement) in production_statements(&DIALECT, self.change.store_id()) {
            visit(name, &statement);
        }
    }
}

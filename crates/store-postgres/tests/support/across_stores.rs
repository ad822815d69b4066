//! Statements of operators' queries across stores, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_store_kit::StatusFilter;

use super::Samples;
use crate::order::across_stores::count::{CountItems, uniform};
use crate::order::across_stores::page::{Form, SelectAcrossStores};

/// Names of the statements, in the order of [`Form::all`].
const NAMES: [&str; 12] = [
    "query through orders of any stores, oldest first",
    "query through orders of a store, oldest first",
    "query through orders of any stores, newest first",
    "query through orders of a store, newest first",
    "query and compare words, any stores, oldest first",
    "query and compare words, one store, oldest first",
    "query and compare words, any stores, newest first",
    "query and compare words, one store, newest first",
    "query by words, any stores, oldest first",
    "query by words, one store, oldest first",
    "query by words, any stores, newest first",
    "query by words, one store, newest first",
];

impl Samples {
    pub(super) fn for_each_of_operators(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let stores = [self.change.store_id().to_owned()];
        let store_id = self.change.store_id();
        for (name, form) in NAMES.into_iter().zip(Form::all()) {
            let query = SelectAcrossStores {
                form,
                with_test: false,
                every: false,
                stores: &stores,
                store_id,
                from_id: "",
                before_id: "~",
                tsquery: &self.key.tsquery,
                statuses: StatusFilter::ANY.statuses,
                kinds: StatusFilter::ANY.kinds,
                count: 21,
            };
            visit(name, &query);
        }
        let (bitmasks, statuses) = &uniform();
        for (name, of_one) in [
            ("count the items of any stores", false),
            ("count the items of a store", true),
        ] {
            let count = CountItems {
                of_one,
                store_id,
                with_test: false,
                every: true,
                stores: &stores,
                bitmasks,
                statuses,
                wanted: StatusFilter::ANY.statuses,
                limit: 10_001,
            };
            visit(name, &count);
        }
    }
}

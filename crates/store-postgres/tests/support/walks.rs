//! The statements over several stores that operators' calls send, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_store_kit::MaskFilter;

use super::Samples;
use crate::order::across_stores::count::{CountItems, CountItemsOfStore, uniform};
use crate::order::across_stores::walk::{Form, SelectWalk};

/// The names of the walks, in the order of [`Form::all`].
const NAMES: [&str; 12] = [
    "walk through orders of any stores, oldest first",
    "walk through orders of a store, oldest first",
    "walk through orders of any stores, newest first",
    "walk through orders of a store, newest first",
    "walk and compare words, any stores, oldest first",
    "walk and compare words, one store, oldest first",
    "walk and compare words, any stores, newest first",
    "walk and compare words, one store, newest first",
    "walk by words, any stores, oldest first",
    "walk by words, one store, oldest first",
    "walk by words, any stores, newest first",
    "walk by words, one store, newest first",
];

impl Samples {
    pub(super) fn for_each_of_operators(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let stores = [self.change.store_id().to_owned()];
        let store_id = self.change.store_id();
        for (name, form) in NAMES.into_iter().zip(Form::all()) {
            let walk = SelectWalk {
                form,
                with_test: false,
                every: false,
                stores: &stores,
                store_id,
                from_id: String::new(),
                before_id: "~".to_owned(),
                tsquery: &self.key.tsquery,
                mask: MaskFilter::ANY,
                count: 21,
            };
            visit(name, &walk);
        }
        let (masks, statuses) = &uniform();
        let of_any = CountItems {
            with_test: false,
            every: true,
            stores: &stores,
            masks,
            statuses,
            wanted: MaskFilter::ANY.statuses,
            most: 10_001,
        };
        visit("count the items of any stores", &of_any);
        let of_one = CountItemsOfStore {
            store_id,
            masks,
            statuses,
            wanted: MaskFilter::ANY.statuses,
            most: 10_001,
        };
        visit("count the items of a store", &of_one);
    }
}

//! Statements of operators' queries across stores, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_backoffice::queue::Direction;
use pressline_store_kit::StatementScope;
use pressline_store_kit::{Statement, StatusFilter};

use super::Samples;
use crate::arrays::{Kind, Value, array};
use crate::order::across_stores::count::{COUNT_ITEMS, COUNT_ITEMS_OF_STORE, uniform};
use crate::order::across_stores::page::{Form, Source};

/// Names of the statements, in the order of [`forms`].
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

/// Returns all forms of the query.
fn forms() -> impl Iterator<Item = Form> {
    let sources = [Source::All, Source::WithWords, Source::ByWords].into_iter();
    sources.flat_map(|source| {
        let directions = [Direction::OldestFirst, Direction::NewestFirst];
        directions.into_iter().flat_map(move |direction| {
            [StatementScope::AnyStores, StatementScope::OneStore].map(|scope| Form {
                source,
                direction,
                scope,
            })
        })
    })
}

impl Samples {
    pub(super) fn for_each_of_operators(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let store_id = self.change.store_id();
        let query: [(_, Value<'_>); 10] = [
            ("with_test", false.into()),
            ("every", false.into()),
            ("stores", array(Kind::Text, [store_id])),
            ("store_id", store_id.into()),
            ("from_id", "".into()),
            ("before_id", "~".into()),
            ("tsquery", (&self.key.tsquery).into()),
            ("statuses", StatusFilter::ANY.statuses.into()),
            ("kinds", StatusFilter::ANY.kinds.into()),
            ("count", 21_i64.into()),
        ];
        for (name, form) in NAMES.into_iter().zip(forms()) {
            visit(name, &Statement::new(form.sql(), &query));
        }
        let (bitmasks, statuses) = &uniform();
        let count: [(_, Value<'_>); 8] = [
            ("store_id", store_id.into()),
            ("with_test", false.into()),
            ("every", true.into()),
            ("stores", array(Kind::Text, [store_id])),
            ("bitmasks", array(Kind::SmallInt, bitmasks)),
            ("statuses", array(Kind::Text, statuses.iter().copied())),
            ("wanted", StatusFilter::ANY.statuses.into()),
            ("limit", 10_001_i64.into()),
        ];
        for (name, text) in [
            ("count the items of any stores", &COUNT_ITEMS),
            ("count the items of a store", &COUNT_ITEMS_OF_STORE),
        ] {
            visit(name, &Statement::new(text, &count));
        }
    }
}

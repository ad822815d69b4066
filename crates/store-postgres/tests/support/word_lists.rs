//! Statements that build and read word lists, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;
use pressline_store_kit::Statement;

use super::Samples;
use crate::arrays::{Kind, Value, array};
use crate::order::lists::internals::{self as read, COMPARE, PAGE, Positions, READ_LISTS};
use crate::order::lists::internals::{
    BEGIN_SEGMENT, DELETE_LISTS, FORGET_CHANGES, INSERT_LISTS, SEGMENT_WORDS, SET_LISTED,
    SET_LISTED_CHANGES, TAKE_SEGMENT,
};

impl Samples {
    pub(super) fn for_each_that_builds_lists(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let blocks = || array(Kind::Binary, [&b"ann"[..]]);
        let own: [(_, Value<'_>); 9] = [
            ("store_id", self.change.store_id().into()),
            ("orders", 16_384_i64.into()),
            ("changes", 64_i64.into()),
            ("from_id", "".into()),
            ("before_id", "~".into()),
            ("limit", 4096_i64.into()),
            ("segment", 1_i32.into()),
            ("first_words", blocks()),
            ("lists", blocks()),
        ];
        for (name, text) in [
            ("begin a segment", &BEGIN_SEGMENT),
            ("forget changes", &FORGET_CHANGES),
            ("take a segment", &TAKE_SEGMENT),
            ("the words of a segment", &SEGMENT_WORDS),
            ("delete lists", &DELETE_LISTS),
            ("insert lists", &INSERT_LISTS),
        ] {
            visit(name, &Statement::new(text, &own));
        }
        let [store, ..] = own;
        let ids = ("ids", b"".as_slice().into());
        let listed = [store.clone(), ("segment", 1_i32.into()), ids];
        visit("a segment has lists", &Statement::new(&SET_LISTED, &listed));
        let changed = [
            store,
            ("ids", array(Kind::Text, [self.change.id()])),
            ("replaced", array(Kind::BigInt, [1_i64])),
        ];
        visit(
            "lists have changes",
            &Statement::new(&SET_LISTED_CHANGES, &changed),
        );
    }

    pub(super) fn for_each_that_reads_lists(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let (key, ids, numbers) = (&self.key, [id.to_owned()], [1]);
        let window = ("", "~");
        let lists = read::read_lists(store_id, key, (&numbers, &numbers), window);
        visit("word lists", &Statement::new(&READ_LISTS, &lists));
        let positions = Positions {
            segments: numbers.to_vec(),
            builds: numbers.to_vec(),
            positions: numbers.to_vec(),
        };
        let compared = read::compare(store_id, &positions, &key.tsquery);
        visit(
            "whether orders that were found in lists have all words",
            &Statement::new(&COMPARE, &compared),
        );
        let page = read::page(store_id, &ids, &positions, (21, 100_000));
        visit(
            "orders that were found in lists",
            &Statement::new(&PAGE, &page),
        );
    }
}

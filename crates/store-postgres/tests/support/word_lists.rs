//! Statements that build and read word lists, each with values.

use diesel::pg::Pg;
use diesel::query_builder::QueryFragment;

use super::Samples;
use crate::order::lists::build::{
    BeginSegment, DeleteLists, ForgetChanges, InsertLists, SegmentWords, SetListed,
    SetListedChanges, TakeSegment,
};
use crate::order::lists::read::{ComparePage, ReadLists, SelectPage};

impl Samples {
    pub(super) fn for_each_that_builds_lists(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let (segment, changes, orders) = (1, 64, 16_384);
        let (from_id, before_id, limit) = ("", "~", 4096);
        let ids = [id.to_owned()];
        let first_words = [&b"ann"[..]];
        visit("begin a segment", &BeginSegment { store_id, orders });
        visit("forget changes", &ForgetChanges { store_id });
        visit("take a segment", &TakeSegment { store_id, changes });
        visit(
            "the words of a segment",
            &SegmentWords {
                store_id,
                from_id,
                before_id,
                limit,
            },
        );
        visit("delete lists", &DeleteLists { store_id, segment });
        visit(
            "insert lists",
            &InsertLists {
                store_id,
                segment,
                first_words: &first_words,
                lists: &first_words,
            },
        );
        visit(
            "a segment has lists",
            &SetListed {
                store_id,
                segment,
                ids: b"",
            },
        );
        visit(
            "lists have changes",
            &SetListedChanges {
                store_id,
                ids: &ids,
                replaced: &[1],
            },
        );
    }

    pub(super) fn for_each_that_reads_lists(
        &self,
        visit: &mut impl FnMut(&'static str, &dyn QueryFragment<Pg>),
    ) {
        let (store_id, id) = (self.change.store_id(), self.change.id());
        let (key, ids, numbers) = (&self.key, [id.to_owned()], [1]);
        visit(
            "word lists",
            &ReadLists {
                store_id,
                segments: &numbers,
                words: &numbers,
                starts: &key.starts,
                ends: &key.ends,
                of_words: &key.of_words,
                tsquery: &key.tsquery,
                from_id: "",
                before_id: "~",
            },
        );
        visit(
            "whether orders that were found in lists have all words",
            &ComparePage {
                store_id,
                segments: &numbers,
                builds: &numbers,
                positions: &numbers,
                tsquery: &key.tsquery,
            },
        );
        visit(
            "orders that were found in lists",
            &SelectPage {
                store_id,
                ids: &ids,
                segments: &numbers,
                builds: &numbers,
                positions: &numbers,
                offset: 0,
                limit: 21,
                bytes: 100_000,
            },
        );
    }
}

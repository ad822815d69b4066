//! Searches for orders by the statuses of their items and by type.

use std::cmp::Reverse;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, SmallInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_store_kit::{MaskFilter, SqlText, Window, statement};

use super::matching::json;
use super::select::{Page, PageOf};
use crate::error::Failure;

/// Orders of each mask that are read at a time, at most: they are passed over in memory.
const PORTION: i64 = 4096;

statement! {
    /// Reads the masks that occur in a store.
    struct SelectMasks<'a> for Sqlite, returns SmallInt,
    text SqlText::new(include_str!("sql/masks.sql"), &[]),
    {
        store_id: &'a str = Text,
    }
}

statement! {
    /// Reads the newest orders of a mask within a window.
    pub(crate) struct SelectOfMask<'a> for Sqlite, returns (Text, BigInt),
    text SqlText::new(include_str!("sql/of_mask.sql"), &[]),
    {
        store_id: &'a str = Text,
        status_mask: i16 = SmallInt,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        limit: i64 = BigInt,
    }
}

/// The orders of a store that a filter of statuses and types finds.
pub(super) struct OfStatus<'a> {
    store_id: &'a str,
    /// Their masks.
    masks: Vec<i16>,
}

impl<'a> OfStatus<'a> {
    pub(super) fn of(
        connection: &mut SqliteConnection,
        store_id: &'a str,
        filter: MaskFilter,
    ) -> QueryResult<Self> {
        let mut masks: Vec<i16> = SelectMasks { store_id }.load(connection)?;
        masks.retain(|mask| filter.finds(*mask));
        Ok(Self { store_id, masks })
    }

    /// Returns the `row_id`s of those whose ids are in a range, in ascending order.
    pub(super) fn rows_within(
        &self,
        connection: &mut SqliteConnection,
        from_id: &str,
        before_id: &str,
    ) -> QueryResult<Vec<i64>> {
        let (orders, _) = self.newest(connection, (from_id, before_id), i64::MAX)?;
        let mut rows: Vec<i64> = orders.into_iter().map(|(_, row_id)| row_id).collect();
        rows.sort_unstable();
        Ok(rows)
    }

    /// Reads a page of them.
    pub(super) fn page(
        &self,
        connection: &mut SqliteConnection,
        window: &Window,
    ) -> Result<Page, Failure> {
        let limit = usize::try_from(window.limit).unwrap_or(usize::MAX);
        let mut skipped = usize::try_from(window.offset).unwrap_or(usize::MAX);
        let portion = window.offset.saturating_add(window.limit).min(PORTION);
        let mut rows: Vec<i64> = Vec::new();
        let mut before = window.before.clone();
        while rows.len() < limit {
            let range = (window.from.as_str(), before.as_str());
            let (orders, next) = self.newest(connection, range, portion)?;
            let passed = skipped.min(orders.len());
            skipped -= passed;
            let added = orders.into_iter().skip(passed).map(|(_, row_id)| row_id);
            rows.extend(added.take(limit - rows.len()));
            match next {
                Some(next) => before = next,
                None => break,
            }
        }
        let mut page = Page::of(window);
        let part = Window {
            offset: 0,
            ..window.clone()
        };
        page.read(connection, self.store_id, PageOf::Rows(&json(&rows)), &part)?;
        Ok(page)
    }

    /// Returns the newest of those whose ids are in a range, newest first, with their `row_id`s: of each
    /// mask about so many are read. Also returns the id below which the others are, if there are any.
    fn newest(
        &self,
        connection: &mut SqliteConnection,
        (from_id, before_id): (&str, &str),
        limit: i64,
    ) -> QueryResult<(Vec<(String, i64)>, Option<String>)> {
        let mut orders: Vec<(String, i64)> = Vec::new();
        // All that are not below this one have been read.
        let mut end: Option<String> = None;
        for status_mask in &self.masks {
            let select = SelectOfMask {
                store_id: self.store_id,
                status_mask: *status_mask,
                from_id,
                before_id,
                limit,
            };
            let of_mask: Vec<(String, i64)> = select.load(connection)?;
            if i64::try_from(of_mask.len()).is_ok_and(|count| count == limit) {
                end = end.max(of_mask.last().map(|(id, _)| id.clone()));
            }
            orders.extend(of_mask);
        }
        if let Some(end) = &end {
            orders.retain(|(id, _)| id >= end);
        }
        orders.sort_unstable_by(|(a, _), (b, _)| Reverse(a).cmp(&Reverse(b)));
        Ok((orders, end))
    }
}

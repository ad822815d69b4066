//! Searching a store's orders.

pub(crate) mod cursor;

use crate::field::Field;
use crate::id::OrderId;
use crate::limits;
use crate::order::Order;
use crate::report::{Path, Report, code};
use crate::time::Timestamp;
use crate::words::{SearchKey, SearchKeyError};

/// A search request as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchDraft {
    /// Earliest creation, milliseconds; 0 is open.
    pub from_time: Field<i64>,
    /// Latest creation, milliseconds; 0 is open.
    pub to_time: Field<i64>,
    /// Beginnings of words.
    pub search_key: Field<String>,
    /// Which page, from 1.
    pub page: Field<i64>,
    /// Orders on a page.
    pub size: Field<i64>,
    /// The `nextCursor` of the page before.
    pub cursor: Field<String>,
}

/// Which orders a search is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchFilter {
    /// Created at or after.
    pub from: Option<Timestamp>,
    /// Created at or before.
    pub to: Option<Timestamp>,
    /// Whose words begin so.
    pub key: Option<SearchKey>,
}

/// Where a page of results begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// After so many orders.
    Offset(u64),
    /// After this order, newest first.
    After(Position),
}

/// The place of an order among all, newest first: by creation, then by id, both falling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// When the order was created.
    pub created_at: Timestamp,
    /// Its id.
    pub id: OrderId,
}

impl Position {
    /// The place of an order.
    #[must_use]
    pub fn of(order: &Order) -> Self {
        Self { created_at: order.parts().created_at, id: order.parts().id }
    }
}

/// What a repository is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchQuery {
    /// Which orders.
    pub filter: SearchFilter,
    /// From where.
    pub start: Start,
    /// How many at most, 1 to [`limits::PAGE_SIZE`].
    pub size: u32,
}

/// What a repository answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The orders, newest first.
    pub orders: Vec<Order>,
    /// True where at least one more order follows.
    pub more: bool,
}

/// A page of results.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchPage {
    /// The orders, newest first.
    pub orders: Vec<Order>,
    /// The page's number; `None` where a cursor was followed.
    pub page: Option<u32>,
    /// Orders on a full page.
    pub size: u32,
    /// True where there is a next page.
    pub has_next: bool,
    /// True where there is a page before.
    pub has_previous: bool,
    /// Leads to the next page, where there is one.
    pub next_cursor: Option<String>,
}

/// A search request whose values have been checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValidSearch {
    pub(crate) query: SearchQuery,
    pub(crate) page: Option<u32>,
}

/// Orders on a page where the request names no number.
const DEFAULT_SIZE: u32 = 20;
/// Times from here to [`MILLIS_FROM`] are most likely seconds, which would find everything or nothing.
const SECONDS_FROM: i64 = 1;
const MILLIS_FROM: i64 = 100_000_000_000;
/// The year 5138; beyond it a time is most likely in microseconds.
const MILLIS_TO: i64 = 100_000_000_000_000;

impl SearchDraft {
    /// Checks everything, and reports all problems at once.
    pub(crate) fn check(&self) -> Result<ValidSearch, Report> {
        let root = Path::Root;
        let report = &mut Report::default();
        let from = time(&self.from_time, &root.key("fromTime"), report);
        let to = time(&self.to_time, &root.key("toTime"), report);
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            let message = "later than toTime, so that nothing could be found";
            report.violation(&root.key("fromTime"), code::OUT_OF_RANGE, message);
        }
        let key = self.key(report);
        let size = number(&self.size, "size", DEFAULT_SIZE, limits::PAGE_SIZE, report);
        let page = number(&self.page, "page", 1, limits::PAGE, report);
        let filter = SearchFilter { from, to, key };
        let after = self.cursor(&filter, report);
        if !report.violations.is_empty() {
            return Err(std::mem::take(report));
        }
        let (start, page) = match after {
            Some(position) => (Start::After(position), None),
            None => (Start::Offset(u64::from(page.saturating_sub(1)) * u64::from(size)), Some(page)),
        };
        Ok(ValidSearch { query: SearchQuery { filter, start, size }, page })
    }

    fn key(&self, report: &mut Report) -> Option<SearchKey> {
        let path = Path::Root.key("searchKey");
        if let Field::Wrong(wrong) = &self.search_key {
            report.wrong_type(&path, wrong);
        }
        match SearchKey::parse(self.search_key.text()?) {
            Ok(key) => key,
            Err(error) => {
                let code = match error {
                    SearchKeyError::TooLong { .. } | SearchKeyError::TooManyWords { .. } => code::TOO_LONG,
                };
                report.violation(&path, code, error.to_string());
                None
            }
        }
    }

    fn cursor(&self, filter: &SearchFilter, report: &mut Report) -> Option<Position> {
        let path = Path::Root.key("cursor");
        if let Field::Wrong(wrong) = &self.cursor {
            report.wrong_type(&path, wrong);
        }
        let text = self.cursor.text()?;
        if !self.page.is_absent() {
            report.violation(&path, code::CONFLICT, "send either page or cursor, not both");
        }
        match cursor::read(text, filter) {
            Ok(position) => Some(position),
            Err(error) => {
                report.violation(&path, code::INVALID_FORMAT, error.to_string());
                None
            }
        }
    }
}

fn time(field: &Field<i64>, path: &Path<'_>, report: &mut Report) -> Option<Timestamp> {
    let millis = match field {
        Field::Absent | Field::Blank => return None,
        Field::Wrong(wrong) => {
            report.wrong_type(path, wrong);
            return None;
        }
        Field::Value(millis) => *millis,
    };
    let problem = match millis {
        0 => return None,
        ..0 => "negative; milliseconds since 1970, or 0 for no bound",
        SECONDS_FROM..=MILLIS_FROM => {
            "looks like seconds; this is in milliseconds since 1970, so multiply by 1000"
        }
        millis if millis > MILLIS_TO => "too far in the future; this is in milliseconds since 1970",
        millis => return Some(Timestamp::from_millis(millis)),
    };
    report.violation(path, code::OUT_OF_RANGE, problem);
    None
}

fn number(field: &Field<i64>, key: &str, default: u32, most: u32, report: &mut Report) -> u32 {
    let path = Path::Root.key(key);
    match field {
        Field::Absent | Field::Blank => default,
        Field::Wrong(wrong) => {
            report.wrong_type(&path, wrong);
            default
        }
        Field::Value(value) => match u32::try_from(*value) {
            Ok(value) if (1..=most).contains(&value) => value,
            _ => {
                report.violation(&path, code::OUT_OF_RANGE, format!("{value} is not between 1 and {most}"));
                default
            }
        },
    }
}

//! The events of an order, and the order at an earlier time or version.

use std::borrow::Cow;

use super::{Order, OrderError, OrderReader, OrderScope, ReadOrder};
use crate::check::{Field, IssueCode, Path, Report, Warning, limits, order_name};
use crate::error::RepositoryError;
use crate::event::{Event, right_after, undo};
use crate::value::page::{CursorKey, ListDigest, Page, PageDraft, Start};
use crate::value::{OrderId, Timestamp};

// Number of events per query while an earlier version is rebuilt.
const BATCH: u32 = 100;

/// A request for a page of an order's events, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryDraft {
    /// Order id that the caller assigned, or the service order id.
    pub order_id: Field<String>,
    /// Number of events on the page, 1 to 100; 100 if absent.
    pub size: Field<i64>,
    /// [`Page::next_cursor`] of the previous page; absent for the first page.
    pub cursor: Field<String>,
}

/// A request for an order, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GetDraft {
    /// Order id that the caller assigned, or the service order id.
    pub order_id: Field<String>,
    /// Time of the wanted state of the order, in milliseconds since 1970; absent for now.
    pub as_of: Field<i64>,
    /// Version of the order; not allowed together with `as_of`. Absent for the current version.
    pub at_version: Field<i64>,
}

/// Result of [`OrderReader::history`]: a page of an order's events.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Events, newest first.
    pub page: Page<Event>,
    /// The order right after the newest event of `page`.
    pub latest: Order,
    /// Same warnings as of [`ReadOrder`].
    pub warnings: Vec<Warning>,
}

impl History {
    /// Calls `write` for each event and returns the results. `show` makes a document of a version
    /// of the order, once for each version. `write` gets the event, and the documents of the
    /// versions right after and right before it. The second document is `None` for the event that
    /// created the order.
    ///
    /// # Errors
    /// [`OrderError::Repository`] if an event cannot be undone: the stored order is damaged; also
    /// the errors of `show` and `write`.
    pub fn map<'a, D, T, E: From<OrderError>>(
        &'a self,
        show: impl Fn(&Order) -> Result<D, E>,
        mut write: impl FnMut(&'a Event, &D, Option<&D>) -> Result<T, E>,
    ) -> Result<Vec<T>, E> {
        let mut written = Vec::new();
        let mut order = Cow::Borrowed(&self.latest);
        let mut after = show(&order)?;
        for event in &self.page.entries {
            // The event created the order, so no earlier version exists.
            if event.event.previous.is_none() {
                written.push(write(event, &after, None)?);
                break;
            }
            order = Cow::Owned(undo(&order, &event.event).map_err(|error| damaged(error.into()))?);
            let before = show(&order)?;
            written.push(write(event, &after, Some(&before))?);
            after = before;
        }
        Ok(written)
    }
}

#[derive(Clone, Copy)]
enum VersionSelector {
    Now,
    AsOf(Timestamp),
    AtVersion(u32),
    AtSequence(u64),
}

impl VersionSelector {
    /// Returns `true` if `order` is not later than the selected time, version or sequence.
    fn is_reached(self, order: &Order) -> bool {
        match self {
            Self::Now => true,
            Self::AsOf(moment) => order.state.updated_at <= moment,
            Self::AtVersion(version) => order.state.version <= version,
            Self::AtSequence(sequence) => order.state.last_sequence <= sequence,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HistoryKey {
    order: OrderId,
    next: u64,
}

impl CursorKey for HistoryKey {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.order.to_bytes();
        bytes.extend(self.next.to_be_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (order_bytes, next_bytes) = bytes.split_last_chunk::<8>()?;
        let (order, next) = (
            OrderId::from_bytes(order_bytes)?,
            u64::from_be_bytes(*next_bytes),
        );
        // Sequences are stored in 63 bits, so a larger number is not from a cursor.
        i64::try_from(next).is_ok().then_some(Self { order, next })
    }
}

impl OrderReader {
    /// Returns a page of an order's events, newest first. `reach` is the scope in which the order
    /// is looked up.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` or its cursor is invalid, [`OrderError::NotFound`] if the
    /// order is not in `reach`, and [`OrderError::Repository`] if a query fails.
    pub async fn history(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &HistoryDraft,
    ) -> Result<History, OrderError> {
        let mut report = Report::default();
        let name = order_name(&draft.order_id, &mut report);
        // The cursor contains the order's id, which is unique, so the digest needs no store.
        let list = ListDigest::new("history").list("order_id");
        let paging = PageDraft {
            page: Field::Absent,
            size: match &draft.size {
                Field::Absent => Field::Value(i64::from(limits::PAGE_SIZE)),
                size => size.clone(),
            },
            cursor: draft.cursor.clone(),
        };
        let window = paging.check::<HistoryKey>(list, &mut report);
        let Some(name) = name.filter(|_| report.violations.is_empty()) else {
            return Err(report.into());
        };
        let named_order = self.named(reach.into(), &name).await?;
        let ReadOrder { order, warnings } = self.read_named(&named_order).await?;
        let id = order.content.id;
        let latest = match window.start {
            Start::Offset(_) => order.state.last_sequence,
            Start::After(key) if key.order == id => key.next,
            Start::After(_) => {
                let message = "belongs to another order";
                report.violation(&Path::Root.key("cursor"), IssueCode::InvalidFormat, message);
                return Err(report.into());
            }
        };
        let events = self
            .orders
            .events(named_order.store.id, id, latest, window.size)
            .await?;
        // Each event names the previous event of its order.
        let previous = events.last().and_then(|event| event.event.previous);
        let next = previous.map(|previous| HistoryKey {
            order: id,
            next: previous.sequence,
        });
        Ok(History {
            page: window.page(events, next.as_ref()),
            warnings,
            latest: self
                .as_it_was(order, VersionSelector::AtSequence(latest))
                .await?,
        })
    }

    /// Returns an order as it is now, as it was at the time `as_of`, or at the version
    /// `at_version`.
    ///
    /// # Errors
    /// - [`OrderError::Invalid`] if `draft` is invalid, or the order does not have the version.
    /// - [`OrderError::NotFound`] if `reach` lacks the order, or `as_of` is before its creation.
    /// - [`OrderError::Repository`] if a query fails.
    pub async fn get(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &GetDraft,
    ) -> Result<ReadOrder, OrderError> {
        let mut report = Report::default();
        let name = order_name(&draft.order_id, &mut report);
        let wanted = draft.wanted(&mut report);
        let Some(name) = name.filter(|_| report.violations.is_empty()) else {
            return Err(report.into());
        };
        let named_order = self.named(reach.into(), &name).await?;
        let ReadOrder {
            order: current,
            warnings,
        } = self.read_named(&named_order).await?;
        let order = match wanted {
            VersionSelector::AsOf(moment) if moment < current.content.created_at() => {
                return Err(OrderError::NotFound);
            }
            VersionSelector::AtVersion(version) if version > current.state.version => {
                let message = format!("the order is at version {}", current.state.version);
                report.violation(&Path::Root.key("atVersion"), IssueCode::OutOfRange, message);
                return Err(report.into());
            }
            VersionSelector::Now => current,
            wanted => self.as_it_was(current, wanted).await?,
        };
        Ok(ReadOrder { order, warnings })
    }

    async fn as_it_was(&self, order: Order, wanted: VersionSelector) -> Result<Order, OrderError> {
        // The clock of a test store may have moved due times since the latest event.
        let mut order = order.after_latest_event().into_owned();
        let store = order.content.store_id;
        // Earlier states are not stored: events are undone, newest first.
        while !wanted.is_reached(&order) {
            let (id, latest) = (order.content.id, order.state.last_sequence);
            let events = self.orders.events(store, id, latest, BATCH).await?;
            if events.is_empty() {
                return Err(damaged("an event of the order is missing".into()));
            }
            for Event { event, .. } in &events {
                // A version that was skipped after a restore is reached right after this event.
                let after = right_after(&order, event).map_err(|error| damaged(error.into()))?;
                if let Cow::Owned(after) = after {
                    order = after;
                }
                if wanted.is_reached(&order) {
                    break;
                }
                order = undo(&order, event).map_err(|error| damaged(error.into()))?;
            }
        }
        Ok(order)
    }
}

fn damaged(source: crate::error::Source) -> OrderError {
    OrderError::Repository(RepositoryError::Refused(source))
}

impl GetDraft {
    fn wanted(&self, report: &mut Report) -> VersionSelector {
        let (as_of, at_version) = (Path::Root.key("asOf"), Path::Root.key("atVersion"));
        let moment = self.as_of.read(&as_of, report).copied();
        let version = self.at_version.read(&at_version, report).copied();
        match (moment, version) {
            (Some(_), Some(_)) => {
                let message = "send either `asOf` or `atVersion`, not both";
                report.violation(&at_version, IssueCode::Conflict, message);
            }
            (Some(moment), None) if moment >= 0 => {
                return VersionSelector::AsOf(Timestamp::from_millis(moment));
            }
            (Some(_), None) => {
                let message = "must not be negative; send milliseconds since 1970";
                report.violation(&as_of, IssueCode::OutOfRange, message);
            }
            (None, Some(version)) => match u32::try_from(version) {
                Ok(version) if version > 0 => return VersionSelector::AtVersion(version),
                _ => {
                    let message = "must be at least 1";
                    report.violation(&at_version, IssueCode::OutOfRange, message);
                }
            },
            (None, None) => {}
        }
        VersionSelector::Now
    }
}

//! Requests that read the feed, and their validation.

use crate::check::{self, Field, Path, Report, integer, limits, order_name, word};
use crate::event::EventType;
use crate::event::port::FeedFilter;

use super::body::Payload;

/// A feed request as received, not yet checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedDraft {
    /// Sequence number of the last event before the page; 0 or absent to start at the first event.
    pub after_sequence: Field<i64>,
    /// Maximum events, 1 to [`limits::EVENTS_ON_PAGE`]; absent for [`limits::USUAL_EVENTS`].
    pub limit: Field<i64>,
    /// Event types to return; absent or empty for all types.
    pub types: Field<Vec<Field<String>>>,
    /// Order id or service order id that selects events; absent for the events of all orders.
    pub order_id: Field<String>,
    /// Content of each event: `order` or `changes`; absent for `order`.
    pub include: Field<String>,
    /// Maximum time to wait, 0 to [`limits::EVENT_WAIT_SECONDS`] seconds; absent for 0.
    pub wait_seconds: Field<i64>,
}

/// A checked feed request, from [`EventService::check`](crate::event::EventService::check).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRequest {
    /// Sequence number of the last event before the page; 0 to start at the store's first event.
    pub after: u64,
    /// Maximum number of events on the page.
    pub limit: u32,
    /// Selects the events by type, and by the order that they concern.
    pub filter: FeedFilter,
    /// Content of each event.
    pub payload: Payload,
    /// Maximum time that the caller waits for an event, before it reads again, in seconds.
    pub wait_seconds: u32,
}

impl FeedDraft {
    /// Permitted values of [`FeedDraft::include`], each with its [`Payload`].
    pub const INCLUDES: [(&'static str, Payload); 2] =
        [("order", Payload::Full), ("changes", Payload::Changes)];

    /// Also returns the order id in the draft, which the caller must look up; `None` without an id.
    pub(super) fn check(&self) -> Result<(FeedRequest, Option<String>), Report> {
        let mut report = Report::default();
        let root = Path::Root;
        let after_range = (0, i64::MAX);
        let after = integer(
            &self.after_sequence,
            &root.key("afterSequence"),
            after_range,
            &mut report,
        );
        let limit_range = (1, i64::from(limits::EVENTS_ON_PAGE));
        let limit = integer(&self.limit, &root.key("limit"), limit_range, &mut report);
        let wait_range = (0, i64::from(limits::EVENT_WAIT_SECONDS));
        let wait = integer(
            &self.wait_seconds,
            &root.key("waitSeconds"),
            wait_range,
            &mut report,
        );
        let known = EventType::ALL.map(|kind| (kind.as_str(), kind));
        let types = check::chosen(&self.types, &root.key("types"), &known, &mut report);
        let include = root.key("include");
        let payload = word(&self.include, &include, Self::INCLUDES, &mut report);
        let name = (!self.order_id.is_blank()).then(|| order_name(&self.order_id, &mut report));
        if !report.violations.is_empty() {
            return Err(report);
        }
        let number = |value: Option<i64>| value.and_then(|value| u32::try_from(value).ok());
        let request = FeedRequest {
            after: after
                .and_then(|after| u64::try_from(after).ok())
                .unwrap_or(0),
            limit: number(limit).unwrap_or(limits::USUAL_EVENTS),
            filter: FeedFilter { types, order: None },
            payload: payload.unwrap_or(Payload::Full),
            wait_seconds: number(wait).unwrap_or(0),
        };
        Ok((request, name.flatten()))
    }
}

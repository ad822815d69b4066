//! A request for events, and its rules.

use crate::check::{integer, order_name, word};
use crate::event::EventType;
use crate::event::port::FeedFilter;
use crate::field::{self, Field};
use crate::limits;
use crate::report::{Path, Report};

use super::body::Payload;

/// A request for events, as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedDraft {
    /// The sequence after which to read; 0 or absent for the beginning.
    pub after_sequence: Field<i64>,
    /// Events on a page, 1 to [`limits::EVENTS_ON_PAGE`].
    pub limit: Field<i64>,
    /// Types of events; empty for any.
    pub types: Field<Vec<Field<String>>>,
    /// The caller's id of the order, or the service order id.
    pub order_id: Field<String>,
    /// What comes with each event: `order` or `changes`.
    pub include: Field<String>,
    /// How long to wait for an event, 0 to [`limits::EVENT_WAIT_SECONDS`].
    pub wait_seconds: Field<i64>,
}

/// A request for events whose values have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRequest {
    /// The sequence after which to read.
    pub after: u64,
    /// Maximum number of events.
    pub limit: u32,
    /// Which events.
    pub filter: FeedFilter,
    /// What comes with each event.
    pub payload: Payload,
    /// How long to wait for an event, in seconds.
    pub wait_seconds: u32,
}

impl FeedDraft {
    /// What can come with each event, by its name.
    pub const INCLUDES: [(&'static str, Payload); 2] =
        [("order", Payload::Full), ("changes", Payload::Changes)];

    /// Checks all fields. Returns the request, which does not name an order yet, and the name of the
    /// order.
    pub(super) fn check(&self) -> Result<(FeedRequest, Option<String>), Report> {
        let mut report = Report::default();
        let root = Path::Root;
        let after = (0, i64::MAX);
        let after = integer(
            &self.after_sequence,
            &root.key("afterSequence"),
            after,
            &mut report,
        );
        let limit = (1, i64::from(limits::EVENTS_ON_PAGE));
        let limit = integer(&self.limit, &root.key("limit"), limit, &mut report);
        let wait = (0, i64::from(limits::EVENT_WAIT_SECONDS));
        let wait = integer(
            &self.wait_seconds,
            &root.key("waitSeconds"),
            wait,
            &mut report,
        );
        let known = EventType::ALL.map(|kind| (kind.as_str(), kind));
        let types = field::chosen(&self.types, &root.key("types"), &known, &mut report);
        let include = root.key("include");
        let payload = word(&self.include, &include, Self::INCLUDES, &mut report);
        let named = (!self.order_id.is_blank()).then(|| order_name(&self.order_id, &mut report));
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
        Ok((request, named.flatten()))
    }
}

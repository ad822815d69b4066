//! Events read ahead of their delivery.

use std::collections::VecDeque;

use pressline_backoffice::webhook::{EndpointRecord, SubscriptionEvent, SubscriptionKey};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{FeedError, FeedFilter, FeedRequest};

use super::shared::Shared;
use crate::source::SourceEvent;

/// Maximum and minimum number of events to request in one read of the event feed.
const READ: (usize, usize) = (100, 8);
/// Approximate total size of the events to request in one read of the event feed, in bytes.
const BYTES: usize = 512 * 1024;
/// Assumed size of an event before the first read, in bytes.
const USUAL: usize = 8 * 1024;

pub(super) struct Ahead {
    events: VecDeque<SourceEvent>,
    /// Highest event sequence read so far. Events that the endpoint does not receive count too.
    pub(super) read_to: u64,
    pub(super) is_end: bool,
    /// Average size of an event in the latest read with events, in bytes; [`USUAL`] before.
    size: usize,
}

impl Ahead {
    pub(super) fn after(cursor: u64) -> Self {
        Self {
            events: VecDeque::new(),
            read_to: cursor,
            is_end: false,
            size: USUAL,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub(super) fn events(&self) -> Vec<SubscriptionEvent> {
        self.events.iter().map(|event| event.event).collect()
    }

    pub(super) fn find(&self, sequence: u64) -> Option<&SourceEvent> {
        let mut events = self.events.iter();
        events.find(|event| event.event.sequence == sequence)
    }

    pub(super) fn pass(&mut self, cursor: u64) {
        let is_passed = |event: &SourceEvent| event.event.sequence <= cursor;
        while self.events.front().is_some_and(is_passed) {
            self.events.pop_front();
        }
        self.read_to = self.read_to.max(cursor);
    }

    pub(super) async fn refill(
        &mut self,
        shared: &Shared,
        key: SubscriptionKey,
        record: &EndpointRecord,
    ) -> Result<(), RepositoryError> {
        let (most, fewest) = READ;
        // Two batches suffice until the next call.
        let is_enough = self.events.len() >= 2 * fewest || (self.is_end && !self.is_empty());
        if is_enough {
            return Ok(());
        }
        let event_limit = (BYTES / self.size.max(1)).clamp(fewest, most);
        let limit = u32::try_from(event_limit).unwrap_or(u32::MAX);
        let endpoint = &record.endpoint;
        let request = FeedRequest {
            after: self.read_to,
            limit,
            filter: FeedFilter {
                types: endpoint.types.clone(),
                order: None,
            },
            payload: endpoint.payload.into(),
            wait_seconds: 0,
        };
        let reading = shared.ports.events.read(key.store, &request);
        let page = shared.call(reading).await.map_err(unreadable)?;
        if !page.events.is_empty() {
            let bytes: usize = page.events.iter().map(|event| event.json.len()).sum();
            self.size = bytes / page.events.len();
        }
        self.read_to = page.next_after.max(self.read_to);
        self.is_end = self.read_to >= page.last_sequence;
        self.events
            .extend(page.events.into_iter().map(SourceEvent::from));
        Ok(())
    }
}

fn unreadable(error: FeedError) -> RepositoryError {
    match error {
        FeedError::Repository(error) => error,
        // The cursor and the events are stored in one transaction.
        other => RepositoryError::Refused(other.into()),
    }
}

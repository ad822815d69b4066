//! The events of orders in memory, as a short JSON.

use std::collections::BTreeSet;

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{Event, EventFeed, EventType, FeedFilter, FeedQuery, Payload};
use pressline_domain::id::StoreId;
use pressline_domain::memory::MemoryOrders;
use pressline_domain::webhook::{LaneEvent, SentEvent, SentOrder};
use pressline_webhooks::{EventPage, EventSource, SourceEvent};

pub(crate) struct MemorySource(pub(crate) MemoryOrders);

#[async_trait]
impl EventSource for MemorySource {
    async fn read(
        &self,
        store: StoreId,
        after: u64,
        types: &BTreeSet<EventType>,
        _payload: Payload,
        limit: u32,
    ) -> Result<EventPage, RepositoryError> {
        let types = types.clone();
        let query = FeedQuery {
            after,
            filter: FeedFilter { types, order: None },
            examined: 10_000,
            limit,
            bytes: u64::MAX,
        };
        let batch = self.0.read(store, &query).await?;
        Ok(EventPage {
            read_to: batch.examined(&query),
            last_sequence: batch.last_sequence,
            events: batch
                .events
                .iter()
                .map(|event| source(store, event))
                .collect(),
        })
    }

    async fn find(
        &self,
        store: StoreId,
        sequence: u64,
        payload: Payload,
    ) -> Result<Option<SourceEvent>, RepositoryError> {
        let any = BTreeSet::new();
        let page = self.read(store, sequence - 1, &any, payload, 1).await?;
        Ok(page.events.into_iter().next())
    }
}

fn source(store: StoreId, event: &Event) -> SourceEvent {
    let (sequence, parts) = (event.sequence, &event.event);
    let order = parts.order;
    SourceEvent {
        event: LaneEvent {
            sequence,
            kind: parts.kind,
            order: Some(order),
            at: parts.at,
        },
        sent: SentEvent {
            id: format!("evt_{store}_{sequence}"),
            kind: parts.kind.as_str().to_owned(),
            sequence: Some(sequence),
            order: Some(SentOrder {
                id: order,
                order_id: order.to_string(),
            }),
        },
        json: format!(r#"{{"sequence":{sequence},"order":"{order}"}}"#).into(),
    }
}

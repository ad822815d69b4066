//! Endpoints in memory.

use async_trait::async_trait;

use super::{Kept, MemoryWebhooks};
use crate::memory::at_most;
use crate::webhook::{
    Endpoint, EndpointDirectory, EndpointOwner, EndpointRecord, EndpointScope, Lag, LaneClock,
    LaneKey, LaneStart,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::event::FeedEvent;
use pressline_domain::id::{EndpointId, StoreId};
use pressline_domain::time::Timestamp;

#[async_trait]
impl EndpointDirectory for MemoryWebhooks {
    async fn add(&self, record: &EndpointRecord, most: usize) -> Result<bool> {
        let mut kept = self.kept();
        if !self.endpoints.add(&self.stores, record, most)? {
            return Ok(false);
        }
        for lane in self.lanes(record) {
            kept.start(lane, LaneStart::Now, self.last_sequence(lane.store));
        }
        Ok(true)
    }

    async fn find(&self, id: EndpointId) -> Result<Option<EndpointRecord>> {
        Ok(self.endpoints.find(id))
    }

    async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>> {
        let mut records = self.endpoints.all();
        records.retain(|record| record.endpoint.scope.owner() == owner);
        records.sort_by_key(|record| (record.endpoint.created_at, record.endpoint.id));
        Ok(records)
    }

    async fn page(&self, after: Option<EndpointId>, limit: u32) -> Result<Vec<EndpointRecord>> {
        let mut records = self.endpoints.all();
        records.retain(|record| after.is_none_or(|after| record.endpoint.id > after));
        records.sort_by_key(|record| record.endpoint.id);
        records.truncate(at_most(limit));
        Ok(records)
    }

    async fn replace(
        &self,
        record: &EndpointRecord,
        expected: u32,
        start: Option<LaneStart>,
    ) -> Result<()> {
        let mut kept = self.kept();
        let stored = self.endpoints.find(record.endpoint.id);
        let stored = stored.filter(|stored| stored.version == expected);
        let before = stored.ok_or(RepositoryError::Stale)?;
        let changed = EndpointRecord {
            endpoint: Endpoint {
                id: before.endpoint.id,
                created_at: before.endpoint.created_at,
                ..record.endpoint.clone()
            },
            version: expected.saturating_add(1),
            ..record.clone()
        };
        self.endpoints.replace(&self.stores, &changed)?;
        self.move_lanes(&mut kept, &before.endpoint.scope, &changed);
        if let Some(start) = start {
            for lane in self.lanes(&changed) {
                kept.start(lane, start, self.last_sequence(lane.store));
            }
        }
        Ok(())
    }

    async fn remove(&self, id: EndpointId) -> Result<bool> {
        let mut kept = self.kept();
        kept.lanes.retain(|lane, _| lane.endpoint != id);
        kept.deliveries.retain(|_, sent| sent.endpoint != id);
        Ok(self.endpoints.remove(id))
    }

    async fn lag(&self, id: EndpointId) -> Result<Lag> {
        let kept = self.kept();
        let record = self.endpoints.find(id);
        let lanes = record.map_or_else(Vec::new, |record| self.lanes(&record));
        let mut lag = Lag::default();
        for lane in lanes {
            let row = kept.lanes.get(&lane);
            let cursor = kept.cursor(lane);
            let behind = self.events(lane.store, |event| {
                let is_open = row.is_some_and(|row| row.open.contains_key(&event.sequence()));
                event.sequence() > cursor || is_open
            });
            lag.events = lag.events.saturating_add(behind.len() as u64);
            let times = behind.iter().map(FeedEvent::at);
            lag.oldest = times.chain(lag.oldest).min();
        }
        Ok(lag)
    }
}

impl MemoryWebhooks {
    fn move_lanes(&self, kept: &mut Kept, before: &EndpointScope, record: &EndpointRecord) {
        let (endpoint, scope) = (record.endpoint.id, &record.endpoint.scope);
        let lanes = kept.lanes.keys().copied();
        let silent = lanes.filter(|lane| lane.endpoint == endpoint && !scope.hears(lane.store));
        for lane in silent.collect::<Vec<LaneKey>>() {
            kept.remove_lane(lane);
        }
        for lane in self.lanes(record) {
            if before.hears(lane.store) {
                kept.lanes.entry(lane).or_default();
            } else {
                kept.start(lane, LaneStart::Now, self.last_sequence(lane.store));
            }
        }
    }
}

fn earlier(moment: Timestamp, seconds: u32) -> Timestamp {
    let millis = i64::from(seconds).saturating_mul(1000);
    Timestamp::from_millis(moment.as_millis().saturating_sub(millis))
}

#[async_trait]
impl LaneClock for MemoryWebhooks {
    async fn advance(&self, store: StoreId, seconds: u32) -> Result<()> {
        let mut kept = self.kept();
        let own = EndpointScope::Store(store);
        let mut records = self.endpoints.all();
        records.retain(|record| record.endpoint.scope == own);
        for mut record in records {
            let endpoint = record.endpoint.id;
            let row = kept.lanes.get_mut(&LaneKey { store, endpoint });
            let open = row.into_iter().flat_map(|row| row.open.values_mut());
            open.for_each(|message| message.due = earlier(message.due, seconds));
            let deliveries = kept.deliveries.values_mut();
            for delivery in deliveries.filter(|delivery| delivery.endpoint == endpoint) {
                let next = delivery.next_attempt_at;
                delivery.next_attempt_at = next.map(|next| earlier(next, seconds));
            }
            let state = &mut record.state;
            if let Some(pause) = &mut state.pause {
                pause.until = earlier(pause.until, seconds);
            }
            state.failing_since = state.failing_since.map(|since| earlier(since, seconds));
            record.version = record.version.saturating_add(1);
            self.endpoints.replace(&self.stores, &record)?;
        }
        Ok(())
    }
}

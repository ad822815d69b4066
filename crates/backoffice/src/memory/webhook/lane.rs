//! Lanes in memory.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::{Kept, LaneRow, MemoryWebhooks};
use crate::memory::at_most;
use crate::webhook::{
    Delivery, EndpointState, Lane, LaneKey, LaneOutcome, LaneRepository, OpenMessage,
    RESTART_PAUSES, Recorded, longest_restart_pause,
};
use pressline_domain::error::Result;
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;

#[derive(PartialEq)]
enum Sending {
    /// It has not: the endpoint is disabled or pauses, or another lane probes it.
    Nothing,
    News,
    Probe,
}

fn sending(state: &EndpointState, lane: LaneKey, now: Timestamp) -> Sending {
    let pause = state.pause;
    if state.disabled.is_some() || pause.is_some_and(|pause| pause.until > now) {
        return Sending::Nothing;
    }
    match pause.and_then(|pause| pause.probing) {
        None => Sending::News,
        Some(probing) if probing.store == lane.store => Sending::Probe,
        Some(_) => Sending::Nothing,
    }
}

impl LaneRow {
    fn is_leased(&self, now: Timestamp) -> bool {
        self.leased_until.is_some_and(|until| until > now)
    }

    fn apply(&mut self, outcome: &LaneOutcome) {
        if self.cursor != outcome.lane.cursor || outcome.leased_until.is_none() {
            self.restarts = 0;
        }
        self.cursor = outcome.lane.cursor;
        self.leased_until = outcome.leased_until;
        for sequence in &outcome.settled {
            self.open.remove(sequence);
        }
        let open = outcome
            .open
            .iter()
            .map(|message| (message.sequence, *message));
        self.open.extend(open);
        for order in &outcome.released {
            let mut open = self.open.values_mut();
            let first = open.find(|message| message.order == Some(*order));
            // An earlier message that is retried keeps the later ones waiting.
            if let Some(message) = first.filter(|message| message.waits) {
                message.waits = false;
                message.due = outcome.at;
            }
        }
    }
}

impl Kept {
    /// Adds an attempt to the log. Earlier ones of the same event have no next attempt any more.
    fn log(&mut self, delivery: &Delivery) {
        let sequence = delivery.event.sequence;
        let is_earlier = |other: &&mut Delivery| {
            sequence.is_some()
                && other.event.sequence == sequence
                && other.lane() == delivery.lane()
        };
        for other in self.deliveries.values_mut().filter(is_earlier) {
            other.next_attempt_at = None;
        }
        self.deliveries.insert(delivery.id, delivery.clone());
    }
}

#[async_trait]
impl LaneRepository for MemoryWebhooks {
    async fn with_news(&self, now: Timestamp, limit: u32) -> Result<Vec<LaneKey>> {
        let kept = self.kept();
        let has_news = |lane: &LaneKey| {
            let is_due = |message: &OpenMessage| message.due <= now;
            let is_behind = self.last_sequence(lane.store) > kept.cursor(*lane);
            is_behind || kept.open(*lane).any(is_due)
        };
        let is_leased = |lane: &LaneKey| kept.lanes.get(lane).is_some_and(|row| row.is_leased(now));
        let mut found = Vec::new();
        for record in self.endpoints.all() {
            let lanes = self.lanes(&record).into_iter();
            let free = lanes.filter(|lane| !is_leased(lane));
            found.extend(
                free.filter(|lane| match sending(&record.state, *lane, now) {
                    Sending::Nothing => false,
                    Sending::News => has_news(lane),
                    Sending::Probe => true,
                }),
            );
        }
        found.truncate(at_most(limit));
        Ok(found)
    }

    async fn lease(&self, lane: LaneKey, now: Timestamp, until: Timestamp) -> Result<Option<Lane>> {
        let mut kept = self.kept();
        if !self.has_lane(lane) {
            return Ok(None);
        }
        let row = kept.lanes.entry(lane).or_default();
        if row.is_leased(now) {
            return Ok(None);
        }
        row.lease = row.lease.saturating_add(1);
        row.leased_until = Some(until);
        Ok(Some(Lane {
            key: lane,
            cursor: row.cursor,
            lease: row.lease,
        }))
    }

    async fn due(&self, lane: LaneKey, now: Timestamp, limit: u32) -> Result<Vec<OpenMessage>> {
        let kept = self.kept();
        let mut orders = BTreeSet::new();
        // By sequence, so that the first one of each order is kept.
        let due = kept.open(lane).filter(|message| message.due <= now);
        let first = due.filter(|message| message.order.is_none_or(|order| orders.insert(order)));
        let mut first: Vec<OpenMessage> = first.copied().collect();
        first.sort_by_key(|message| (message.due, message.sequence));
        first.truncate(at_most(limit));
        Ok(first)
    }

    async fn oldest(&self, lane: LaneKey) -> Result<Option<OpenMessage>> {
        Ok(self.kept().open(lane).next().copied())
    }

    async fn blocked(
        &self,
        lane: LaneKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>> {
        let kept = self.kept();
        let open = kept.open(lane).filter_map(|message| message.order);
        Ok(open.filter(|order| orders.contains(order)).collect())
    }

    async fn record(&self, outcome: &LaneOutcome) -> Result<Recorded> {
        let mut kept = self.kept();
        let lane = outcome.lane;
        let row = kept.lanes.get_mut(&lane.key);
        let Some(row) = row.filter(|row| row.lease == lane.lease) else {
            return Ok(Recorded::LeaseLost);
        };
        if let Some(change) = &outcome.endpoint {
            let record = self.endpoints.find(lane.key.endpoint);
            let Some(mut record) = record.filter(|record| record.version == change.expected) else {
                return Ok(Recorded::EndpointChanged);
            };
            record.state = change.state;
            record.version = record.version.saturating_add(1);
            self.endpoints.replace(&self.stores, &record)?;
        }
        row.apply(outcome);
        for delivery in &outcome.deliveries {
            kept.log(delivery);
        }
        if let Some(disabled) = outcome.endpoint.and_then(|change| change.announced) {
            let event = disabled.event(lane.key.endpoint);
            self.orders.add_endpoint_event(lane.key.store, event);
        }
        Ok(Recorded::Done)
    }

    async fn end_leases(&self, now: Timestamp) -> Result<()> {
        let longest = longest_restart_pause(now);
        for row in self.kept().lanes.values_mut() {
            if row.is_leased(longest) {
                let last = RESTART_PAUSES.len() - 1;
                let pause = RESTART_PAUSES.get(row.restarts).copied();
                row.leased_until = pause.map(|pause| now.plus_millis(pause));
                row.restarts = (row.restarts + 1).min(last);
            }
        }
        Ok(())
    }
}

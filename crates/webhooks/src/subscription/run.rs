//! Delivery run of a subscription: from its lease until nothing is left to send, or other
//! subscriptions need the slot.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pressline_backoffice::webhook::SubscriptionKey;
use tokio::time::Instant;

use super::leased::LeasedSubscription;
use super::shared::{RunError, Shared};
use crate::wake::WakeHandle;

/// A run ends with its current batch after this time if other subscriptions wait for a slot.
const RUN: Duration = Duration::from_secs(1);
/// A run without events keeps its lease for this time, because another lease costs two writes.
const LINGER: Duration = Duration::from_millis(250);
/// A receiver counts as slow if sending a batch of events to it takes at least this time.
const SLOW: Duration = Duration::from_secs(1);

pub(crate) enum RunEnd {
    /// The subscription could not be leased, or its endpoint was removed or may not get events.
    Nothing,
    /// Events were sent, or no events were pending.
    Done(RunSummary),
}

#[derive(Default)]
pub(crate) struct RunSummary {
    pub(crate) was_slow: bool,
    pub(crate) has_more: bool,
}

#[tracing::instrument(
    name = "webhooks.subscription",
    level = "debug",
    skip_all,
    fields(endpoint = %key.endpoint, store = %key.store)
)]
pub(crate) async fn deliver(
    shared: &Shared,
    key: SubscriptionKey,
    wake_handle: &WakeHandle,
) -> Result<RunEnd, RunError> {
    let Some(mut held) = LeasedSubscription::lease(shared, key).await? else {
        return Ok(RunEnd::Nothing);
    };
    let end = run(shared, &mut held, wake_handle).await;
    // After other errors the lease expires, which delays the next attempt.
    if end.as_ref().is_err_and(RunError::is_transient)
        && let Err(error) = held.give_back().await
    {
        let error: &dyn std::error::Error = &error;
        tracing::debug!(error, "a lease is not given back; it ends by itself");
    }
    end
}

async fn run(
    shared: &Shared,
    held: &mut LeasedSubscription<'_>,
    wake_handle: &WakeHandle,
) -> Result<RunEnd, RunError> {
    let begin = Instant::now();
    let mut summary = RunSummary::default();
    loop {
        tokio::select! {
            () = shared.ports.pace.next() => {}
            // A stopping worker does not wait for its pace.
            () = shared.stops() => {}
        }
        let Some(plan) = held.plan().await? else {
            return Ok(RunEnd::Nothing);
        };
        // Changes by the endpoint's owner apply to every later event.
        if wake_handle.takes_change() {
            held.look_again();
            continue;
        }
        if plan.is_empty() {
            if held.may_send() && lingers(shared, wake_handle).await {
                held.look_again();
                continue;
            }
            held.give_back().await?;
            let end = if held.may_send() {
                RunEnd::Done(summary)
            } else {
                RunEnd::Nothing
            };
            return Ok(end);
        }
        let sending = Instant::now();
        let reports = held.send(&plan).await?;
        summary.was_slow = sending.elapsed() >= SLOW;
        let is_crowded = shared.crowded.load(Ordering::Relaxed);
        let is_over = is_crowded && begin.elapsed() >= RUN;
        let is_end = is_over || shared.is_stopping() || !(shared.ports.permits)();
        // Another worker has the lease, the owner moved the cursor, or the endpoint was removed.
        if !held.record(&plan, &reports, is_end).await? {
            return Ok(RunEnd::Done(summary));
        }
        if is_end {
            summary.has_more = held.has_more();
            return Ok(RunEnd::Done(summary));
        }
    }
}

async fn lingers(shared: &Shared, wake_handle: &WakeHandle) -> bool {
    if shared.is_stopping() || shared.crowded.load(Ordering::Relaxed) {
        return false;
    }
    tokio::select! {
        () = wake_handle.rings() => true,
        () = shared.stops() => false,
        () = tokio::time::sleep(LINGER) => false,
    }
}

//! The turn of a subscription: from its lease until nothing is left, or others have waited long enough.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pressline_backoffice::webhook::SubscriptionKey;
use tokio::time::Instant;

use super::leased::LeasedSubscription;
use super::shared::{RunError, Shared};
use crate::wake::WakeHandle;

/// How long a subscription may run while others wait for a place.
const RUN: Duration = Duration::from_secs(1);
/// How long a subscription keeps its lease for the next event of its store: a lease costs two writes.
const LINGER: Duration = Duration::from_millis(250);
/// Time for a batch from which on a receiver is slow.
const SLOW: Duration = Duration::from_secs(1);

pub(crate) enum RunEnd {
    /// The subscription was not leased, or its endpoint must not be sent anything at present.
    Nothing,
    /// Events were sent, or none was left.
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
    // Otherwise the lease ends by itself, which delays the next attempt at what failed.
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
    let mut done = RunSummary::default();
    loop {
        tokio::select! {
            () = shared.ports.pace.next() => {}
            () = shared.stops() => {}
        }
        let Some(plan) = held.plan().await? else {
            return Ok(RunEnd::Nothing);
        };
        // What its owner has changed applies to every event that happens afterwards.
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
                RunEnd::Done(done)
            } else {
                RunEnd::Nothing
            };
            return Ok(end);
        }
        let sending = Instant::now();
        let reports = held.send(&plan).await?;
        done.was_slow = sending.elapsed() >= SLOW;
        let is_crowded = shared.crowded.load(Ordering::Relaxed);
        let is_over = is_crowded && begin.elapsed() >= RUN;
        let is_end = is_over || shared.is_stopping();
        if !held.record(&plan, &reports, is_end).await? {
            return Ok(RunEnd::Done(done));
        }
        if is_end {
            done.has_more = held.has_more();
            return Ok(RunEnd::Done(done));
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

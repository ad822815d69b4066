//! The turn of a lane: from its lease until nothing is left, or others have waited long enough.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pressline_backoffice::webhook::LaneKey;
use tokio::time::Instant;

use super::held::Held;
use super::shared::{Shared, TurnError};
use crate::wake::Bell;

/// How long a lane may run while others wait for a place.
const TURN: Duration = Duration::from_secs(1);
/// How long a lane keeps its lease for the next event of its store: a lease costs two writes.
const LINGER: Duration = Duration::from_millis(250);
/// Time for a batch from which on a receiver is slow.
const SLOW: Duration = Duration::from_secs(1);

pub(crate) enum TurnEnd {
    /// The lane was not leased, or its endpoint must not be sent anything at present.
    Nothing,
    /// Events were sent, or none was left.
    Done(Done),
}

#[derive(Default)]
pub(crate) struct Done {
    pub(crate) was_slow: bool,
    pub(crate) has_more: bool,
}

#[tracing::instrument(
    name = "webhooks.lane",
    level = "debug",
    skip_all,
    fields(endpoint = %key.endpoint, store = %key.store)
)]
pub(crate) async fn turn(shared: &Shared, key: LaneKey, bell: &Bell) -> Result<TurnEnd, TurnError> {
    let Some(mut held) = Held::lease(shared, key).await? else {
        return Ok(TurnEnd::Nothing);
    };
    let end = run(shared, &mut held, bell).await;
    // Otherwise the lease ends by itself, which delays the next attempt at what failed.
    if end.as_ref().is_err_and(TurnError::is_transient)
        && let Err(error) = held.give_back().await
    {
        let error: &dyn std::error::Error = &error;
        tracing::debug!(error, "a lease is not given back; it ends by itself");
    }
    end
}

async fn run(shared: &Shared, held: &mut Held<'_>, bell: &Bell) -> Result<TurnEnd, TurnError> {
    let begin = Instant::now();
    let mut done = Done::default();
    loop {
        tokio::select! {
            () = shared.ports.pace.next() => {}
            () = shared.stops() => {}
        }
        let Some(plan) = held.plan().await? else {
            return Ok(TurnEnd::Nothing);
        };
        // What its owner has changed applies to every event that happens afterwards.
        if bell.takes_change() {
            held.look_again();
            continue;
        }
        if plan.is_empty() {
            if held.may_send() && lingers(shared, bell).await {
                held.look_again();
                continue;
            }
            held.give_back().await?;
            let end = if held.may_send() {
                TurnEnd::Done(done)
            } else {
                TurnEnd::Nothing
            };
            return Ok(end);
        }
        let sending = Instant::now();
        let reports = held.send(&plan).await?;
        done.was_slow = sending.elapsed() >= SLOW;
        let is_crowded = shared.crowded.load(Ordering::Relaxed);
        let is_over = is_crowded && begin.elapsed() >= TURN;
        let is_end = is_over || shared.is_stopping();
        if !held.record(&plan, &reports, is_end).await? {
            return Ok(TurnEnd::Done(done));
        }
        if is_end {
            done.has_more = held.has_more();
            return Ok(TurnEnd::Done(done));
        }
    }
}

async fn lingers(shared: &Shared, bell: &Bell) -> bool {
    if shared.is_stopping() || shared.crowded.load(Ordering::Relaxed) {
        return false;
    }
    tokio::select! {
        () = bell.rings() => true,
        () = shared.stops() => false,
        () = tokio::time::sleep(LINGER) => false,
    }
}

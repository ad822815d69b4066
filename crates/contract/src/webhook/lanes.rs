//! Cases about finding and leasing lanes.

use std::sync::Arc;

use pressline_backoffice::webhook::{
    Disabled, DisabledReason, EndpointScope, EndpointState, Lane, LaneKey, LaneOutcome, Pause,
    Probing, RESTART_PAUSES,
};
use pressline_domain::id::EndpointId;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::{Hooks, MINUTE, WebhookAdapters, at, lane_of, message, outcome};
use crate::check::{holds, same};
use crate::{Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case<WebhookAdapters>] = cases![
    a_lane_with_news_is_found,
    a_lane_that_pauses_is_not_found,
    a_lane_that_probes_is_found,
    a_leased_lane_is_not_found,
    of_concurrent_leases_one_wins,
    leases_are_numbered,
    a_lease_ends,
    all_leases_can_be_ended,
    each_restart_without_progress_pauses_a_lane_longer,
];

/// How many calls run at once.
const AT_ONCE: usize = 12;

/// Gives an endpoint another state.
async fn set(hooks: &Hooks, lane: LaneKey, state: EndpointState) -> CaseResult {
    let mut record = hooks.find(lane).await?;
    record.state = state;
    hooks.replace(&record).await?;
    Ok(())
}

/// A pause until so many milliseconds after the moment of the cases, then probed by a lane.
fn paused(until: i64, probing: Option<LaneKey>) -> EndpointState {
    EndpointState {
        failures: 5,
        pause: Some(Pause {
            until: at(until),
            probing: probing.map(|lane| Probing {
                attempts: 1,
                store: lane.store,
            }),
        }),
        ..EndpointState::default()
    }
}

async fn a_lane_with_news_is_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let lane = hooks.add_own().await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    hooks.add(EndpointScope::Store(other)).await?;
    same("without events", &hooks.news(0).await?, &Vec::new())?;
    let order = hooks.place(hooks.store).await?;
    let mut both = vec![lane, lane_of(&shop, hooks.store)];
    both.sort();
    same("with an event", &hooks.news(0).await?, &both)?;
    let limited = hooks.to.lanes.with_news(at(0), 1).await?;
    same("at most one", &limited.len(), &1)?;
    hooks.store(lane_of(&shop, hooks.store), 1, &[]).await?;
    hooks.store(lane, 1, &[message(&order, 5_000)]).await?;
    same("before it is due", &hooks.news(4_999).await?, &Vec::new())?;
    same("when it is due", &hooks.news(5_000).await?, &vec![lane])?;
    let leased = hooks.lease(lane, 0).await?;
    let settled = LaneOutcome {
        settled: vec![1],
        ..outcome(leased)
    };
    hooks.record(&settled).await?;
    same("when it is settled", &hooks.news(5_000).await?, &Vec::new())
}

async fn a_lane_that_pauses_is_not_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    let lane = lane_of(&shop, hooks.store);
    let probing = lane_of(&shop, other);
    let order = hooks.place(hooks.store).await?;
    hooks.place(hooks.store).await?;
    hooks.place(other).await?;
    hooks.store(lane, 1, &[message(&order, 0)]).await?;
    let mut both = vec![lane, probing];
    both.sort();
    same("at first", &hooks.news(0).await?, &both)?;
    set(&hooks, lane, paused(1_000, None)).await?;
    same("while it pauses", &hooks.news(999).await?, &Vec::new())?;
    same("after the pause", &hooks.news(1_000).await?, &both)?;
    set(&hooks, lane, paused(1_000, Some(probing))).await?;
    same("while it pauses", &hooks.news(999).await?, &Vec::new())?;
    same("what probes", &hooks.news(1_000).await?, &vec![probing])?;
    let disabled = EndpointState {
        disabled: Some(Disabled {
            reason: DisabledReason::Gone,
            at: at(0),
        }),
        ..EndpointState::default()
    };
    set(&hooks, lane, disabled).await?;
    same(
        "when it is disabled",
        &hooks.news(MINUTE).await?,
        &Vec::new(),
    )?;
    set(&hooks, lane, EndpointState::default()).await?;
    same("at the end", &hooks.news(0).await?, &both)
}

async fn a_lane_that_probes_is_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    let lane = lane_of(&shop, hooks.store);
    hooks.place(other).await?;
    set(&hooks, lane, paused(1_000, Some(lane))).await?;
    same("while it pauses", &hooks.news(999).await?, &Vec::new())?;
    same("without events", &hooks.news(1_000).await?, &vec![lane])?;
    let order = hooks.place(hooks.store).await?;
    hooks.store(lane, 1, &[message(&order, MINUTE)]).await?;
    same("before it is due", &hooks.news(1_000).await?, &vec![lane])?;
    hooks.lease(lane, 1_000).await?;
    same("while it is leased", &hooks.news(1_000).await?, &Vec::new())
}

async fn a_leased_lane_is_not_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let (lane, free) = (hooks.add_own().await?, hooks.add_own().await?);
    hooks.place(hooks.store).await?;
    hooks.lease(lane, 0).await?;
    same("while leased", &hooks.news(MINUTE - 1).await?, &vec![free])?;
    let mut both = vec![lane, free];
    both.sort();
    same("when it has ended", &hooks.news(MINUTE).await?, &both)?;
    let leased = hooks.lease(lane, MINUTE).await?;
    hooks.record(&outcome(leased)).await?;
    same("when it is given back", &hooks.news(MINUTE).await?, &both)
}

async fn of_concurrent_leases_one_wins(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let all = hooks.add(EndpointScope::AllStores).await?;
    // That of a later store has no row before it is leased.
    let later = hooks.another("LATER").await?;
    for lane in [lane_of(&all, hooks.store), lane_of(&all, later)] {
        let barrier = Arc::new(Barrier::new(AT_ONCE));
        let mut calls = JoinSet::new();
        for _ in 0..AT_ONCE {
            let (lanes, barrier) = (hooks.to.lanes.clone(), barrier.clone());
            calls.spawn(async move {
                barrier.wait().await;
                lanes.lease(lane, at(0), at(MINUTE)).await
            });
        }
        let mut leases = 0;
        while let Some(call) = calls.join_next().await {
            leases += usize::from(call??.is_some());
        }
        same("leases", &leases, &1)?;
    }
    let lane = LaneKey {
        store: later,
        endpoint: EndpointId::new(hooks.random.uuid()),
    };
    let leased = hooks.to.lanes.lease(lane, at(0), at(1)).await?;
    same("of an unknown endpoint", &leased, &None)
}

async fn leases_are_numbered(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let lane = hooks.add_own().await?;
    let mut last = hooks.lease(lane, 0).await?;
    for number in 1..6 {
        // Every second one has ended without being given back.
        if number % 2 == 0 {
            hooks.record(&outcome(last)).await?;
        }
        let next = hooks.lease(lane, number * MINUTE).await?;
        same("the lane", &next.key, &lane)?;
        holds("the number is not higher", next.lease > last.lease)?;
        last = next;
    }
    Ok(())
}

async fn a_lease_ends(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let lane = hooks.add_own().await?;
    let lanes = hooks.to.lanes.clone();
    let leased = hooks.lease(lane, 0).await?;
    let is_held = async |millis| -> Result<bool, CaseError> {
        let leased = lanes.lease(lane, at(millis), at(millis + 1)).await?;
        Ok(leased.is_none())
    };
    holds("it is not held", is_held(MINUTE - 1).await?)?;
    let renewed = LaneOutcome {
        leased_until: Some(at(3 * MINUTE)),
        ..outcome(leased)
    };
    hooks.record(&renewed).await?;
    holds("it is not renewed", is_held(3 * MINUTE - 1).await?)?;
    holds("it has not ended", !is_held(3 * MINUTE).await?)
}

async fn all_leases_can_be_ended(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let (one, other) = (hooks.add_own().await?, hooks.add_own().await?);
    let before = hooks.lease(one, 0).await?;
    hooks.lease(other, 0).await?;
    hooks.to.lanes.end_leases(at(0)).await?;
    let [first, ..] = RESTART_PAUSES;
    let early = hooks.to.lanes.lease(one, at(first - 1), at(MINUTE)).await?;
    holds("it has ended without a pause", early.is_none())?;
    let after = hooks.lease(one, first).await?;
    hooks.lease(other, first).await?;
    holds("the number is not higher", after.lease > before.lease)
}

async fn each_restart_without_progress_pauses_a_lane_longer(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let lane = hooks.add_own().await?;
    let lanes = hooks.to.lanes.clone();
    let [first, .., last] = RESTART_PAUSES;
    let mut now = 0;
    hooks.lease(lane, now).await?;
    for pause in RESTART_PAUSES.into_iter().chain([last]) {
        lanes.end_leases(at(now)).await?;
        // A further start during the pause changes nothing.
        lanes.end_leases(at(now + 1)).await?;
        let early = lanes.lease(lane, at(now + pause - 1), at(MINUTE)).await?;
        holds("the pause is too short", early.is_none())?;
        now += pause;
        hooks.lease(lane, now).await?;
    }
    now += MINUTE;
    let leased = hooks.lease(lane, now).await?;
    let moved = LaneOutcome {
        lane: Lane {
            cursor: leased.cursor + 1,
            ..leased
        },
        leased_until: Some(at(now + MINUTE)),
        ..outcome(leased)
    };
    hooks.record(&moved).await?;
    lanes.end_leases(at(now)).await?;
    let after = lanes.lease(lane, at(now + first), at(now + MINUTE)).await?;
    holds("progress does not shorten the pause", after.is_some())
}

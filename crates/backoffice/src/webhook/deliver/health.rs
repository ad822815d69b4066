//! Health of an endpoint, attempt by attempt.

use super::schedule;
use crate::webhook::delivery::{DeliveryError, DeliveryStatus, SendReport};
use crate::webhook::endpoint::{Disabled, DisabledReason, EndpointState, Pause, Probing};
use pressline_domain::value::{StoreId, Timestamp};

/// Number of consecutive failed attempts that pause an endpoint.
pub(in crate::webhook) const PAUSING: u32 = 5;

const GONE: u16 = 410;
const BUSY: [u16; 2] = [429, 503];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Taken,
    Dropped,
    /// The attempt failed, and the event is retried by its own schedule.
    Failed,
    /// The endpoint failed, not the event: the event waits until the endpoint works again.
    /// `counted` is `false` if the receiver asked for a pause or sent status 410. If `counted` is
    /// `true` and a later event was delivered, the event is retried by its own schedule instead.
    Deferred {
        counted: bool,
    },
}

pub(super) struct EndpointHealth {
    pub(super) state: EndpointState,
    pub(super) store: StoreId,
    pub(super) is_probe: bool,
}

impl EndpointHealth {
    pub(super) fn judge(&mut self, sent: &SendReport) -> Verdict {
        let ended = sent.ended_at();
        // The receiver did not fail: nothing was sent.
        if sent.result.error == Some(DeliveryError::SandboxDrop) {
            return Verdict::Dropped;
        }
        if sent.result.status() == DeliveryStatus::Succeeded {
            self.succeeded(ended);
            return Verdict::Taken;
        }
        let since = *self.state.failing_since.get_or_insert(sent.started_at);
        let status = sent.result.http_status;
        let is_busy = status.is_some_and(|status| BUSY.contains(&status));
        // With other statuses, `Retry-After` is ignored.
        let asked = sent.retry_after.filter(|_| is_busy);
        let verdict = if status == Some(GONE) {
            self.disable(DisabledReason::Gone, ended);
            Verdict::Deferred { counted: false }
        } else if let Some(seconds) = asked {
            self.pause_as_asked(ended, seconds);
            Verdict::Deferred { counted: false }
        } else {
            self.failed(ended)
        };
        if ended.millis_since(since) >= schedule::GIVE_UP {
            self.disable(DisabledReason::Failing, ended);
        }
        verdict
    }

    fn succeeded(&mut self, ended: Timestamp) {
        self.state.failures = 0;
        self.state.failing_since = None;
        // A pause that the receiver asked for in a concurrent response stays in force.
        let still_holds = |pause: &Pause| pause.probing.is_none() && pause.until > ended;
        self.state.pause = self.state.pause.filter(still_holds);
    }

    fn pause_as_asked(&mut self, ended: Timestamp, seconds: u32) {
        let asked = schedule::asked_until(ended, seconds);
        let probing = self.next_probing();
        let step = self.probe_step(ended);
        self.pause_until(asked.max(step.unwrap_or(asked)), probing);
    }

    fn failed(&mut self, ended: Timestamp) -> Verdict {
        self.state.failures = self.state.failures.saturating_add(1);
        // The endpoint is paused already: only a probe extends the pause.
        if let Some(probing) = self.next_probing() {
            if let Some(until) = self.probe_step(ended) {
                self.pause_until(until, Some(probing));
            }
            return Verdict::Deferred { counted: true };
        }
        if self.state.failures < PAUSING {
            return Verdict::Failed;
        }
        let store = self.store;
        let probing = Probing { attempts: 0, store };
        self.pause_until(schedule::probe_at(ended, 0), Some(probing));
        Verdict::Deferred { counted: true }
    }

    fn probing(&self) -> Option<Probing> {
        self.state.pause?.probing
    }

    fn probes_here(&self) -> bool {
        self.is_probe && self.is_probed_here()
    }

    fn is_probed_here(&self) -> bool {
        let probing = self.probing();
        probing.is_some_and(|probing| probing.store == self.store)
    }

    fn next_probing(&self) -> Option<Probing> {
        let probing = self.probing()?;
        // An attempt in flight when the pause began does not count as a probe.
        let steps = u32::from(self.probes_here());
        let attempts = probing.attempts.saturating_add(steps);
        Some(Probing {
            attempts,
            ..probing
        })
    }

    /// Returns the time of the next probe; `None` if the current attempt is not a probe.
    fn probe_step(&self, ended: Timestamp) -> Option<Timestamp> {
        let probing = self.next_probing().filter(|_| self.probes_here())?;
        Some(schedule::probe_at(ended, probing.attempts))
    }

    fn pause_until(&mut self, until: Timestamp, probing: Option<Probing>) {
        let so_far = self.state.pause.map_or(until, |pause| pause.until);
        // Concurrent attempts never shorten a pause.
        let until = until.max(so_far);
        self.state.pause = Some(Pause { until, probing });
    }

    fn disable(&mut self, reason: DisabledReason, at: Timestamp) {
        // The first reason is kept.
        self.state.disabled.get_or_insert(Disabled { reason, at });
        self.state.pause = None;
    }

    /// Called if no event is left to probe with. The next failure pauses the endpoint again.
    pub(super) fn end_probing(&mut self) {
        if self.is_probed_here() {
            self.state.pause = None;
            self.state.failures = PAUSING - 1;
        }
    }
}

//! Compares the machine's clock with the database's, and corrects the server's time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::{Clock, SystemClock};
use pressline_kit::lock;
use pressline_store_postgres::ColdStore;

use super::measurement::Measurement;
use super::server_clock::ServerClock;
use super::state::{ClockState, REFUSED, Reading, Verdict};

/// Interval between readings of the machine's clocks.
const TICK: Duration = Duration::from_secs(1);
/// Number of round trips of a measurement; the shortest counts.
const ROUND_TRIPS: usize = 3;

/// Clock that tells the right time.
pub(crate) enum Reference {
    /// The database is a file of this machine.
    Machine,
    Database(Arc<ColdStore>),
}

/// Keeps a [`ServerClock`] right, and knows whether the time can be relied on.
pub(crate) struct ClockMonitor {
    clock: Arc<ServerClock>,
    machine: Arc<dyn Clock>,
    reference: Reference,
    state: Mutex<ClockState>,
}

impl ClockMonitor {
    /// Call [`measure`](Self::measure) before the clock is used.
    pub(crate) fn new(clock: Arc<ServerClock>, reference: Reference) -> Self {
        let machine = Arc::new(SystemClock);
        let now = Reading {
            machine: machine.now().as_millis(),
            monotonic: clock.elapsed(),
        };
        let has_reference = matches!(reference, Reference::Database(_));
        Self {
            clock,
            machine,
            reference,
            state: Mutex::new(ClockState::new(now, has_reference)),
        }
    }

    fn reading(&self) -> Reading {
        Reading {
            machine: self.machine.now().as_millis(),
            monotonic: self.clock.elapsed(),
        }
    }

    /// Compares the clocks and corrects the server's time.
    ///
    /// # Errors
    /// Returns an error if the database's clock cannot be read.
    pub(crate) async fn measure(&self) -> Result<(), RepositoryError> {
        lock(&self.state).attempt(self.clock.elapsed());
        let Some((measurement, middle)) = self.shortest_round_trip().await? else {
            return Ok(());
        };
        // First, because a time that is set back or ahead must find the state that forbids work.
        lock(&self.state).measured(measurement, self.clock.elapsed());
        if measurement.corrects(self.clock.at(middle)) {
            self.clock.set(measurement.reference, middle);
        }
        Ok(())
    }

    /// Also returns the monotonic time at the middle of the round trip.
    async fn shortest_round_trip(
        &self,
    ) -> Result<Option<(Measurement, Duration)>, RepositoryError> {
        let mut shortest: Option<(Measurement, Duration)> = None;
        for _ in 0..ROUND_TRIPS {
            let begin = self.reading();
            let reference = match &self.reference {
                Reference::Machine => None,
                Reference::Database(database) => database.clock().await?,
            };
            let end = self.reading();
            let round_trip = end.monotonic.saturating_sub(begin.monotonic);
            let machine = begin.machine + (end.machine - begin.machine) / 2;
            let measurement = Measurement {
                machine,
                reference: reference.map_or(machine, |reference| reference.as_millis()),
                round_trip,
            };
            if shortest.is_none_or(|(known, _)| round_trip < known.round_trip) {
                shortest = Some((measurement, begin.monotonic + round_trip / 2));
            }
            if reference.is_none() {
                break;
            }
        }
        Ok(shortest)
    }

    /// Reads the clocks each second, and measures when it is due. Never returns.
    pub(crate) async fn watch(self: Arc<Self>) {
        let mut before = None;
        loop {
            let now = self.reading();
            let jump = lock(&self.state).read(now);
            if let Some(jump) = jump {
                self.report_jump(jump);
            }
            let is_due = matches!(self.reference, Reference::Machine)
                || lock(&self.state).is_measurement_due(now.monotonic);
            if is_due && let Err(error) = self.measure().await {
                let error: &dyn std::error::Error = &error;
                tracing::debug!(error, "the database's clock was not read");
            }
            let verdict = self.verdict();
            if before.is_none_or(|before| kind(before) != kind(verdict)) {
                report(before, verdict);
            }
            before = Some(verdict);
            tokio::time::sleep(TICK).await;
        }
    }

    fn verdict(&self) -> Verdict {
        lock(&self.state).verdict(self.clock.elapsed())
    }

    fn report_jump(&self, jump: i64) {
        let then = match &self.reference {
            Reference::Database(_) => {
                "it is compared with the database's before due orders are moved and webhooks sent"
            }
            Reference::Machine if jump.abs() >= REFUSED => {
                "due orders and webhooks wait for a minute, then follow it"
            }
            Reference::Machine => "due orders and webhooks follow it",
        };
        tracing::warn!(
            jump_ms = jump,
            "the machine's clock {}: the machine was suspended, or its clock was set; {then}; check its time service",
            jumped(jump)
        );
    }

    /// Returns whether work that depends on the time may be done: moving due orders, sending
    /// webhooks, claiming tasks.
    pub(crate) fn permits_work(&self) -> bool {
        let now = self.reading();
        lock(&self.state).permits_work(now)
    }

    /// Returns why the server is not ready, if its clock is wrong.
    pub(crate) fn problem(&self) -> Option<String> {
        match self.verdict() {
            Verdict::Refused(skew) => Some(text(skew)),
            _ => None,
        }
    }

    /// Returns warnings to operators about the clock.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let recent = lock(&self.state).recent_jump(self.clock.elapsed());
        let verdict = match self.verdict() {
            Verdict::Right => None,
            Verdict::Warned(skew) | Verdict::Refused(skew) => Some(text(skew)),
            Verdict::Unknown => Some(UNKNOWN.to_owned()),
        };
        let jump = recent.map(|jump| {
            format!(
                "the machine's clock {} in the last 10 minutes",
                jumped(jump)
            )
        });
        verdict.into_iter().chain(jump).collect()
    }
}

const UNKNOWN: &str = "the machine's clock was not compared with the database's in the last minutes: due orders, \
    webhooks and tasks wait until the database responds";

fn kind(verdict: Verdict) -> std::mem::Discriminant<Verdict> {
    std::mem::discriminant(&verdict)
}

fn report(before: Option<Verdict>, verdict: Verdict) {
    match verdict {
        Verdict::Right if before.is_none() => {}
        Verdict::Right => tracing::info!("the machine's clock agrees with the database's again"),
        Verdict::Warned(skew) | Verdict::Refused(skew) => {
            tracing::warn!(skew_ms = skew, "{}", text(skew));
        }
        Verdict::Unknown => tracing::warn!("{UNKNOWN}"),
    }
}

fn text(skew: i64) -> String {
    let way = if skew > 0 { "ahead of" } else { "behind" };
    let seconds = seconds(skew);
    let then = if skew.unsigned_abs() < REFUSED.unsigned_abs() {
        "the service uses the database's, but certificates and log lines use this one"
    } else {
        "until it is right, this server is not ready, moves no due orders and sends no webhooks"
    };
    format!(
        "the machine's clock is {seconds} s {way} the database's; {then}: check the time services of both machines, \
         for example with timedatectl"
    )
}

fn jumped(jump: i64) -> String {
    let way = if jump > 0 { "forward" } else { "back" };
    format!("jumped {way} by {} s", seconds(jump))
}

/// Formats milliseconds as seconds with one decimal, without sign.
fn seconds(millis: i64) -> String {
    let tenths = (millis.unsigned_abs() + 50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_how_far_which_way_and_what_follows() {
        assert!(
            text(612_340)
                .starts_with("the machine's clock is 612.3 s ahead of the database's; until")
        );
        assert!(
            text(-2_000)
                .starts_with("the machine's clock is 2.0 s behind the database's; the service")
        );
        assert_eq!(jumped(-600_049), "jumped back by 600.0 s");
    }

    #[actix_web::test]
    async fn a_machine_with_its_own_database_is_always_right() {
        let clock = Arc::new(ServerClock::new());
        let monitor = ClockMonitor::new(clock.clone(), Reference::Machine);
        assert!(!monitor.permits_work(), "before the first measurement");
        monitor.measure().await.unwrap();
        assert!(monitor.permits_work());
        assert_eq!((monitor.problem(), monitor.warnings()), (None, Vec::new()));
        let difference = clock.now().millis_since(SystemClock.now());
        assert!(difference.abs() < 1_000, "{difference}");
    }
}

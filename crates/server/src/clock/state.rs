//! Decides what may be done at the time that the clocks tell. Pure: times are arguments.

use std::time::Duration;

use super::measurement::Measurement;

/// Milliseconds from which operators are warned.
const WARNED: i64 = 2_000;
/// Milliseconds from which the server is not ready, and does nothing that depends on the time.
pub(super) const REFUSED: i64 = 30_000;
/// Milliseconds by which the machine's and the monotonic clock move apart if one of them jumps:
/// time services change the speed by far less.
const JUMP: i64 = 1_000;
/// Interval between measurements.
const INTERVAL: Duration = Duration::from_secs(60);
/// Interval between measurements while the clock is wrong or its measurement fails.
const SOON: Duration = Duration::from_secs(2);
/// Maximum age of a trusted measurement.
const TRUSTED: Duration = Duration::from_secs(300);
/// Time after a large jump without a second clock, for which nothing moves: who sets a clock by
/// mistake sets it back.
const PAUSE: Duration = Duration::from_secs(60);
/// Time for which a jump is shown.
const JUMP_DISPLAY_TIME: Duration = Duration::from_secs(600);

/// Readings of the two clocks of the machine at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    /// Unix milliseconds.
    pub(super) machine: i64,
    /// Since the start of the server.
    pub(super) monotonic: Duration,
}

/// Result of the latest measurement of the machine's clock. The numbers are milliseconds by which
/// it is ahead of the database's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Not measured yet, or too long ago, or before a jump.
    Unknown,
    Right,
    Warned(i64),
    Refused(i64),
}

#[derive(Debug)]
pub(super) struct ClockState {
    last: Reading,
    measured: Option<(Measurement, Duration)>,
    attempted: Option<Duration>,
    /// The latest jump in milliseconds, and when it was found.
    jump: Option<(i64, Duration)>,
    /// True if the database has a clock of its own.
    has_reference: bool,
}

impl ClockState {
    pub(super) fn new(now: Reading, has_reference: bool) -> Self {
        Self {
            last: now,
            measured: None,
            attempted: None,
            jump: None,
            has_reference,
        }
    }

    /// Takes a reading, at least once a second. Returns a jump since the last reading, in
    /// milliseconds: forward if the machine was suspended or its clock was set forward.
    pub(super) fn read(&mut self, now: Reading) -> Option<i64> {
        let jump = self.moved_apart(now);
        self.last = now;
        let jump = jump?;
        self.jump = Some((jump, now.monotonic));
        if self.has_reference {
            self.measured = None;
            self.attempted = None;
        }
        Some(jump)
    }

    fn moved_apart(&self, now: Reading) -> Option<i64> {
        let machine = now.machine.saturating_sub(self.last.machine);
        let monotonic = now.monotonic.saturating_sub(self.last.monotonic);
        let apart =
            machine.saturating_sub(i64::try_from(monotonic.as_millis()).unwrap_or(i64::MAX));
        (apart.abs() >= JUMP).then_some(apart)
    }

    /// Returns whether the clocks should be compared now.
    pub(super) fn is_measurement_due(&self, now: Duration) -> bool {
        let interval = match self.verdict(now) {
            Verdict::Right => INTERVAL,
            _ => SOON,
        };
        self.attempted
            .is_none_or(|attempted| now.saturating_sub(attempted) >= interval)
    }

    pub(super) fn attempt(&mut self, now: Duration) {
        self.attempted = Some(now);
    }

    pub(super) fn measured(&mut self, measurement: Measurement, now: Duration) {
        self.measured = Some((measurement, now));
    }

    pub(super) fn verdict(&self, now: Duration) -> Verdict {
        let recent = self
            .measured
            .filter(|(_, at)| now.saturating_sub(*at) <= TRUSTED);
        let Some((measurement, _)) = recent else {
            return Verdict::Unknown;
        };
        match measurement.certain_difference() {
            REFUSED.. => Verdict::Refused(measurement.skew()),
            WARNED.. => Verdict::Warned(measurement.skew()),
            _ => Verdict::Right,
        }
    }

    /// Returns whether work that depends on the time may be done. A jump that
    /// [`read`](Self::read) has not seen yet counts, too.
    pub(super) fn permits_work(&self, now: Reading) -> bool {
        let is_paused = |(jump, at): (i64, Duration)| {
            !self.has_reference && jump.abs() >= REFUSED && now.monotonic.saturating_sub(at) < PAUSE
        };
        let is_known = matches!(
            self.verdict(now.monotonic),
            Verdict::Right | Verdict::Warned(_)
        );
        is_known && self.moved_apart(now).is_none() && !self.jump.is_some_and(is_paused)
    }

    /// Returns the milliseconds of a recent jump, to show to operators.
    pub(super) fn recent_jump(&self, now: Duration) -> Option<i64> {
        self.jump
            .filter(|(_, at)| now.saturating_sub(*at) < JUMP_DISPLAY_TIME)
            .map(|(jump, _)| jump)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(machine: i64, seconds: u64) -> Reading {
        Reading {
            machine,
            monotonic: Duration::from_secs(seconds),
        }
    }

    fn skewed(skew: i64) -> Measurement {
        Measurement {
            machine: 1_000_000 + skew,
            reference: 1_000_000,
            round_trip: Duration::from_millis(2),
        }
    }

    fn with(skew: i64) -> ClockState {
        let mut state = ClockState::new(at(0, 0), true);
        state.measured(skewed(skew), Duration::ZERO);
        state
    }

    #[test]
    fn a_difference_is_warned_about_from_2_s_and_refused_from_30_s() {
        for (skew, verdict, works) in [
            (0, Verdict::Right, true),
            (1_999, Verdict::Right, true),
            (-1_999, Verdict::Right, true),
            (2_001, Verdict::Warned(2_001), true),
            (-2_001, Verdict::Warned(-2_001), true),
            (29_999, Verdict::Warned(29_999), true),
            (30_001, Verdict::Refused(30_001), false),
            (-30_001, Verdict::Refused(-30_001), false),
            (600_000, Verdict::Refused(600_000), false),
        ] {
            let state = with(skew);
            assert_eq!(state.verdict(Duration::ZERO), verdict, "{skew}");
            assert_eq!(state.permits_work(at(0, 0)), works, "{skew}");
        }
    }

    #[test]
    fn a_measurement_is_trusted_for_five_minutes() {
        let state = with(0);
        assert!(state.permits_work(at(300_000, 300)));
        assert_eq!(state.verdict(Duration::from_secs(301)), Verdict::Unknown);
        assert!(!state.permits_work(at(301_000, 301)));
        assert!(!ClockState::new(at(0, 0), true).permits_work(at(0, 0)));
    }

    #[test]
    fn the_clocks_are_compared_each_minute_and_sooner_if_one_is_wrong() {
        let due =
            |state: &ClockState, seconds| state.is_measurement_due(Duration::from_secs(seconds));
        let mut state = ClockState::new(at(0, 0), true);
        assert!(due(&state, 0));
        state.attempt(Duration::ZERO);
        assert!(
            !due(&state, 1) && due(&state, 2),
            "the first attempt failed"
        );
        state.measured(skewed(0), Duration::ZERO);
        assert!(!due(&state, 59) && due(&state, 60));
        state.measured(skewed(40_000), Duration::ZERO);
        assert!(due(&state, 2));
    }

    #[test]
    fn nothing_moves_between_a_jump_and_the_next_measurement() {
        for jump in [600_000, -600_000, 1_000, -1_000] {
            let mut state = with(0);
            let now = at(10_000 + jump, 10);
            assert!(!state.permits_work(now), "before the monitor has seen it");
            assert_eq!(state.read(now), Some(jump));
            assert!(!state.permits_work(now), "{jump}");
            assert!(state.is_measurement_due(now.monotonic));
            state.measured(skewed(0), now.monotonic);
            assert!(state.permits_work(now), "{jump}");
            assert_eq!(state.recent_jump(Duration::from_secs(609)), Some(jump));
            assert_eq!(state.recent_jump(Duration::from_secs(610)), None);
        }
        let mut state = with(0);
        assert_eq!(
            state.read(at(10_400, 10)),
            None,
            "a time service corrects it"
        );
        assert!(state.permits_work(at(10_400, 10)));
    }

    #[test]
    fn without_a_second_clock_a_large_jump_pauses_work_for_a_minute() {
        let mut state = ClockState::new(at(0, 0), false);
        state.measured(skewed(0), Duration::ZERO);
        state.read(at(601_000, 1));
        state.measured(skewed(0), Duration::from_secs(1));
        assert!(!state.permits_work(at(660_000, 60)));
        assert!(state.permits_work(at(661_000, 61)));
        state.read(at(666_000, 61));
        state.measured(skewed(0), Duration::from_secs(61));
        assert!(state.permits_work(at(666_000, 61)), "a small one does not");
    }
}

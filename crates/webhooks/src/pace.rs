//! Pacing of deliveries: while many writes of requests wait for the database, fewer events are
//! sent.

use std::sync::Mutex;
use std::time::Duration;

use pressline_kit::lock;
use tokio::time::Instant;

/// Minimum average number of waiting writes at which the database counts as busy.
const MANY: f64 = 8.0;
/// Minimum period for measuring the average number of waiting writes.
const OVER: Duration = Duration::from_millis(200);
/// Minimum time between starts of event batches of all subscriptions, while the database is busy.
/// To send and record a batch of eight events takes about 1.5 ms of CPU time.
const APART: Duration = Duration::from_millis(25);

/// Limits the rate of event batches while the database is busy with the writes of requests.
pub struct Pace {
    waited: Box<dyn Fn() -> Duration + Send + Sync>,
    state: Mutex<State>,
}

struct State {
    at: Instant,
    waited: Duration,
    gives_way: bool,
    next: Instant,
}

impl Pace {
    /// Creates a limit that applies while many writes of requests wait for the database. `waited`
    /// returns the total waiting time of all these writes since the process started.
    pub fn beside(waited: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        let now = Instant::now();
        let state = Mutex::new(State {
            at: now,
            waited: waited(),
            gives_way: false,
            next: now,
        });
        Self {
            waited: Box::new(waited),
            state,
        }
    }

    pub(crate) async fn next(&self) {
        if let Some(next) = self.deliver() {
            tokio::time::sleep_until(next).await;
        }
    }

    /// Returns and reserves the earliest time for the next batch; `None` if it may be sent now.
    fn deliver(&self) -> Option<Instant> {
        let mut state = lock(&self.state);
        let now = Instant::now();
        let passed = now.duration_since(state.at);
        if passed >= OVER {
            let waited = (self.waited)();
            // Average number of waiting writes: their total waiting time divided by the elapsed
            // time.
            let waiting = waited.saturating_sub(state.waited).as_secs_f64() / passed.as_secs_f64();
            state.gives_way = waiting >= MANY;
            (state.at, state.waited) = (now, waited);
        }
        if !state.gives_way {
            return None;
        }
        state.next = state.next.max(now) + APART;
        Some(state.next)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Sends batches for a second while `writes` writes wait, and returns the number of sent
    /// batches.
    async fn batches(pace: &Pace, waited: &AtomicU64, writes: u64) -> usize {
        let begin = Instant::now();
        let mut sent = 0;
        while begin.elapsed() < Duration::from_secs(1) {
            let before = Instant::now();
            pace.next().await;
            sent += 1;
            // Duration of sending a batch.
            tokio::time::sleep(Duration::from_millis(5)).await;
            let passed = u64::try_from(before.elapsed().as_millis()).unwrap();
            waited.fetch_add(writes * passed, Ordering::Relaxed);
        }
        sent
    }

    #[tokio::test(start_paused = true)]
    async fn batches_are_spaced_while_many_writes_wait() {
        let waited = Arc::new(AtomicU64::new(0));
        let read = waited.clone();
        let pace = Pace::beside(move || Duration::from_millis(read.load(Ordering::Relaxed)));
        assert_eq!(batches(&pace, &waited, 0).await, 200);
        assert_eq!(batches(&pace, &waited, 7).await, 200);
        batches(&pace, &waited, 30).await;
        let sent = batches(&pace, &waited, 30).await;
        assert!((30..=41).contains(&sent), "{sent}");
        batches(&pace, &waited, 0).await;
        assert_eq!(batches(&pace, &waited, 0).await, 200);
    }

    #[tokio::test(start_paused = true)]
    async fn a_batch_does_not_wait_while_the_writes_are_quick() {
        let begin = Instant::now();
        let pace = Pace::beside(move || begin.elapsed() * 7);
        tokio::time::sleep(OVER * 5).await;
        let begin = Instant::now();
        for _ in 0..100 {
            pace.next().await;
        }
        assert_eq!(begin.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn the_pace_gives_way_as_soon_as_eight_writes_wait_on_average() {
        let begin = Instant::now();
        let pace = Pace::beside(move || begin.elapsed() * 8);
        assert!(pace.deliver().is_none(), "the average is taken over a time");
        tokio::time::sleep(OVER).await;
        let first = pace.deliver().unwrap();
        assert_eq!(first, Instant::now() + APART);
        assert_eq!(pace.deliver().unwrap(), first + APART);
    }

    #[tokio::test(start_paused = true)]
    async fn the_waiting_time_of_writes_is_read_at_most_five_times_a_second() {
        let reads = Arc::new(AtomicU64::new(0));
        let counted = reads.clone();
        let pace = Pace::beside(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Duration::ZERO
        });
        for _ in 0..1000 {
            pace.next().await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let reads = reads.load(Ordering::Relaxed);
        assert!((2..=6).contains(&reads), "{reads}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_pace_that_was_not_used_owes_no_batches() {
        let begin = Instant::now();
        let pace = Pace::beside(move || begin.elapsed() * 30);
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(pace.deliver().unwrap(), Instant::now() + APART);
    }

    #[tokio::test(start_paused = true)]
    async fn all_subscriptions_share_the_pace() {
        let begin = Instant::now();
        let pace = Pace::beside(move || begin.elapsed() * 30);
        tokio::time::sleep(OVER).await;
        let subscription = async || {
            for _ in 0..10 {
                pace.next().await;
            }
        };
        let begin = Instant::now();
        futures_util::future::join_all((0..8).map(|_| subscription())).await;
        let passed = begin.elapsed();
        assert!(passed >= APART * 79, "{passed:?}");
    }
}

//! Write shards that write in groups, with a scripted in-memory writer.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is amiss"
)]

mod background;
mod bounds;
mod failures;
mod queues;
mod shards;
mod slots;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{GroupConfig, GroupJob, GroupWriter, Weight, WriteLimits, WriteShards};
use tokio::task::JoinSet;

const LIMITS: WriteLimits = WriteLimits {
    queue: 64,
    queue_of_store: 64,
    backlog: Duration::from_secs(20),
    group: 8,
    group_weight: Weight::GROUP,
};
const CONFIG: GroupConfig = with_limits(LIMITS);

const fn with_limits(limits: WriteLimits) -> GroupConfig {
    GroupConfig {
        limits,
        shared_weight: Weight::SHARED,
        wait: Duration::from_secs(20),
        patience: Duration::from_secs(30),
    }
}

type Outcome<T> = Result<T, RepositoryError>;

/// A writer that stores jobs named `ok…`; other names say how they fail.
struct Scripted {
    /// Each attempt waits for a message, or until the sender is dropped.
    gate: Receiver<()>,
    /// Jobs of each attempted group; `reset` for a reset.
    attempts: Arc<Mutex<Vec<Vec<String>>>>,
    /// Whether each store's jobs are written separately.
    separates: bool,
}

/// A job by its name.
struct Job(String);

impl From<&str> for Job {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl GroupJob for Job {
    type Store = String;

    fn store(&self) -> String {
        self.0.split('/').next().unwrap().to_owned()
    }

    fn is_background(&self) -> bool {
        is_background(&self.0)
    }

    /// `s/ok/100` has 100 items; a job without a number has a single item.
    fn weight(&self) -> Weight {
        let items = self
            .0
            .split('/')
            .nth(2)
            .map_or(1, |items| items.parse().unwrap());
        Weight {
            items,
            bytes: 1000 * items,
        }
    }
}

impl GroupWriter for Scripted {
    type Job = Job;
    type Output = String;

    fn write(&mut self, jobs: &mut [Job], _: Instant) -> Outcome<Vec<Outcome<String>>> {
        let jobs: Vec<String> = jobs.iter().map(|Job(name)| name.clone()).collect();
        self.attempts.lock().unwrap().push(jobs.clone());
        // An error means that the sender was dropped.
        let _ = self.gate.recv();
        for job in &jobs {
            match job.split('/').nth(1).unwrap() {
                "refused" => return Err(RepositoryError::Refused("poison".into())),
                "locked" => return Err(RepositoryError::Timeout("locked".into())),
                "gone" => return Err(RepositoryError::Unavailable("gone".into())),
                "panic" => panic!("as the test wants it"),
                _ => {}
            }
        }
        Ok(jobs
            .iter()
            .map(|job| match job.contains("twice") {
                true => Err(RepositoryError::Duplicate("an order")),
                false => Ok(job.clone()),
            })
            .collect())
    }

    fn separates_stores(&mut self) -> bool {
        self.separates
    }

    fn reset(&mut self) {
        self.attempts.lock().unwrap().push(vec!["reset".to_owned()]);
    }
}

/// `s/background…` is a job that no request waits for.
fn is_background(job: &str) -> bool {
    job.contains("background")
}

/// The field order matters: `gate` must be dropped before `group`, because `group` waits for the
/// writer.
struct Fixture {
    gate: Sender<()>,
    group: Arc<WriteShards<Scripted>>,
    attempts: Arc<Mutex<Vec<Vec<String>>>>,
}

impl Fixture {
    fn new(config: GroupConfig) -> Self {
        Self::with(config, false)
    }

    fn with(config: GroupConfig, separates: bool) -> Self {
        let (gate, waits) = channel();
        let attempts = Arc::default();
        let writer = Scripted {
            gate: waits,
            attempts: Arc::clone(&attempts),
            separates,
        };
        Self {
            group: Arc::new(WriteShards::start(config, [writer]).unwrap()),
            gate,
            attempts,
        }
    }

    /// Starts a job that keeps the writer busy until the gate opens, and queues `jobs` behind it.
    async fn busy(&self, jobs: &[&str]) -> JoinSet<(String, Outcome<String>)> {
        let mut calls = JoinSet::new();
        self.hand_in(&mut calls, "s/first");
        until(|| self.attempts().len() == 1).await;
        self.queue(&mut calls, jobs).await;
        calls
    }

    /// Queues `jobs` behind the job of [`Self::busy`].
    async fn busy_behind(&self, jobs: &[&str]) -> JoinSet<(String, Outcome<String>)> {
        let mut calls = JoinSet::new();
        self.queue(&mut calls, jobs).await;
        calls
    }

    async fn queue(&self, calls: &mut JoinSet<(String, Outcome<String>)>, jobs: &[&str]) {
        for (place, job) in jobs.iter().enumerate() {
            self.hand_in(calls, job);
            until(|| self.group.metrics().waiting == place + 1).await;
        }
    }

    fn hand_in(&self, calls: &mut JoinSet<(String, Outcome<String>)>, job: &str) {
        let (group, job) = (Arc::clone(&self.group), job.to_owned());
        calls.spawn(async move { (job.clone(), group.write(Job(job)).await) });
    }

    fn attempts(&self) -> Vec<Vec<String>> {
        self.attempts.lock().unwrap().clone()
    }
}

async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::task::yield_now().await;
    }
}

/// Each job with its result, such as `stored` or `refused`, sorted by name.
async fn outcomes(calls: JoinSet<(String, Outcome<String>)>) -> Vec<(String, &'static str)> {
    let mut outcomes: Vec<_> = calls
        .join_all()
        .await
        .into_iter()
        .map(|(job, outcome)| {
            let outcome = match outcome {
                Ok(done) if done == job => "stored",
                Ok(_) => "another job's result",
                Err(RepositoryError::Duplicate(_)) => "duplicate",
                Err(RepositoryError::Refused(_)) => "refused",
                Err(RepositoryError::Timeout(_)) => "timeout",
                Err(RepositoryError::Unavailable(_)) => "unavailable",
                Err(_) => "another error",
            };
            (job, outcome)
        })
        .collect();
    outcomes.sort();
    outcomes
}

async fn assert_all_stored(calls: JoinSet<(String, Outcome<String>)>) {
    let outcomes = outcomes(calls).await;
    let stored = outcomes.iter().all(|(_, outcome)| *outcome == "stored");
    assert!(stored, "{outcomes:?}");
}

fn expected(pairs: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
    let mut pairs: Vec<_> = pairs
        .iter()
        .map(|(job, outcome)| ((*job).to_owned(), *outcome))
        .collect();
    pairs.sort();
    pairs
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_jobs_are_written_together_up_to_the_limit() {
    let fixture = Fixture::new(CONFIG);
    let jobs: Vec<String> = (0..11).map(|i| format!("s/ok{i}")).collect();
    let jobs: Vec<&str> = jobs.iter().map(String::as_str).collect();
    let calls = fixture.busy(&jobs).await;
    let Fixture {
        group,
        gate,
        attempts,
    } = fixture;
    drop(gate);
    assert_all_stored(calls).await;
    let attempts = attempts.lock().unwrap().clone();
    assert_eq!(attempts[1..], [&jobs[..8], &jobs[8..]]);
    let metrics = group.metrics();
    assert_eq!((metrics.groups, metrics.written), (3, 12));
    assert_eq!((metrics.waiting, metrics.written_alone), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_job_does_not_affect_other_jobs() {
    for bad in ["refused", "panic"] {
        let fixture = Fixture::new(CONFIG);
        let bad = format!("s/{bad}");
        let calls = fixture.busy(&["s/ok1", "s/twice", &bad, "t/ok2"]).await;
        let Fixture { group, gate, .. } = fixture;
        drop(gate);
        let wanted = [
            ("s/first", "stored"),
            ("s/ok1", "stored"),
            ("s/twice", "duplicate"),
            ("t/ok2", "stored"),
        ];
        let wanted = expected(&[&wanted[..], &[(&bad, "refused")]].concat());
        assert_eq!(outcomes(calls).await, wanted);
        assert_eq!(group.metrics().written_alone, 4);
        // The writer still works.
        assert_eq!(group.write("s/next".into()).await.unwrap(), "s/next");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_store_is_tried_once_and_does_not_affect_others() {
    let fixture = Fixture::new(CONFIG);
    let calls = fixture.busy(&["s/locked", "s/ok1", "t/ok", "s/ok2"]).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    let wanted = [
        ("s/first", "stored"),
        ("s/locked", "timeout"),
        ("s/ok1", "timeout"),
        ("s/ok2", "timeout"),
        ("t/ok", "stored"),
    ];
    assert_eq!(outcomes(calls).await, expected(&wanted));
    assert_eq!(attempts.lock().unwrap()[2..], [["s/locked"], ["t/ok"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_database_is_not_tried_for_each_job() {
    let fixture = Fixture::new(CONFIG);
    let calls = fixture.busy(&["s/ok", "s/gone", "t/ok"]).await;
    let Fixture { gate, attempts, .. } = fixture;
    drop(gate);
    let wanted = [
        ("s/first", "stored"),
        ("s/gone", "unavailable"),
        ("s/ok", "unavailable"),
        ("t/ok", "unavailable"),
    ];
    assert_eq!(outcomes(calls).await, expected(&wanted));
    assert_eq!(attempts.lock().unwrap().len(), 2);
}

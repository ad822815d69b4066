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

/// At most `queue` waiting jobs, and at most `queue_of_store` of a single store.
const fn with_queues(queue: usize, queue_of_store: usize) -> GroupConfig {
    with_limits(WriteLimits {
        queue,
        queue_of_store,
        ..LIMITS
    })
}

/// Groups of `group` jobs, and a shard that is overloaded after `backlog`.
const fn with_backlog(group: usize, backlog: Duration) -> GroupConfig {
    with_limits(WriteLimits {
        group,
        backlog,
        ..LIMITS
    })
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

type Calls = JoinSet<(String, Outcome<String>)>;

/// The field order matters: `gate` must be dropped before `group`, because `group` waits for the
/// writer.
struct Fixture {
    /// `None` once the gate is open.
    gate: Option<Sender<()>>,
    group: Arc<WriteShards<Scripted>>,
    attempts: Arc<Mutex<Vec<Vec<String>>>>,
}

impl Fixture {
    fn new(config: GroupConfig) -> Self {
        Self::with(config, false)
    }

    /// A fixture whose gate is open from the start.
    fn open() -> Self {
        let mut fixture = Self::new(CONFIG);
        fixture.open_gate();
        fixture
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
            gate: Some(gate),
            attempts,
        }
    }

    /// Starts a job that keeps the writer busy until the gate opens, and queues `jobs` behind it.
    async fn busy<J: AsRef<str>>(&self, jobs: &[J]) -> Calls {
        let mut calls = self.busy_alone().await;
        self.queue(&mut calls, jobs).await;
        calls
    }

    /// Starts a job that keeps the writer busy until the gate opens.
    async fn busy_alone(&self) -> Calls {
        let mut calls = JoinSet::new();
        self.hand_in(&mut calls, "s/first");
        until(|| self.attempts().len() == 1).await;
        calls
    }

    /// Queues `jobs` behind the job of [`Self::busy_alone`].
    async fn busy_behind(&self, jobs: &[&str]) -> Calls {
        let mut calls = JoinSet::new();
        self.queue(&mut calls, jobs).await;
        calls
    }

    async fn queue<J: AsRef<str>>(&self, calls: &mut Calls, jobs: &[J]) {
        for (place, job) in jobs.iter().enumerate() {
            self.hand_in(calls, job.as_ref());
            self.until_waiting(place + 1).await;
        }
    }

    fn hand_in(&self, calls: &mut Calls, job: &str) {
        let (group, job) = (Arc::clone(&self.group), job.to_owned());
        calls.spawn(async move { (job.clone(), group.write(Job(job)).await) });
    }

    async fn until_waiting(&self, jobs: usize) {
        until(|| self.group.metrics().waiting == jobs).await;
    }

    async fn write(&self, job: &str) -> Outcome<String> {
        self.group.write(job.into()).await
    }

    /// Lets the writer make a single attempt.
    fn step(&self) {
        self.gate.as_ref().unwrap().send(()).unwrap();
    }

    /// Lets the writer make all further attempts.
    fn open_gate(&mut self) {
        self.gate = None;
    }

    /// Opens the gate, and asserts that all `calls` are stored. Returns all attempts.
    async fn store_all(&mut self, calls: Calls) -> Vec<Vec<String>> {
        self.open_gate();
        assert_all_stored(calls).await;
        self.attempts()
    }

    async fn assert_writes_next(&self) {
        assert_eq!(self.write("s/next").await.unwrap(), "s/next");
    }

    fn attempts(&self) -> Vec<Vec<String>> {
        self.attempts.lock().unwrap().clone()
    }
}

/// Groups that the writer gets if `jobs` wait behind another job.
async fn groups_of<J: AsRef<str>>(config: GroupConfig, jobs: &[J]) -> Vec<Vec<String>> {
    let mut fixture = Fixture::new(config);
    let calls = fixture.busy(jobs).await;
    let attempts = fixture.store_all(calls).await;
    assert_eq!(attempts[0], ["s/first"]);
    attempts[1..].to_vec()
}

async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::task::yield_now().await;
    }
}

/// Each job with its result, such as `stored` or `refused`, sorted by name.
async fn outcomes(calls: Calls) -> Vec<(String, &'static str)> {
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

async fn assert_all_stored(calls: Calls) {
    let outcomes = outcomes(calls).await;
    let stored = outcomes.iter().all(|(_, outcome)| *outcome == "stored");
    assert!(stored, "{outcomes:?}");
}

/// Returns the text of an outcome that must be `Unavailable`.
#[track_caller]
fn refusal<T: std::fmt::Debug>(outcome: Outcome<T>) -> String {
    match outcome {
        Err(RepositoryError::Unavailable(source)) => source.to_string(),
        other => panic!("not refused: {other:?}"),
    }
}

/// Names of `count` jobs with the prefix `name`.
fn jobs(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{name}{number}")).collect()
}

fn expected(pairs: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
    let mut pairs: Vec<_> = pairs
        .iter()
        .map(|(job, outcome)| ((*job).to_owned(), *outcome))
        .collect();
    pairs.sort();
    pairs
}

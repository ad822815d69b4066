//! Several write shards: jobs that wait for each other, and shared limits.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{
    GroupConfig, ProbeResult, ProbeSize, WriteLimits, WriteShards, shard_of,
};

use crate::{
    CONFIG, Fixture, Job, LIMITS, Scripted, expected, outcomes, refusal, until, with_limits,
};

struct TwoShards {
    gates: [Sender<()>; 2],
    shards: Arc<WriteShards<Scripted>>,
}

impl TwoShards {
    fn new(config: GroupConfig) -> Self {
        let ((first, waits_first), (second, waits_second)) = (channel(), channel());
        let writer = |gate: Receiver<()>| Scripted {
            gate,
            attempts: Arc::default(),
            separates: false,
        };
        let writers = [writer(waits_first), writer(waits_second)];
        Self {
            gates: [first, second],
            shards: Arc::new(WriteShards::start(config, writers).unwrap()),
        }
    }

    /// Starts a job that keeps its write shard busy until the gate opens.
    async fn busy(&self, store: &str) -> tokio::task::JoinHandle<Result<String, RepositoryError>> {
        let groups = self.shards.metrics().groups;
        let call = self.spawn(format!("{store}/first"));
        until(|| self.shards.metrics().groups > groups).await;
        call
    }

    fn spawn(&self, job: String) -> tokio::task::JoinHandle<Result<String, RepositoryError>> {
        let shards = Arc::clone(&self.shards);
        tokio::spawn(async move { shards.write(Job(job)).await })
    }
}

fn store_of(shard: usize) -> String {
    let mut stores = (0..).map(|number| format!("store-{number}"));
    stores.find(|store| shard_of(store, 2) == shard).unwrap()
}

#[test]
fn stores_are_spread_over_the_shards() {
    let mut counts = [0; 4];
    for number in 0..1000 {
        counts[shard_of(&format!("store-{number}"), 4)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 150), "{counts:?}");
    assert_eq!(shard_of(&"store", 1), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_of_a_store_do_not_wait_for_other_shards() {
    let two = TwoShards::new(CONFIG);
    let (store, other) = (store_of(0), store_of(1));
    let first = two.busy(&store).await;
    let second = two.spawn(format!("{store}/second"));
    until(|| two.shards.metrics().waiting == 1).await;
    // The second shard writes while the first is busy.
    two.gates[1].send(()).unwrap();
    two.shards.write(Job(format!("{other}/ok"))).await.unwrap();
    assert_eq!(two.shards.metrics().waiting, 1);
    assert!(!first.is_finished() && !second.is_finished());
    let TwoShards { gates, shards } = two;
    drop(gates);
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    let metrics = shards.metrics();
    assert_eq!((metrics.groups, metrics.written), (3, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_shard_refuses_immediately_and_other_shards_do_not() {
    let two = TwoShards::new(with_limits(WriteLimits { queue: 1, ..LIMITS }));
    let (store, other) = (store_of(0), store_of(1));
    let first = two.busy(&store).await;
    let second = two.spawn(format!("{store}/second"));
    until(|| two.shards.metrics().waiting == 1).await;
    refusal(two.shards.write(Job(format!("{store}/third"))).await);
    refusal(two.shards.check_room(store.clone()));
    assert!(two.shards.check_room(other.clone()).is_ok());
    two.gates[1].send(()).unwrap();
    two.shards.write(Job(format!("{other}/ok"))).await.unwrap();
    let TwoShards { gates, shards } = two;
    drop(gates);
    assert!(first.await.unwrap().is_ok() && second.await.unwrap().is_ok());
    assert!(shards.check_room(store.clone()).is_ok());
    assert_eq!(shards.metrics().refused, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_probe_uses_the_least_busy_shard() {
    for busy in [0, 1] {
        let two = TwoShards::new(CONFIG);
        let first = two.busy(&store_of(busy)).await;
        let probe = |_: &mut Scripted, size| {
            assert_eq!(size, ProbeSize::Small);
            ProbeResult::Written
        };
        // Returns although the other shard is busy.
        two.shards.check(probe).await.unwrap();
        let TwoShards { gates, shards } = two;
        drop(gates);
        first.await.unwrap().unwrap();
        drop(shards);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dropping_the_shards_waits_for_the_groups_of_all() {
    let two = TwoShards::new(CONFIG);
    let calls = [two.busy(&store_of(0)).await, two.busy(&store_of(1)).await];
    let TwoShards { gates, shards } = two;
    // The calls also own the shards, which could otherwise not be dropped.
    for call in &calls {
        call.abort();
    }
    until(|| calls.iter().all(|call| call.is_finished())).await;
    let shards = Arc::into_inner(shards).unwrap();
    let (dropped, is_dropped) = channel();
    let dropping = tokio::task::spawn_blocking(move || {
        drop(shards);
        dropped.send(()).unwrap();
    });
    let [first, second] = gates;
    drop(first);
    assert!(is_dropped.try_recv().is_err(), "the second shard is busy");
    drop(second);
    dropping.await.unwrap();
    is_dropped.recv().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_writer_that_separates_stores_writes_a_group_store_by_store() {
    let mut fixture = Fixture::with(CONFIG, true);
    let jobs = ["a/ok1", "b/refused", "a/ok2", "c/ok3"];
    let calls = fixture.busy(&jobs).await;
    fixture.open_gate();
    let outcomes = outcomes(calls).await;
    let refused = outcomes.iter().filter(|(_, outcome)| *outcome != "stored");
    assert_eq!(
        refused.cloned().collect::<Vec<_>>(),
        expected(&[("b/refused", "refused")])
    );
    // The group's stores are written in any order, and a failed store does not affect the others.
    let mut written = fixture.attempts()[1..].to_vec();
    written.sort();
    assert_eq!(
        written,
        [vec!["a/ok1", "a/ok2"], vec!["b/refused"], vec!["c/ok3"]]
    );
}

//! Loads of a store: shared by several calls, failing, or taking too long.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use pressline_auth::StoreAuthenticator;
use pressline_domain::store::{Authenticated, Authenticator, Denied};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::authenticator::world::{Request, World};

type Verdict = Result<Authenticated, Denied>;

/// Starts `calls` concurrent calls.
fn at_once(
    authenticator: &Arc<StoreAuthenticator>,
    request: &Request,
    calls: usize,
) -> JoinSet<Verdict> {
    (0..calls)
        .map(|_| {
            let (authenticator, request) = (Arc::clone(authenticator), request.clone());
            async move { authenticator.authenticate(&request.call()).await }
        })
        .collect()
}

/// Lets every call run until it waits.
pub(crate) async fn settle() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

/// Returns the results of all calls. Fails instead of hanging if they query the directory more
/// often than the test permits.
async fn all(calls: JoinSet<Verdict>) -> Vec<Verdict> {
    timeout(Duration::from_secs(3600), calls.join_all())
        .await
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn many_calls_share_one_load() {
    let world = World::new().await;
    for round in 1..=3 {
        let gate = world.directory.finds.close();
        let calls = at_once(&world.authenticator, &world.signed(&world.key), 50);
        settle().await;
        gate.add_permits(1);
        assert!(all(calls).await.iter().all(Result::is_ok));
        assert_eq!(
            world.directory.finds.reads(),
            round,
            "also each time that the store has expired"
        );
        // The cached store expires.
        world.pass(4_000).await;
    }
}

#[tokio::test(start_paused = true)]
async fn many_calls_with_a_new_key_share_one_reload() {
    let world = World::new().await;
    world.ask(&world.signed(&world.key)).await.unwrap();
    let new = world.admin.rotate_key(world.store).await.unwrap().secret;
    world.pass(1).await;
    let gate = world.directory.finds.close();
    let calls = at_once(&world.authenticator, &world.signed(&new), 50);
    settle().await;
    gate.add_permits(1);
    assert!(all(calls).await.iter().all(Result::is_ok));
    assert_eq!(world.directory.finds.reads(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_failed_load_is_shared_but_not_cached() {
    let world = World::new().await;
    let gate = world.directory.finds.close();
    world.directory.finds.set_away(true);
    let calls = at_once(&world.authenticator, &world.signed(&world.key), 50);
    settle().await;
    gate.add_permits(1);
    for verdict in all(calls).await {
        let Err(Denied::Repository(error)) = verdict else {
            panic!("{verdict:?}")
        };
        assert!(error.is_transient(), "{error:?}");
        assert_eq!(error.source().unwrap().to_string(), "connection refused");
        assert!(error.source().unwrap().source().is_none());
    }
    assert_eq!(world.directory.finds.reads(), 1);
    world.directory.finds.set_away(false);
    gate.add_permits(1);
    world.ask(&world.signed(&world.key)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_abandoned_call_neither_stops_others_nor_causes_queries() {
    let world = World::new().await;
    let gate = world.directory.finds.close();
    let mut first = at_once(&world.authenticator, &world.signed(&world.key), 1);
    settle().await;
    let second = at_once(&world.authenticator, &world.signed(&world.key), 1);
    settle().await;
    first.shutdown().await;
    settle().await;
    gate.add_permits(1);
    assert!(all(second).await.iter().all(Result::is_ok));
    assert_eq!(
        world.directory.finds.reads(),
        2,
        "the second call took over"
    );

    world.pass(1).await;
    for _ in 0..10 {
        let mut gone = at_once(&world.authenticator, &world.signed_wrongly(), 1);
        settle().await;
        gone.shutdown().await;
    }
    assert_eq!(
        world.directory.finds.reads(),
        3,
        "one reload a second, even if no call waits for it"
    );
}

/// The result of a slow load is too old: a key may have been revoked since it was read.
#[tokio::test(start_paused = true)]
async fn a_late_response_is_not_trusted() {
    let world = World::new().await;
    let gate = world.directory.finds.close();
    let first = at_once(&world.authenticator, &world.signed(&world.key), 1);
    settle().await;
    world.pass(10_000).await;
    let second = at_once(&world.authenticator, &world.signed(&world.key), 1);
    settle().await;
    gate.add_permits(1);
    assert!(
        all(first).await.iter().all(Result::is_ok),
        "it was asked for when the call came in"
    );
    assert_eq!(
        world.directory.finds.reads(),
        2,
        "the call that came 10 s later has it asked for again"
    );
    gate.add_permits(1);
    assert!(all(second).await.iter().all(Result::is_ok));
}

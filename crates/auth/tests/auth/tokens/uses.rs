//! When the last use of a token is written.

use std::sync::atomic::Ordering::SeqCst;

use pressline_auth::TokenAuthenticator;
use pressline_backoffice::operator::{OperatorAuthenticator, OperatorDirectory, TokenUses};
use pressline_domain::value::Timestamp;
use tokio::time::advance;

use crate::tokens::world::{NOW, World};

const MINUTE: i64 = 60_000;
/// The minute in which a world begins.
const FIRST: i64 = NOW - 10_000;

/// Lets the background task write the uses.
async fn settled() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

/// Returns the written minutes of last use, in milliseconds after [`FIRST`].
fn written(world: &World) -> Vec<i64> {
    let writes = world.directory.writes.lock().unwrap();
    writes
        .iter()
        .flatten()
        .map(|(token, minute)| {
            assert_eq!(*token, world.made.token.id);
            minute.as_millis() - FIRST
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_use_is_written_once_a_minute() {
    let world = World::new().await;
    for second in 0..180 {
        world.clock.set(Timestamp::from_millis(NOW + second * 1000));
        // The operators are reloaded meanwhile.
        advance(std::time::Duration::from_secs(1)).await;
        world.call_as_ana().await.unwrap();
        settled().await;
    }
    // 180 s from 10 s after a full minute touch four minutes.
    let minutes = [0, MINUTE, 2 * MINUTE, 3 * MINUTE];
    assert_eq!(written(&world), minutes);
    let records = world.directory.list().await.unwrap();
    let noted = records.first().unwrap().tokens.first().unwrap();
    let last = Timestamp::from_millis(FIRST + 3 * MINUTE);
    assert_eq!(noted.last_used_at, Some(last));
}

#[tokio::test(start_paused = true)]
async fn a_refused_call_does_not_count_as_a_use() {
    let world = World::new().await;
    let shortened = world.made.text.expose().replace('a', "b");
    assert!(world.call(&shortened).await.is_err());
    settled().await;
    assert_eq!(written(&world), []);
}

#[tokio::test(start_paused = true)]
async fn a_read_only_directory_refuses_no_call_and_is_retried_once_a_minute() {
    let world = World::new().await;
    world.directory.read_only.store(true, SeqCst);
    for second in 0..60 {
        world.clock.set(Timestamp::from_millis(NOW + second * 1000));
        advance(std::time::Duration::from_secs(1)).await;
        world.call_as_ana().await.unwrap();
        settled().await;
    }
    assert_eq!(written(&world), [0, MINUTE]);
}

#[tokio::test(start_paused = true)]
async fn waiting_uses_are_bounded_by_the_tokens_and_written_together() {
    let world = World::new().await;
    let tokens = [world.another_token().await, world.another_token().await];
    // The writing task is not polled.
    let (authenticator, writes) =
        TokenAuthenticator::new(world.directory.clone(), world.clock.clone());
    for minute in 0..3000 {
        world
            .clock
            .set(Timestamp::from_millis(NOW + minute * MINUTE));
        for token in &tokens {
            authenticator.authenticate(token).await.unwrap();
        }
    }
    authenticator.write_uses().await;
    // The task ends when its authenticator is dropped.
    drop(authenticator);
    writes.await;
    let written = world.directory.writes.lock().unwrap();
    assert_eq!(written.iter().map(TokenUses::len).collect::<Vec<_>>(), [2]);
    let last = Timestamp::from_millis(FIRST + 2999 * MINUTE);
    assert!(
        written
            .iter()
            .flat_map(TokenUses::values)
            .all(|minute| *minute == last)
    );
}

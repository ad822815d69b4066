//! Accepted tokens, and when changes take effect.

use std::sync::Arc;
use std::time::Duration;

use pressline_backoffice::operator::{OperatorDenied, OperatorRole, SecretBytes, TokenText};
use pressline_domain::store::MAX_AGE;
use pressline_domain::value::{Timestamp, TokenId};
use tokio::time::{Instant, advance};
use uuid::Uuid;

use crate::tokens::world::{NOW, World};

fn is_refused<T>(result: &Result<T, OperatorDenied>) -> bool {
    matches!(result, Err(OperatorDenied::Token(_)))
}

#[tokio::test(start_paused = true)]
async fn a_token_names_its_operator() {
    let world = World::new().await;
    let found = world.call_as_ana().await.unwrap();
    assert_eq!(found.operator, world.made.operator);
    assert_eq!(found.operator.role, OperatorRole::Operator);
    assert_eq!(found.token, world.made.token.id);
}

#[tokio::test(start_paused = true)]
async fn invalid_tokens_are_refused() {
    let world = World::new().await;
    let right = world.made.text.expose();
    let other_secret = TokenText::new(world.made.token.id, &SecretBytes::default());
    let other_id = TokenText::new(TokenId::new(Uuid::from_u128(1)), &SecretBytes::default());
    for wrong in [
        other_secret.expose(),
        other_id.expose(),
        String::new(),
        format!("{right}0"),
        right.replace("plo_", "plsk_"),
    ] {
        assert!(is_refused(&world.call(&wrong).await), "{wrong}");
    }
    assert!(world.call(&right).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_token_expires() {
    let world = World::new().await;
    assert!(world.call_as_ana().await.is_ok());
    // The token's lifetime is an hour.
    world.clock.set(Timestamp::from_millis(NOW + 3_599_999));
    assert!(world.call_as_ana().await.is_ok());
    world.clock.set(Timestamp::from_millis(NOW + 3_600_000));
    assert!(is_refused(&world.call_as_ana().await));
}

#[tokio::test(start_paused = true)]
async fn a_revocation_takes_effect_within_five_seconds() {
    let world = World::new().await;
    assert!(world.call_as_ana().await.is_ok());
    world.admin.revoke_all("Ana").await.unwrap();
    advance(MAX_AGE).await;
    assert!(is_refused(&world.call_as_ana().await));
    assert!(MAX_AGE < Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_new_token_works_immediately() {
    let world = World::new().await;
    assert!(world.call_as_ana().await.is_ok());
    let token = world.another_token().await;
    advance(Duration::from_millis(1)).await;
    let begin = Instant::now();
    assert!(world.call(&token).await.is_ok());
    assert!(begin.elapsed() <= Duration::from_millis(100));
}

#[tokio::test(start_paused = true)]
async fn operators_are_loaded_once_for_many_calls() {
    let world = World::new().await;
    let begin = world.directory.lists.reads();
    for _ in 0..100 {
        world.call_as_ana().await.unwrap();
    }
    assert_eq!(world.directory.lists.reads(), begin + 1);
    advance(MAX_AGE).await;
    world.call_as_ana().await.unwrap();
    assert_eq!(world.directory.lists.reads(), begin + 2);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_invented_tokens_loads_ten_times_a_second() {
    let world = Arc::new(World::new().await);
    world.call_as_ana().await.unwrap();
    let begin = world.directory.lists.reads();
    let calls: Vec<_> = (0..1000)
        .map(|number: u32| {
            let world = Arc::clone(&world);
            let id = TokenId::new(Uuid::from_u128(number.into()));
            let invented = TokenText::new(id, &SecretBytes::default()).expose();
            // One call arrives every millisecond.
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(number.into())).await;
                is_refused(&world.call(&invented).await)
            })
        })
        .collect();
    for call in calls {
        assert!(call.await.unwrap());
    }
    // At most one load per 100 ms.
    let loads = world.directory.lists.reads() - begin;
    assert!((10..=12).contains(&loads), "{loads} loads in a second");
}

#[tokio::test(start_paused = true)]
async fn concurrent_calls_share_a_load() {
    let world = Arc::new(World::new().await);
    let begin = world.directory.lists.reads();
    let gate = world.directory.lists.close();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let world = Arc::clone(&world);
            tokio::spawn(async move { world.call_as_ana().await.is_ok() })
        })
        .collect();
    // All calls wait for the same load.
    tokio::task::yield_now().await;
    gate.add_permits(1);
    for call in calls {
        assert!(call.await.unwrap());
    }
    assert_eq!(world.directory.lists.reads(), begin + 1);
}

#[tokio::test(start_paused = true)]
async fn calls_are_accepted_for_seconds_without_the_directory() {
    let world = World::new().await;
    assert!(world.call_as_ana().await.is_ok());
    world.directory.lists.set_away(true);
    advance(MAX_AGE / 2).await;
    assert!(world.call_as_ana().await.is_ok());
    advance(MAX_AGE / 2).await;
    let refused = world.call_as_ana().await;
    assert!(matches!(refused, Err(OperatorDenied::Repository(_))));
    world.directory.lists.set_away(false);
    // Calls that arrive after the failed load began do not share it.
    advance(Duration::from_millis(1)).await;
    assert!(world.call_as_ana().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn concurrent_calls_share_a_failure() {
    let world = Arc::new(World::new().await);
    world.directory.lists.set_away(true);
    let begin = world.directory.lists.reads();
    let gate = world.directory.lists.close();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let world = Arc::clone(&world);
            tokio::spawn(async move { world.call_as_ana().await })
        })
        .collect();
    tokio::task::yield_now().await;
    // Only one load gets a permit. Calls that did not share it would wait forever.
    gate.add_permits(1);
    for call in calls {
        let refused = call.await.unwrap();
        assert!(matches!(refused, Err(OperatorDenied::Repository(_))));
    }
    assert_eq!(world.directory.lists.reads(), begin + 1);
}

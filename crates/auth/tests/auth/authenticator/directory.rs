//! How soon changes of a store take effect, and how often the directory is queried.

use std::sync::Arc;

use pressline_auth::{MAX_UNKNOWN, SWEEP_INTERVAL};
use pressline_backoffice::store::StoreChange;
use pressline_domain::store::{Authenticator, Denied, KeyOwner, StoreDirectory};
use pressline_domain::value::StoreId;
use tokio::time::timeout;

use crate::authenticator::loads::settle;
use crate::authenticator::world::{Request, World, id, sealer};

#[tokio::test(start_paused = true)]
async fn a_store_is_loaded_once_in_four_seconds() {
    let world = World::new().await;
    for _ in 0..120 {
        world.ask(&world.signed(&world.key)).await.unwrap();
        world.pass(100).await;
    }
    // Loads at 0, 4 and 8 s.
    assert_eq!(world.directory.finds.reads(), 3, "in 12 s");
}

#[tokio::test(start_paused = true)]
async fn a_new_key_works_immediately_and_the_old_key_still_works() {
    let world = World::new().await;
    world.ask(&world.signed(&world.key)).await.unwrap();
    world.pass(1).await;
    let second = world.admin.rotate_key(world.store).await.unwrap().secret;
    world.ask(&world.signed(&second)).await.unwrap();
    world.ask(&world.signed(&world.key)).await.unwrap();
    // An unknown signature reloads the store at most once a second.
    world.pass(1_000).await;
    let third = world.admin.rotate_key(world.store).await.unwrap().secret;
    world.ask(&world.signed(&third)).await.unwrap();
    world.ask(&world.signed(&second)).await.unwrap();
    let first = world.ask(&world.signed(&world.key)).await;
    assert!(
        matches!(first, Err(Denied::Permission(_))),
        "the third key ends the first: {first:?}"
    );
}

/// Calls every 100 ms, so that the store stays in use. Returns the milliseconds until the calls are
/// refused.
async fn refused_after(world: &World) -> u64 {
    for millis in (0..).step_by(100) {
        if world.ask(&world.signed(&world.key)).await.is_err() {
            return millis;
        }
        assert!(millis < 60_000, "never refused");
        world.pass(100).await;
        // Only the monotonic clock counts: setting back the system clock must not extend a key's
        // life.
        world.clock.advance(-3_600_000);
    }
    unreachable!()
}

#[tokio::test(start_paused = true)]
async fn revoking_and_disabling_take_effect_within_five_seconds() {
    // Right after a load, in between, and shortly before the cached store expires after 4 s.
    for phase in [0, 1_000, 3_900] {
        let world = World::new().await;
        world.ask(&world.signed(&world.key)).await.unwrap();
        world.pass(phase).await;
        world
            .admin
            .revoke_key(world.store, world.key_id)
            .await
            .unwrap();
        let refused = refused_after(&world).await;
        assert!((1..=5_000).contains(&refused), "revoked: {refused} ms");

        let world = World::new().await;
        world.ask(&world.signed(&world.key)).await.unwrap();
        world.pass(phase).await;
        world.disable().await;
        let refused = refused_after(&world).await;
        assert!((1..=5_000).contains(&refused), "disabled: {refused} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn enabling_and_new_settings_take_effect_immediately() {
    let world = World::new().await;
    world.disable().await;
    world.ask(&world.signed(&world.key)).await.unwrap_err();
    world.pass(1).await;
    let change = StoreChange {
        enabled: Some(true),
        allow_unsigned_search: Some(true),
        ..StoreChange::default()
    };
    world.change(change).await;
    world.ask(&Request::of(world.store).search()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn wrong_signatures_reload_a_store_once_a_second() {
    let world = World::new().await;
    world.ask(&world.signed(&world.key)).await.unwrap();
    for _ in 0..350 {
        world.pass(10).await;
        world.ask(&world.signed_wrongly()).await.unwrap_err();
    }
    // The first load, then reloads at 0.01, 1.01, 2.01 and 3.01 s.
    assert_eq!(world.directory.finds.reads(), 5, "in 3.5 s");
}

#[tokio::test(start_paused = true)]
async fn an_unknown_id_is_remembered_and_known_once_it_is_a_store() {
    let world = World::new().await;
    let new = StoreId::new(id(99));
    let mut record = world.admin.show(world.store).await.unwrap();
    record.store.id = new;
    record.store.prefix = "NEW".parse().unwrap();
    record.keys[0].sealed = sealer("a").seal(KeyOwner::Store(new), &world.key).unwrap();
    let request = Request {
        store_id: Some(new.to_string()),
        ..world.signed(&world.key)
    };

    for _ in 0..350 {
        world.ask(&request).await.unwrap_err();
        world.pass(10).await;
    }
    assert_eq!(
        world.directory.finds.reads(),
        5,
        "in 3.5 s, as for a store with wrong signatures"
    );
    world.pass(1_000).await;
    world.directory.add(&record).await.unwrap();
    let called = world
        .authenticator
        .authenticate(&request.call())
        .await
        .unwrap();
    assert_eq!(called.store.id, new);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_ids_is_bounded_and_evicts_no_store() {
    let world = World::new().await;
    world.ask(&world.signed(&world.key)).await.unwrap();
    let unknown = |number: usize| Request::of(StoreId::new(id(1_000 + number as u64)));
    for number in 0..MAX_UNKNOWN + 10 {
        world.ask(&unknown(number)).await.unwrap_err();
    }
    let after_flood = world.directory.finds.reads();
    assert_eq!(after_flood, 1 + MAX_UNKNOWN + 10);
    world.ask(&world.signed(&world.key)).await.unwrap();
    world.ask(&unknown(0)).await.unwrap_err();
    world.ask(&unknown(MAX_UNKNOWN - 1)).await.unwrap_err();
    assert_eq!(
        world.directory.finds.reads(),
        after_flood,
        "these were remembered"
    );
    world.ask(&unknown(MAX_UNKNOWN)).await.unwrap_err();
    assert_eq!(
        world.directory.finds.reads(),
        after_flood + 1,
        "there was no room for this one"
    );
    // Expired entries make room.
    world.pass(4_000).await;
    world.ask(&unknown(MAX_UNKNOWN)).await.unwrap_err();
    world.ask(&unknown(MAX_UNKNOWN)).await.unwrap_err();
    assert_eq!(world.directory.finds.reads(), after_flood + 2);
}

#[tokio::test(start_paused = true)]
async fn a_cached_store_needs_no_directory() {
    let world = World::new().await;
    world.ask(&world.signed(&world.key)).await.unwrap();
    world.directory.finds.set_away(true);
    // A cached store is valid for 4 s.
    world.pass(3_999).await;
    world.ask(&world.signed(&world.key)).await.unwrap();
    // An unknown signature may be that of a new key.
    for _ in 0..2 {
        let verdict = world.ask(&world.signed_wrongly()).await;
        assert!(matches!(verdict, Err(Denied::Repository(_))), "{verdict:?}");
    }
    world.pass(1).await;
    let verdict = world.ask(&world.signed(&world.key)).await;
    assert!(
        matches!(verdict, Err(Denied::Repository(_))),
        "no revoked key lives on: {verdict:?}"
    );
    world.directory.finds.set_away(false);
    world.ask(&world.signed(&world.key)).await.unwrap();
}

/// A signature that no readable key made may still be valid, so the error must not blame the
/// client.
#[tokio::test(start_paused = true)]
async fn an_unreadable_key_is_unavailable_and_affects_only_itself() {
    let world = World::new().await;
    let second = world.admin.rotate_key(world.store).await.unwrap();
    let mut record = second.record;
    record.keys[0].sealed = sealer("b")
        .seal(KeyOwner::Store(world.store), &world.key)
        .unwrap();
    world.replace(&record).await;
    world.ask(&world.signed(&second.secret)).await.unwrap();
    let verdict = world.ask(&world.signed(&world.key)).await;
    assert!(
        matches!(verdict, Err(Denied::KeyUnreadable(_))),
        "{verdict:?}"
    );
    assert_eq!(world.authenticator.unreadable_keys(), 1);
    let unsigned = world.ask(&Request::of(world.store)).await;
    assert!(
        matches!(unsigned, Err(Denied::Permission(_))),
        "nothing was signed: {unsigned:?}"
    );

    record.version += 1;
    record.keys.truncate(1);
    world.replace(&record).await;
    // After 4 s the store is loaded again.
    world.pass(4_000).await;
    let verdict = world.ask(&world.signed(&world.key)).await;
    let Err(Denied::KeyUnreadable(reason)) = verdict else {
        panic!("{verdict:?}")
    };
    assert!(
        reason.contains("sealed with another master key"),
        "{reason}"
    );

    record.version += 1;
    record.keys[0].sealed = sealer("a")
        .seal(KeyOwner::Store(world.store), &world.key)
        .unwrap();
    world.replace(&record).await;
    // A reload is possible again after a second.
    world.pass(1_000).await;
    world.ask(&world.signed(&world.key)).await.unwrap();
    assert_eq!(
        world.authenticator.unreadable_keys(),
        0,
        "it is known at once that the key can be opened again"
    );
}

/// A store and its keys share one cache entry, so dropping the entry drops the keys. Keys are
/// overwritten when dropped.
#[tokio::test(start_paused = true)]
async fn keys_of_an_idle_store_leave_memory_within_a_minute() {
    let world = World::new().await;
    let sweep = tokio::spawn(world.authenticator.sweep());
    let entry = Arc::downgrade(&world.ask(&world.signed(&world.key)).await.unwrap());
    settle().await;
    assert!(entry.upgrade().is_some());
    // 40 s without a call: longer than an entry lives, plus a sweep interval.
    for _ in 0..40 {
        world.pass(1_000).await;
        settle().await;
    }
    assert!(
        entry.upgrade().is_none(),
        "the entry is still there after 40 s"
    );
    drop(world);
    timeout(2 * SWEEP_INTERVAL, sweep)
        .await
        .expect("the task ends with the authenticator")
        .unwrap();
}

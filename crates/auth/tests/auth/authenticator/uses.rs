//! Recorded times of the last use of keys.

use std::sync::atomic::Ordering::SeqCst;

use pressline_domain::store::{KeyUses, StoreDirectory};
use pressline_domain::value::Timestamp;

use crate::authenticator::world::{NOW, World};

/// Returns the recorded minute of last use of the store's only key, after pending writes.
async fn noted(world: &World) -> Option<Timestamp> {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    let record = world.directory.find(world.store).await.unwrap().unwrap();
    record.keys.first().unwrap().last_used_at
}

#[tokio::test(start_paused = true)]
async fn the_minute_of_a_signed_call_is_recorded() {
    let world = World::new().await;
    world.ask(&world.signed_wrongly()).await.unwrap_err();
    assert_eq!(noted(&world).await, None);
    let minute = Timestamp::from_millis(NOW * 1000).start_of_minute();
    let signed = world.signed(&world.key);
    world.ask(&signed).await.unwrap();
    assert_eq!(noted(&world).await, Some(minute));
    world.pass(60_000).await;
    world.ask(&signed).await.unwrap();
    assert_eq!(noted(&world).await, Some(minute.plus_millis(60_000)));
}

/// Returns the number of keys in each write so far.
async fn written(world: &World) -> Vec<usize> {
    noted(world).await;
    let writes = world.directory.writes.lock().unwrap();
    writes.iter().map(KeyUses::len).collect()
}

#[tokio::test(start_paused = true)]
async fn uses_of_several_keys_are_written_together() {
    let world = World::new().await;
    let added = world.admin.rotate_key(world.store).await.unwrap();
    let keys = [&world.key, &added.secret];
    // Within each minute, all keys are used every second.
    for _ in 0..120 {
        for key in keys {
            world.ask(&world.signed(key)).await.unwrap();
        }
        noted(&world).await;
        world.pass(1000).await;
    }
    let writes = written(&world).await;
    let count: usize = writes.iter().sum();
    // 120 s touch three minutes at most.
    assert!(count <= 3 * keys.len(), "{writes:?}");
    assert!(writes.len() <= 4, "{writes:?}");
    assert!(writes.contains(&keys.len()), "{writes:?}");
}

#[tokio::test(start_paused = true)]
async fn uses_that_could_not_be_written_wait_for_the_next_write() {
    let world = World::new().await;
    let signed = world.signed(&world.key);
    world.directory.read_only.store(true, SeqCst);
    world.ask(&signed).await.unwrap();
    assert_eq!(noted(&world).await, None);
    world.directory.read_only.store(false, SeqCst);
    world.authenticator.write_uses().await;
    let minute = Timestamp::from_millis(NOW * 1000).start_of_minute();
    assert_eq!(noted(&world).await, Some(minute));
    assert_eq!(written(&world).await, [1, 1]);
    // Nothing is left to write.
    world.authenticator.write_uses().await;
    assert_eq!(written(&world).await, [1, 1]);
}

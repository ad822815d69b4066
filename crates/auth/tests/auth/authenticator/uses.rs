//! Recorded times of the last use of keys.

use pressline_domain::store::StoreDirectory;
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

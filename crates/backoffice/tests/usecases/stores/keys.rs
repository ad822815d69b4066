//! Store keys.

use super::*;

#[tokio::test]
async fn a_third_key_drops_the_oldest() {
    let (admin, clock) = office();
    let first = admin.create(named("Demo")).await.unwrap();
    let id = first.record.store.id;
    clock.advance(1000);
    let second = admin.rotate_key(id).await.unwrap();
    assert_eq!(key_ids(&second.record.keys), [first.key_id, second.key_id]);
    clock.advance(1000);
    let third = admin.rotate_key(id).await.unwrap();
    assert_eq!(key_ids(&third.record.keys), [second.key_id, third.key_id]);
    assert_eq!(third.record.keys[1].created_at.as_millis(), NOW + 2000);
    assert_ne!(third.secret, second.secret);
    assert_eq!(admin.show(id).await.unwrap(), third.record);
}

fn key_ids(keys: &[pressline_domain::store::StoreKey]) -> Vec<KeyId> {
    keys.iter().map(|key| key.id).collect()
}

#[tokio::test]
async fn a_revoked_key_is_removed() {
    let (admin, _) = office();
    let first = admin.create(named("Demo")).await.unwrap();
    let id = first.record.store.id;
    let second = admin.rotate_key(id).await.unwrap();
    assert_eq!(
        key_ids(&admin.revoke_key(id, first.key_id).await.unwrap().keys),
        [second.key_id]
    );
    let again = admin.revoke_key(id, first.key_id).await;
    assert!(
        matches!(again, Err(StoreError::NoSuchKey(key)) if key == first.key_id),
        "{again:?}"
    );
    // Even the last key can be revoked: then all of the store's requests are refused.
    assert_eq!(admin.revoke_key(id, second.key_id).await.unwrap().keys, []);
    assert_eq!(
        key_ids(&admin.rotate_key(id).await.unwrap().record.keys).len(),
        1
    );
}

#[tokio::test]
async fn an_unknown_store_is_an_error() {
    let (admin, _) = office();
    let ids = MonotonicIds::new();
    let unknown = StoreId::new(ids.next(Timestamp::from_millis(NOW)));
    let key = KeyId::new(ids.next(Timestamp::from_millis(NOW)));
    assert!(matches!(admin.show(unknown).await, Err(StoreError::NotFound(id)) if id == unknown));
    assert!(matches!(
        admin.change(unknown, &StoreChange::default()).await,
        Err(StoreError::NotFound(_))
    ));
    assert!(matches!(
        admin.rotate_key(unknown).await,
        Err(StoreError::NotFound(_))
    ));
    assert!(matches!(
        admin.revoke_key(unknown, key).await,
        Err(StoreError::NotFound(_))
    ));
}

#[tokio::test]
async fn a_store_is_not_created_without_its_key() {
    let directory = Arc::new(MemoryStores::new());
    let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
    let admin = StoreAdmin::new(
        directory,
        Arc::new(NoIssuer),
        clock,
        Arc::new(MonotonicIds::new()),
    );
    assert!(matches!(
        admin.create(named("Demo")).await,
        Err(StoreError::Seal(_))
    ));
    assert_eq!(admin.list().await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_changes_are_all_applied() {
    let (admin, _) = office();
    let id = admin.create(named("Demo")).await.unwrap().record.store.id;
    let changes = [
        StoreChange {
            name: Some("Another".to_owned()),
            ..StoreChange::default()
        },
        StoreChange {
            strict_catalog: Some(true),
            ..StoreChange::default()
        },
        StoreChange {
            require_timestamp: Some(true),
            ..StoreChange::default()
        },
        StoreChange {
            currency: Some(currency("EUR")),
            ..StoreChange::default()
        },
    ];
    let mut calls = JoinSet::new();
    for change in changes {
        let admin = admin.clone();
        calls.spawn(async move { admin.change(id, &change).await.unwrap() });
    }
    calls.join_all().await;
    let record = admin.show(id).await.unwrap();
    assert_eq!((record.version, record.store.name.as_str()), (5, "Another"));
    assert!(record.store.settings.strict_catalog && record.store.settings.require_timestamp);
    assert_eq!(record.store.currency, currency("EUR"));
}

#[tokio::test]
async fn keys_are_sealed_with_the_master_key_that_seals_in_the_database() {
    let (admin, _) = office();
    let first = admin.create(named("Demo")).await.unwrap().record;
    assert_eq!(
        first.keys[0].sealed_with, OLD,
        "the first of the configured ones"
    );
    let report = admin.reseal(NEW).await.unwrap();
    assert_eq!(
        (report.resealed, report.unchanged, report.unreadable),
        (1, 0, 0)
    );
    let second = admin.rotate_key(first.store.id).await.unwrap().record;
    assert!(
        second.keys.iter().all(|key| key.sealed_with == NEW),
        "{second:?}"
    );
    let report = admin.reseal(NEW).await.unwrap();
    assert_eq!(
        (report.resealed, report.unchanged),
        (0, 2),
        "doing it again changes nothing"
    );
    admin.require_master_key().await.unwrap();
}

#[tokio::test]
async fn a_master_key_that_is_not_configured_is_named_and_changes_nothing() {
    let (admin, _) = office();
    let first = admin.create(named("Demo")).await.unwrap().record;
    let other = MasterKeyId::new([3; 8]);
    let refused = admin.reseal(other).await;
    assert!(
        matches!(&refused, Err(StoreError::Seal(SealError::AnotherMasterKey { needed, .. })) if *needed == other),
        "{refused:?}"
    );
    assert_eq!(admin.show(first.store.id).await.unwrap(), first);
}

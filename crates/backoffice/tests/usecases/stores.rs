//! Administration of stores and their keys.

mod audit;
mod keys;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pressline_backoffice::store::StoreChange;
use pressline_backoffice::store::{NewStore, StoreAdmin, StoreError};
use pressline_domain::memory::MemoryStores;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::runtime::{FixedClock, IdSource};
use pressline_domain::store::{
    IssuedKey, KeyIssuer, KeyOwner, MasterKeyId, SealError, SecretKey, StoreSettings,
};
use pressline_domain::value::{Currency, KeyId, StoreId, Timestamp};
use tokio::task::JoinSet;

use super::fixture::{NOW, currency};

/// Issues keys, with the key itself as `sealed`.
#[derive(Default)]
pub(crate) struct PlainIssuer {
    made: AtomicU32,
}

impl KeyIssuer for PlainIssuer {
    fn issue(
        &self,
        owner: KeyOwner,
        seal_with: Option<MasterKeyId>,
    ) -> Result<IssuedKey, SealError> {
        let text = format!(
            "key {} of {owner}",
            self.made.fetch_add(1, Ordering::Relaxed)
        );
        let sealed_with = seal_with.unwrap_or(OLD);
        self.require(sealed_with)?;
        Ok(IssuedKey {
            sealed: text.clone().into_bytes(),
            secret: SecretKey::new(text),
            sealed_with,
        })
    }

    fn reseal(&self, _: KeyOwner, sealed: &[u8], with: MasterKeyId) -> Result<Vec<u8>, SealError> {
        self.require(with)?;
        Ok(sealed.to_vec())
    }

    fn require(&self, master_key: MasterKeyId) -> Result<(), SealError> {
        let configured = [OLD, NEW];
        if configured.contains(&master_key) {
            return Ok(());
        }
        Err(SealError::AnotherMasterKey {
            configured: format!("{OLD}, {NEW}"),
            needed: master_key,
        })
    }
}

/// Master keys that [`PlainIssuer`] knows.
const OLD: MasterKeyId = MasterKeyId::new([1; 8]);
const NEW: MasterKeyId = MasterKeyId::new([2; 8]);

struct NoIssuer;

impl KeyIssuer for NoIssuer {
    fn issue(&self, _: KeyOwner, _: Option<MasterKeyId>) -> Result<IssuedKey, SealError> {
        Err(no_randomness())
    }

    fn reseal(&self, _: KeyOwner, _: &[u8], _: MasterKeyId) -> Result<Vec<u8>, SealError> {
        Err(no_randomness())
    }

    fn require(&self, _: MasterKeyId) -> Result<(), SealError> {
        Ok(())
    }
}

fn no_randomness() -> SealError {
    SealError::Failed {
        reason: "no randomness".into(),
        source: None,
    }
}

fn office() -> (StoreAdmin, Arc<FixedClock>) {
    let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
    let directory = Arc::new(MemoryStores::new());
    let issuer = Arc::new(PlainIssuer::default());
    (
        StoreAdmin::new(
            directory,
            issuer,
            clock.clone(),
            Arc::new(MonotonicIds::new()),
        ),
        clock,
    )
}

fn named(name: &str) -> NewStore {
    NewStore {
        name: name.to_owned(),
        prefix: None,
        currency: Currency::USD,
        test: false,
        settings: StoreSettings::default(),
    }
}

#[tokio::test]
async fn a_new_store_has_one_key_and_is_served() {
    let (admin, _) = office();
    let created = admin.create(named("Ánh's Mugs & More")).await.unwrap();
    let store = &created.record.store;
    assert_eq!(
        (store.prefix.as_str(), store.enabled, created.record.version),
        ("ANHSMUGS", true, 1)
    );
    assert_eq!(store.created_at.as_millis(), NOW);
    assert_eq!(created.record.keys.len(), 1);
    assert_eq!(created.record.keys[0].id, created.key_id);
    assert_eq!(
        created.record.keys[0].sealed,
        created.secret.expose().as_bytes()
    );
    assert_eq!(admin.show(store.id).await.unwrap(), created.record);
    assert_eq!(admin.list().await.unwrap(), [created.record]);
    assert_eq!(format!("{:?}", created.secret), "SecretKey(…)");
}

#[tokio::test]
async fn a_prefix_made_from_the_name_is_made_unique() {
    let (admin, clock) = office();
    let mut prefixes = Vec::new();
    for _ in 0..11 {
        prefixes.push(
            admin
                .create(named("Demo shop"))
                .await
                .unwrap()
                .record
                .store
                .prefix
                .to_string(),
        );
        clock.advance(1);
    }
    assert_eq!(prefixes[..3], ["DEMOSHOP", "DEMOSHOP2", "DEMOSHOP3"]);
    assert_eq!(prefixes[10], "DEMOSHOP11");
    assert_eq!(
        admin
            .create(named("***"))
            .await
            .unwrap()
            .record
            .store
            .prefix
            .as_str(),
        "STORE"
    );
    let listed = admin.list().await.unwrap();
    assert!(listed.is_sorted_by_key(|record| record.store.created_at));
    assert_eq!(listed.len(), 12);
}

#[tokio::test]
async fn a_chosen_prefix_is_kept_or_refused() {
    let (admin, _) = office();
    let chosen = NewStore {
        prefix: Some("MINE".parse().unwrap()),
        ..named("Some shop")
    };
    admin.create(chosen.clone()).await.unwrap();
    let result = admin.create(chosen).await;
    assert!(
        matches!(&result, Err(StoreError::PrefixTaken(prefix)) if prefix.as_str() == "MINE"),
        "{result:?}"
    );
    assert_eq!(admin.list().await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn stores_created_concurrently_with_the_same_name_get_prefixes() {
    let (admin, _) = office();
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        let admin = admin.clone();
        calls.spawn(async move {
            admin
                .create(named("Demo"))
                .await
                .unwrap()
                .record
                .store
                .prefix
        });
    }
    let mut prefixes = calls.join_all().await;
    prefixes.sort();
    prefixes.dedup();
    assert_eq!(prefixes.len(), 20);
}

#[tokio::test]
async fn names_have_1_to_255_characters() {
    let (admin, _) = office();
    for wrong in ["", "  ", "a\nb", &"é".repeat(256)] {
        assert!(
            matches!(admin.create(named(wrong)).await, Err(StoreError::Name)),
            "{wrong}"
        );
    }
    let store = admin
        .create(named(&"é".repeat(255)))
        .await
        .unwrap()
        .record
        .store;
    let blank = StoreChange {
        name: Some(" ".to_owned()),
        ..StoreChange::default()
    };
    assert!(matches!(
        admin.change(store.id, &blank).await,
        Err(StoreError::Name)
    ));
}

#[tokio::test]
async fn a_change_keeps_unnamed_fields() {
    let (admin, _) = office();
    let first = admin.create(named("Demo")).await.unwrap().record;
    let id = first.store.id;
    let change = StoreChange {
        strict_catalog: Some(true),
        currency: Some(currency("EUR")),
        ..StoreChange::default()
    };
    let second = admin.change(id, &change).await.unwrap();
    let mut wanted = first.clone();
    wanted.version = 2;
    wanted.store.currency = currency("EUR");
    wanted.store.settings.strict_catalog = true;
    assert_eq!(second, wanted);
    let change = StoreChange {
        name: Some("Another".to_owned()),
        enabled: Some(false),
        require_timestamp: Some(true),
        allow_unsigned_search: Some(true),
        cooling_off_seconds: Some(Some(90)),
        ship_by_seconds: Some(Some(0)),
        slip_note: Some(Some("Thank you!".to_owned())),
        ..StoreChange::default()
    };
    let third = admin.change(id, &change).await.unwrap();
    assert_eq!(
        (
            third.store.name.as_str(),
            third.store.enabled,
            third.version
        ),
        ("Another", false, 3)
    );
    let all = StoreSettings {
        strict_catalog: true,
        require_timestamp: true,
        allow_unsigned_search: true,
        cooling_off_seconds: Some(90),
        ship_by_seconds: Some(0),
        slip_note: Some("Thank you!".to_owned()),
    };
    assert_eq!(third.store.settings, all);
    assert_eq!(
        (&third.store.prefix, &third.keys),
        (&first.store.prefix, &first.keys)
    );
    assert_eq!(admin.show(id).await.unwrap(), third);
}

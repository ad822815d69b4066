//! The print shop's stores.

use pressline_domain::catalog::CatalogAdmin;
use pressline_domain::memory::{MemoryCatalog, MemoryStores};
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule};
use pressline_domain::store::{
    IssuedKey, KeyIssuer, KeyOwner, MasterKeyId, SealError, SecretKey, Store, StoreDirectory,
    StoreRecord, StoreSettings,
};
use pressline_domain::value::{Amount, Currency, StoreId, Timestamp};
use uuid::Uuid;

/// Start time of every test: 2026-11-21T13:05:00Z, in milliseconds since 1970.
pub(crate) const NOW: i64 = 1_795_266_300_000;
/// Prefixes of the stores. Bound operators have access to the first store.
const STORES: [&str; 2] = ["SUN", "MOON"];

pub(crate) fn store(prefix: &str) -> Store {
    let number = STORES.iter().position(|other| *other == prefix).unwrap();
    let id = 0x0197_f3c2_0000_7000_8000_0000_0000_0001 + number as u128;
    Store {
        id: StoreId::new(Uuid::from_u128(id)),
        name: format!("{prefix} Prints"),
        prefix: prefix.parse().unwrap(),
        currency: Currency::USD,
        test: false,
        settings: StoreSettings {
            slip_note: Some("Thank you!\n<b>Come back".to_owned()),
            ..StoreSettings::default()
        },
        enabled: true,
        created_at: Timestamp::from_millis(NOW),
    }
}

pub(crate) async fn add_stores(stores: &MemoryStores) {
    for prefix in STORES {
        let record = StoreRecord {
            store: store(prefix),
            keys: Vec::new(),
            version: 1,
        };
        stores.add(&record).await.unwrap();
    }
}

/// Sets the handling fee of label orders. Without it, they are refused.
pub(crate) async fn add_label_fee(catalog: &MemoryCatalog) {
    let fee = Amount::parse("2.50", Currency::USD).unwrap();
    let rule = FeeRule::label_handling(Currency::USD, fee);
    let schedule = FeeSchedule::new(vec![rule]).unwrap();
    catalog.set_fees(&[(None, Some(&schedule))]).await.unwrap();
}

pub(crate) struct PlainKeys;

impl KeyIssuer for PlainKeys {
    fn issue(&self, _: KeyOwner, _: Option<MasterKeyId>) -> Result<IssuedKey, SealError> {
        Ok(IssuedKey {
            secret: SecretKey::new("plsk_shown-once".to_owned()),
            sealed: vec![1],
            sealed_with: MasterKeyId::new([1; 8]),
        })
    }

    fn reseal(&self, _: KeyOwner, sealed: &[u8], _: MasterKeyId) -> Result<Vec<u8>, SealError> {
        Ok(sealed.to_vec())
    }

    fn require(&self, _: MasterKeyId) -> Result<(), SealError> {
        Ok(())
    }
}

//! Tests of the cache of offers.

use super::*;
use crate::catalog::{ListPrice, ListPriceParts, Variant, VariantParts};
use crate::value::{Amount, Currency, Timestamp};
use uuid::Uuid;

const STORE: StoreId = StoreId::new(Uuid::nil());
const BYTES: usize = 16 * 1024 * 1024;

fn offered(sku: &str, own_price_of: Option<StoreId>) -> Arc<Offered> {
    let price = |store| {
        ListPrice::new(ListPriceParts {
            store: Some(store),
            sku: sku.to_owned(),
            currency: Currency::USD,
            valid_from: Timestamp::from_millis(0),
            amount: Amount::ZERO,
        })
        .unwrap()
    };
    Arc::new(Offered {
        variant: Arc::new(Variant::new(VariantParts::single(sku, sku)).unwrap()),
        prices: own_price_of.map(price).into_iter().collect(),
    })
}

fn basis_of(version: i64, known: OfferedVariants) -> PriceBasis {
    PriceBasis {
        version: CatalogVersion(version),
        known,
        terms: Terms {
            tariff: Arc::default(),
            has_own_prices: false,
        },
    }
}

fn own_basis_of(version: i64, known: OfferedVariants) -> PriceBasis {
    let mut basis = basis_of(version, known);
    basis.terms.has_own_prices = true;
    basis
}

fn basis(version: i64, skus: &[String]) -> PriceBasis {
    let entry = |sku: &String| (Arc::from(sku.as_str()), offered(sku, None));
    basis_of(version, skus.iter().map(entry).collect())
}

fn skus(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|number| format!("SKU-{number}")).collect()
}

fn store(number: u128) -> StoreId {
    StoreId::new(Uuid::from_u128(number))
}

#[test]
fn used_entries_stay_and_unused_ones_are_dropped() {
    let bytes = 2 * 1024 * 1024;
    let mut cache = Cache::new(bytes);
    cache.insert(STORE, &basis(1, &["MUG".to_owned()]));
    for round in 0..10 {
        cache.insert(STORE, &basis(1, &skus(round * 1000, round * 1000 + 1000)));
        assert!(cache.basis(STORE, &["MUG"]).is_some(), "round {round}");
        // One entry can exceed the limit before a generation is full.
        assert!(cache.newer.bytes() + cache.older.bytes() <= bytes + 4096);
    }
    assert!(cache.basis(STORE, &["SKU-1"]).is_none());
    assert!(cache.basis(STORE, &["SKU-9999", "MUG"]).is_some());
}

#[test]
fn offers_of_two_versions_are_never_mixed() {
    let mut cache = Cache::new(BYTES);
    cache.insert(STORE, &basis(2, &skus(0, 2)));
    cache.insert(STORE, &basis(3, &skus(1, 3)));
    assert!(cache.basis(STORE, &["SKU-0"]).is_none());
    let both = cache.basis(STORE, &["SKU-1", "SKU-2"]);
    assert_eq!(both.map(|basis| basis.version), Some(CatalogVersion(3)));
    // Read before the import, and handed over after it.
    cache.insert(STORE, &basis(2, &skus(5, 6)));
    assert!(cache.basis(STORE, &["SKU-5"]).is_none());
}

#[test]
fn outdated_entries_are_dropped_and_not_inserted_again() {
    let mut cache = Cache::new(BYTES);
    cache.insert(STORE, &basis(2, &skus(0, 1)));
    cache.forget(CatalogVersion(2));
    // A slow caller inserts the result of an earlier read.
    cache.insert(STORE, &basis(2, &skus(0, 1)));
    assert!(cache.basis(STORE, &["SKU-0"]).is_none());
    cache.insert(STORE, &basis(3, &skus(0, 1)));
    // Another caller finds out later that version 2 is outdated.
    cache.forget(CatalogVersion(2));
    assert!(cache.basis(STORE, &["SKU-0"]).is_some());
}

#[test]
fn what_was_read_for_a_store_is_known_for_others_without_own_prices() {
    let mut cache = Cache::new(BYTES);
    cache.insert(STORE, &basis(1, &skus(0, 1)));
    let other = store(1);
    assert!(cache.basis(other, &["SKU-0"]).is_none(), "no tariff yet");
    cache.insert(other, &basis(1, &[]));
    assert!(cache.basis(other, &["SKU-0"]).is_some());
}

#[test]
fn a_store_with_own_prices_is_only_offered_what_was_read_for_it() {
    let mut cache = Cache::new(BYTES);
    cache.insert(STORE, &basis(1, &skus(0, 1)));
    let other = store(1);
    cache.insert(other, &own_basis_of(1, OfferedVariants::new()));
    assert!(cache.basis(other, &["SKU-0"]).is_none());
    cache.insert(other, &own_basis_of(1, basis(1, &skus(0, 1)).known));
    assert!(cache.basis(other, &["SKU-0"]).is_some());
}

#[test]
fn a_store_sees_its_own_prices_and_no_other_store_does() {
    let mut cache = Cache::new(BYTES);
    let other = store(1);
    let known = |own| OfferedVariants::from([(Arc::from("MUG"), offered("MUG", own))]);
    cache.insert(STORE, &own_basis_of(1, known(Some(STORE))));
    cache.insert(other, &basis_of(1, known(None)));
    let mut own_prices = |store| {
        let basis = cache.basis(store, &["MUG"]).unwrap();
        basis.known["MUG"].prices.len()
    };
    assert_eq!((own_prices(STORE), own_prices(other)), (1, 0));
    let mut variant = |store| {
        let known = cache.basis(store, &["MUG"]).unwrap().known;
        Arc::clone(&known["MUG"].variant)
    };
    assert!(
        Arc::ptr_eq(&variant(STORE), &variant(other)),
        "the variant is kept once"
    );
}

#[test]
fn a_thousand_stores_with_a_hundred_thousand_skus_fit() {
    let mut cache = Cache::new(CACHE_BYTES);
    let all = basis(1, &skus(0, 100_000));
    cache.insert(store(0), &all);
    // Each of the others orders some of the SKUs: the first, the last and 98 between them.
    let some: Vec<&str> = all.known.keys().map(AsRef::as_ref).step_by(1000).collect();
    let part: OfferedVariants = some
        .iter()
        .map(|sku| (Arc::from(*sku), Arc::clone(&all.known[*sku])))
        .collect();
    let part = own_basis_of(1, part);
    for number in 1..1000 {
        cache.insert(store(number), &part);
    }
    for number in 0..1000 {
        assert!(cache.basis(store(number), &some).is_some(), "{number}");
    }
    assert_eq!(cache.older.bytes(), 0, "everything is in one generation");
    assert!(cache.newer.bytes() < CACHE_BYTES / 2);
}

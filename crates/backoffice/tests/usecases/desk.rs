//! Operator commands for orders of any store.

mod decisions;
mod moves;
mod notes;
mod replacements;
mod tasks;

use std::collections::BTreeSet;
use std::sync::Arc;

use pressline_backoffice::operator::{Operator, OperatorRole};
use pressline_backoffice::store::StoreAdmin;
use pressline_domain::check::IssueCode;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::{GetDraft, OrderError, OrderScope, OwnOrderIds};
use pressline_domain::store::{
    IssuedKey, KeyIssuer, KeyOwner, MasterKeyId, SealError, Store, StoreDirectory,
};
use pressline_domain::value::{Currency, OperatorId, StoreId, Timestamp};
use uuid::Uuid;

use super::fixture::*;

struct NoKeys;

impl KeyIssuer for NoKeys {
    fn issue(&self, _: KeyOwner, _: Option<MasterKeyId>) -> Result<IssuedKey, SealError> {
        unreachable!("no store is created by operators here")
    }

    fn reseal(&self, _: KeyOwner, _: &[u8], _: MasterKeyId) -> Result<Vec<u8>, SealError> {
        unreachable!("nothing is sealed")
    }

    fn require(&self, _: MasterKeyId) -> Result<(), SealError> {
        Ok(())
    }
}

impl Shop {
    pub(crate) async fn add_test_store(&self, prefix: &str) -> Store {
        let store = store(self.ids.as_ref(), prefix, self.store.currency);
        self.add(Store {
            test: true,
            ..store
        })
        .await
    }
}

/// An operator with the store service that the operator's scope needs.
pub(crate) struct Desk {
    pub(crate) operator: Operator,
    stores: StoreAdmin,
}

impl Desk {
    pub(crate) fn new(shop: &Shop) -> Self {
        Self {
            operator: operator(None),
            stores: StoreAdmin::new(
                Arc::new(shop.stores.clone()),
                Arc::new(NoKeys),
                shop.clock.clone(),
                Arc::new(CountedIds::default()),
            ),
        }
    }

    pub(crate) fn bound_to(shop: &Shop, stores: &[StoreId]) -> Self {
        Self {
            operator: operator(Some(stores.iter().copied().collect())),
            ..Self::new(shop)
        }
    }

    pub(crate) fn admin(&self) -> StoreAdmin {
        self.stores.clone()
    }

    pub(crate) fn scope(&self) -> OrderScope<'_> {
        OrderScope::Stores {
            set: &self.operator.stores,
            by_prefix: self.stores.by_prefix(),
            own_ids: OwnOrderIds::Ambiguous,
        }
    }
}

impl Desk {
    pub(crate) fn caller(&self) -> Caller {
        Caller {
            actor: self.operator.actor(),
            request_id: None,
        }
    }
}

fn operator(stores: Option<BTreeSet<StoreId>>) -> Operator {
    Operator {
        id: OperatorId::new(Uuid::from_u128(7)),
        name: "Ana".to_owned(),
        role: OperatorRole::Operator,
        stores,
        created_at: Timestamp::from_millis(NOW),
    }
}

fn named(order_id: &str) -> GetDraft {
    GetDraft {
        order_id: order_id.into(),
        ..GetDraft::default()
    }
}

#[tokio::test]
async fn an_operator_finds_orders_by_order_number_only() {
    let shop = Shop::open().await;
    let first = shop.place("T-1", vec![item("MUG-11", 1)]).await.order;
    // A store may choose an order id that looks like another order's number.
    let second = shop.place("DEMO-1", vec![item("MUG-11", 2)]).await.order;
    let desk = Desk::new(&shop);
    let get = async |name: &str| shop.service.read.get(desk.scope(), &named(name)).await;
    let found = get("DEMO-1").await.unwrap();
    assert_eq!(found.order, first);
    let codes: Vec<_> = found.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [IssueCode::AmbiguousOrderId]);
    for order in [&first, &second] {
        let found = get(&order.content.id.to_string()).await.unwrap();
        assert_eq!((&found.order, found.warnings.as_slice()), (order, &[][..]));
    }
    let unknown_id = Uuid::from_u128(99).to_string();
    for unknown in [
        &unknown_id,
        "T-1",
        "DEMO-3",
        "demo-1",
        "NONE-1",
        "DEMO-01",
        "DEMO",
    ] {
        let refused = get(unknown).await;
        assert!(matches!(refused, Err(OrderError::NotFound)), "{unknown}");
    }
    let refused = get(" ").await;
    assert!(matches!(refused, Err(OrderError::Invalid { .. })));
}

#[tokio::test]
async fn orders_outside_the_stores_of_an_operator_are_not_found() {
    let shop = Shop::open().await;
    let hidden = shop.place("T-1", vec![item("MUG-11", 1)]).await.order;
    let other = shop.add_store("OTHER", Currency::USD).await;
    let draft = order_of("T-2", vec![item("MUG-11", 1)]);
    shop.service
        .place
        .create(&other, &draft, &caller())
        .await
        .unwrap();
    let desk = Desk::bound_to(&shop, &[other.id]);
    let get = async |name: &str| shop.service.read.get(desk.scope(), &named(name)).await;
    let found = get("OTHER-1").await.unwrap();
    assert_eq!(found.order.content.order_id, "T-2");
    let by_id = get(&found.order.content.id.to_string()).await.unwrap();
    assert_eq!(by_id, found);
    for hidden in ["DEMO-1", &hidden.content.id.to_string()] {
        let refused = get(hidden).await;
        assert!(matches!(refused, Err(OrderError::NotFound)), "{hidden}");
    }
    // A disabled store keeps its orders.
    let mut record = shop.stores.find(other.id).await.unwrap().unwrap();
    record.store.enabled = false;
    shop.stores.replace(&record, 1).await.unwrap();
    assert!(get("OTHER-1").await.is_ok());
}

//! Cases about placed orders for reports.

use pressline_backoffice::production::{
    ItemProgress, ItemRef, ProductionRecord, ProgressRecord, Stamp,
};
use pressline_backoffice::statistics::{PlacedOrder, PlacedRange};
use pressline_domain::fulfilment::{Decision, correct_fees};
use pressline_domain::order::Order;
use pressline_domain::pricing::corrections::CorrectionParts;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::{CorrectionId, OperatorId, OrderId, StoreId};

use super::life::operator;
use super::status::moved_orders;
use super::{Shop, update};
use crate::check::{holds, same};
use crate::samples::{at, made};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    placed_orders_are_read_as_they_are_stored,
    placed_orders_are_those_of_the_range,
];

/// Returns the range of all orders of `store`.
fn all(store: StoreId) -> PlacedRange {
    PlacedRange {
        store,
        from: OrderId::LOWEST,
        before: OrderId::HIGHEST,
        count: 1000,
    }
}

/// Records a random number of misprinted units of the item at `place`.
async fn misprint(shop: &mut Shop, place: ItemRef) -> Result<ItemProgress, CaseError> {
    let units = u32::try_from(1 + shop.random.below(1000))?;
    let progress = ItemProgress {
        revision: 1,
        misprints: units,
        ..ItemProgress::none(place)
    };
    let record = ProductionRecord {
        place,
        revision: 1,
        stamp: Stamp {
            by: OperatorId::new(uuid::Uuid::from_u128(2)),
            at: at(0),
        },
        recorded: ProgressRecord::Misprint {
            units,
            reason: "Smeared.".to_owned(),
        },
        once: None,
    };
    shop.adapters.progress.record(&progress, &record).await?;
    Ok(progress)
}

/// Adds an operator's fee line, unless the order allows none.
async fn corrected(shop: &mut Shop, order: Order) -> Result<Order, CaseError> {
    let line = CorrectionParts {
        id: CorrectionId::new(shop.random.uuid()),
        fee: FeeType::Other,
        item: shop
            .random
            .maybe(|_| ())
            .and(order.state.items.first())
            .map(|item| item.id),
        amount: 1 + i64::try_from(shop.random.below(1000))?,
        reason: "A gift box.".to_owned(),
    };
    match correct_fees(&order, line, &operator()) {
        Ok(decision @ Decision::Changed(_)) => Ok(update(&shop.orders, &made(decision)?).await?),
        _ => Ok(order),
    }
}

async fn placed_orders_are_read_as_they_are_stored(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut orders = moved_orders(&mut shop, 40).await?;
    orders.push(shop.place("incomplete").await?);
    let mut progress = Vec::new();
    for order in &mut orders {
        if shop.random.one_in(2) {
            *order = corrected(&mut shop, order.clone()).await?;
        }
        for item in order.state.items.iter().map(|state| state.id) {
            let (store, order) = (order.content.store_id, order.content.id);
            if shop.random.one_in(3) {
                let place = ItemRef { store, order, item };
                progress.push(misprint(&mut shop, place).await?);
            }
        }
    }
    let any = |has: fn(&Order) -> bool| orders.iter().any(has);
    holds("some are shipped", any(|order| !order.shipments.is_empty()))?;
    holds(
        "some are corrected",
        any(|order| !order.corrections.is_empty()),
    )?;
    holds("some items are misprinted", !progress.is_empty())?;
    orders.sort_by_key(|order| order.content.id);
    let placed = orders
        .iter()
        .map(|order| PlacedOrder::new(order, &progress));
    let expected: Vec<PlacedOrder> = placed.collect();
    let read = shop.adapters.statistics.placed(&all(shop.store)).await?;
    // One by one, so that a failure shows a single order.
    for (read, expected) in read.iter().zip(&expected) {
        same(&format!("an order ({})", shop.random), read, expected)?;
    }
    same("their number", &read.len(), &expected.len())
}

async fn placed_orders_are_those_of_the_range(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut ids = Vec::new();
    for number in 0..12 {
        ids.push(shop.place(&format!("T-{number}")).await?.content.id);
    }
    ids.sort_unstable();
    let own = shop.store;
    shop.store = shop.another("OTHER").await?;
    let other = shop.place("another's").await?.content.id;
    let statistics = &shop.adapters.statistics;
    let read = async |range: PlacedRange| -> Result<Vec<OrderId>, CaseError> {
        let orders = statistics.placed(&range).await?;
        Ok(orders.into_iter().map(|order| order.id).collect())
    };
    same("all", &read(all(own)).await?, &ids)?;
    same(
        "of the other store",
        &read(all(shop.store)).await?,
        &vec![other],
    )?;
    let unknown = all(StoreId::new(uuid::Uuid::from_u128(7)));
    same("of an unknown store", &read(unknown).await?, &Vec::new())?;
    let [.., from, _, _, _, _, before] = *ids else {
        return Err(CaseError::new("too few orders"));
    };
    let some = PlacedRange {
        from,
        before,
        ..all(own)
    };
    let expected: Vec<OrderId> = ids
        .iter()
        .copied()
        .filter(|id| (from..before).contains(id))
        .collect();
    same("a range", &read(some).await?, &expected)?;
    let first = PlacedRange { count: 3, ..some };
    let expected: Vec<OrderId> = expected.into_iter().take(3).collect();
    same("the first of a range", &read(first).await?, &expected)?;
    let none = PlacedRange {
        before: from,
        ..some
    };
    same("an empty range", &read(none).await?, &Vec::new())
}

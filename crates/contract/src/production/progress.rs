//! Cases about the progress of items.

use std::cmp::Reverse;
use std::sync::Arc;

use pressline_backoffice::production::{
    ItemProgress, ItemRef, ProductionRecord, ProgressRecord, ProgressRepository, StepName,
};
use pressline_domain::value::{OrderId, StoreId};

use super::{CONCURRENT_CALLS, place, sibling, stamp};
use crate::at_once::winners;
use crate::check::{is_stale, same};
use crate::random::Random;
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    progress_is_read_back_as_it_was_stored,
    records_are_read_back_as_they_were_stored,
    a_stale_record_changes_nothing,
    of_concurrent_records_one_wins,
    progress_is_found_by_orders,
    progress_of_another_store_is_not_found,
    records_are_listed_latest_first,
];

/// A limit above the number of records in any case.
const MANY: u32 = 1000;
const STEPS: [&str; 4] = ["print", "heat-press-2", "check", "pack"];

fn step(random: &mut Random) -> Result<StepName, CaseError> {
    let name = random.pick(&STEPS).copied().unwrap_or_default();
    Ok(name.parse()?)
}

fn units(random: &mut Random) -> u32 {
    u32::try_from(1 + random.below(1000)).unwrap_or(1)
}

/// Returns random progress of an item at `revision`.
fn progress(random: &mut Random, place: ItemRef, revision: u32) -> Result<ItemProgress, CaseError> {
    let mut progress = ItemProgress {
        revision,
        misprints: units(random),
        ..ItemProgress::none(place)
    };
    for _ in 0..random.index(4) {
        let (step, units) = (step(random)?, units(random));
        progress.done.insert(step, units);
    }
    Ok(progress)
}

/// Returns a random record that leads to `revision`.
fn record(
    random: &mut Random,
    place: ItemRef,
    revision: u32,
) -> Result<ProductionRecord, CaseError> {
    let units = units(random);
    let recorded = if random.one_in(3) {
        let reason = random.text().replace('\0', "");
        ProgressRecord::Misprint { units, reason }
    } else {
        let step = step(random)?;
        ProgressRecord::Done { step, units }
    };
    let millis = i64::try_from(random.below(3))?;
    Ok(ProductionRecord {
        place,
        revision,
        stamp: stamp(random, millis),
        recorded,
        once: random.maybe(|random| format!("once-{}", random.next())),
    })
}

/// Stores the next revisions of an item; returns the last progress and all records.
async fn recorded(
    repository: &Arc<dyn ProgressRepository>,
    random: &mut Random,
    place: ItemRef,
    revisions: u32,
) -> Result<(ItemProgress, Vec<ProductionRecord>), CaseError> {
    let (mut last, mut records) = (ItemProgress::none(place), Vec::new());
    for revision in 1..=revisions {
        last = progress(random, place, revision)?;
        let record = record(random, place, revision)?;
        repository.record(&last, &record).await?;
        records.push(record);
    }
    Ok((last, records))
}

/// Sorts records in the order of the port's list.
fn latest_first(records: &mut [ProductionRecord]) {
    records.sort_by_key(|record| Reverse((record.stamp.at, record.place.item, record.revision)));
}

fn some_place(random: &mut Random) -> ItemRef {
    let store = StoreId::new(random.uuid());
    place(random, store)
}

async fn progress_is_read_back_as_it_was_stored(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let repository = &adapters.progress;
    for _ in 0..20 {
        let place = some_place(random);
        let none = repository.progress(place.store, &[place.order]).await?;
        same("progress before", &none, &Vec::new())?;
        for revisions in [1, 2] {
            let place = sibling(random, place);
            let (last, _) = recorded(repository, random, place, revisions).await?;
            let found = repository.progress(place.store, &[place.order]).await?;
            let of_item = found.iter().find(|found| found.place == place);
            same("the progress", &of_item, &Some(&last))?;
        }
    }
    Ok(())
}

async fn records_are_read_back_as_they_were_stored(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let repository = &adapters.progress;
    let place = some_place(random);
    let (_, mut expected) = recorded(repository, random, place, 40).await?;
    latest_first(&mut expected);
    let (store, order, item) = (place.store, place.order, place.item);
    let found = repository.records(store, order, Some(item), MANY).await?;
    same("the records", &found, &expected)
}

async fn a_stale_record_changes_nothing(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let repository = &adapters.progress;
    let unrecorded = some_place(random);
    let (next, of_next) = (
        progress(random, unrecorded, 2)?,
        record(random, unrecorded, 2)?,
    );
    let refused = repository.record(&next, &of_next).await;
    is_stale("revision 2 of none", refused)?;
    let place = sibling(random, unrecorded);
    let (last, records) = recorded(repository, random, place, 3).await?;
    // The stored revision is 3, so only revision 4 may follow.
    for revision in [1, 2, 3, 5] {
        let stale = progress(random, place, revision)?;
        let of_stale = record(random, place, revision)?;
        let refused = repository.record(&stale, &of_stale).await;
        is_stale(&format!("revision {revision} of 3"), refused)?;
    }
    let (store, order) = (place.store, place.order);
    let found = repository.progress(store, &[order]).await?;
    same("the progress", &found, &vec![last])?;
    let found = repository.records(store, order, None, MANY).await?;
    same("the number of records", &found.len(), &records.len())
}

async fn of_concurrent_records_one_wins(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let place = some_place(random);
    // An adapter may insert the first revision and update the later ones.
    for revision in [1, 2] {
        let mut calls = Vec::new();
        for _ in 0..CONCURRENT_CALLS {
            let progress = progress(random, place, revision)?;
            let record = record(random, place, revision)?;
            let repository = adapters.progress.clone();
            calls.push(async move {
                let recorded = repository.record(&progress, &record).await;
                recorded.map(|()| progress)
            });
        }
        let refused = |refused| is_stale("a record that came later", refused);
        let stored = winners(calls, refused).await?;
        same("records stored", &stored.len(), &1)?;
        let repository = &adapters.progress;
        let found = repository.progress(place.store, &[place.order]).await?;
        same("the progress", &found, &stored)?;
    }
    Ok(())
}

async fn progress_is_found_by_orders(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let repository = &adapters.progress;
    let store = StoreId::new(random.uuid());
    let (mut orders, mut stored) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        let first = place(random, store);
        for place in [first, sibling(random, first)] {
            stored.push(recorded(repository, random, place, 1).await?.0);
        }
        orders.push(first.order);
    }
    stored.sort_by_key(|progress| progress.place);
    let asked: Vec<OrderId> = orders.iter().copied().take(4).collect();
    let unknown = OrderId::new(random.uuid());
    let with_unknown: Vec<OrderId> = asked.iter().copied().chain([unknown]).collect();
    let found = repository.progress(store, &with_unknown).await?;
    stored.retain(|progress| asked.contains(&progress.place.order));
    same("the progress", &found, &stored)?;
    let of_none = repository.progress(store, &[]).await?;
    same("progress of no orders", &of_none, &Vec::new())
}

async fn progress_of_another_store_is_not_found(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let repository = &adapters.progress;
    let place = some_place(random);
    recorded(repository, random, place, 2).await?;
    let (other, order) = (StoreId::new(random.uuid()), place.order);
    let found = repository.progress(other, &[order]).await?;
    same("progress of another store", &found, &Vec::new())?;
    let found = repository.records(other, order, None, MANY).await?;
    same("records of another store", &found, &Vec::new())?;
    // The same order and item ids in another store belong to another item.
    let twin = ItemRef {
        store: other,
        ..place
    };
    let (last, _) = recorded(repository, random, twin, 1).await?;
    let found = repository.progress(other, &[order]).await?;
    same("progress of the other store", &found, &vec![last])
}

async fn records_are_listed_latest_first(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let repository = &adapters.progress;
    let first = some_place(random);
    let mut all = Vec::new();
    for place in [first, sibling(random, first), sibling(random, first)] {
        all.extend(recorded(repository, random, place, 15).await?.1);
    }
    let (store, order) = (first.store, first.order);
    // Records of another order must not be listed.
    let elsewhere = place(random, store);
    recorded(repository, random, elsewhere, 2).await?;
    latest_first(&mut all);
    let found = repository.records(store, order, None, MANY).await?;
    same("all records", &found, &all)?;
    let found = repository.records(store, order, None, 7).await?;
    let latest: Vec<_> = all.iter().take(7).cloned().collect();
    same("the latest records", &found, &latest)?;
    all.retain(|record| record.place == first);
    all.truncate(10);
    let item = Some(first.item);
    let found = repository.records(store, order, item, 10).await?;
    same("the latest of an item", &found, &all)
}

//! Cases about production batches.

use std::collections::{BTreeMap, BTreeSet};

use pressline_backoffice::limits;
use pressline_backoffice::production::{
    Batch, BatchHeader, BatchNumber, BatchQuery, CreatedBatch, ItemRef, NewBatch,
};
use pressline_domain::value::StoreId;

use super::{CONCURRENT_CALLS, new_batch, place, places, sibling, stamp, stored};
use crate::at_once::at_once;
use crate::check::{holds, same};
use crate::random::Random;
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    batches_are_numbered_without_holes,
    concurrent_batches_are_numbered_without_holes,
    a_created_batch_is_found_as_given,
    an_item_is_in_one_open_batch,
    of_concurrent_batches_one_gets_an_item,
    an_unknown_batch_is_none,
    batches_are_found_newest_first,
    a_search_for_batches_keeps_to_its_stores,
    a_batch_is_started_once,
    a_closed_batch_frees_its_items,
    a_batch_is_closed_once,
    items_in_open_batches_are_found,
];

/// Returns a query for the newest 100 batches.
fn all() -> BatchQuery {
    BatchQuery {
        count: 100,
        ..BatchQuery::default()
    }
}

fn number(number: u32) -> Result<BatchNumber, CaseError> {
    BatchNumber::new(number).ok_or_else(|| CaseError::new("not the number of a batch"))
}

/// Returns the numbers of the batches that match `query`.
async fn found(adapters: &Adapters, query: &BatchQuery) -> Result<Vec<u32>, CaseError> {
    let headers = adapters.batches.search(query).await?;
    Ok(headers.iter().map(|header| header.number.get()).collect())
}

/// Creates `count` batches of one item each.
async fn create_some(
    adapters: &Adapters,
    random: &mut Random,
    count: u32,
) -> Result<Vec<BatchHeader>, CaseError> {
    let mut headers = Vec::new();
    for _ in 0..count {
        let items = places(random, 1);
        let batch = new_batch(random, items);
        headers.push(stored(&adapters.batches, &batch).await?);
    }
    Ok(headers)
}

async fn batches_are_numbered_without_holes(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    for expected in 1..=10 {
        let items = places(random, 2);
        let batch = new_batch(random, items);
        let header = stored(&adapters.batches, &batch).await?;
        same("the number", &header.number.get(), &expected)?;
        // A refused batch must not use a number.
        let refused = adapters.batches.create(&batch).await?;
        holds(
            "the items are taken",
            matches!(refused, CreatedBatch::Taken(_)),
        )?;
        let operator = stamp(random, 1);
        adapters.batches.close(header.number, operator).await?;
    }
    Ok(())
}

/// Creates `batches` concurrently and returns the results.
async fn create_at_once(
    adapters: &Adapters,
    batches: Vec<NewBatch>,
) -> Result<Vec<CreatedBatch>, CaseError> {
    let calls = batches.into_iter().map(|batch| {
        let repository = adapters.batches.clone();
        async move { repository.create(&batch).await }
    });
    let created: Result<Vec<_>, _> = at_once(calls).await?.into_iter().collect();
    Ok(created?)
}

async fn concurrent_batches_are_numbered_without_holes(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut batches = Vec::new();
    for _ in 0..CONCURRENT_CALLS {
        let items = places(random, 3);
        batches.push(new_batch(random, items));
    }
    create_at_once(&adapters, batches).await?;
    let expected: Vec<u32> = (1..=CONCURRENT_CALLS).rev().collect();
    same("the numbers", &found(&adapters, &all()).await?, &expected)
}

async fn a_created_batch_is_found_as_given(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    for size in [1, 7, limits::BATCH_ITEMS] {
        // Two items per order, as far as the size allows.
        let mut items = places(random, size.div_ceil(2));
        for place in items.clone() {
            items.push(sibling(random, place));
        }
        items.truncate(size);
        let batch = new_batch(random, items);
        let header = stored(&adapters.batches, &batch).await?;
        let of_new = BatchHeader::of_new(header.number, &batch);
        same("the header", &header, &of_new)?;
        let expected = Batch {
            header,
            items: batch.items,
        };
        let found = adapters.batches.find(expected.header.number).await?;
        same("the batch", &found, &Some(expected))?;
    }
    Ok(())
}

async fn an_item_is_in_one_open_batch(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let [one, two, free] = [2, 2, 1].map(|count| places(random, count));
    let mut taken = BTreeMap::new();
    for items in [&one, &two] {
        let batch = new_batch(random, items.clone());
        let header = stored(&adapters.batches, &batch).await?;
        taken.extend(items.iter().map(|place| (*place, header.number)));
    }
    let mixed: Vec<ItemRef> = taken.keys().copied().chain(free.clone()).collect();
    let batch = new_batch(random, mixed);
    let refused = adapters.batches.create(&batch).await?;
    same("the taken items", &refused, &CreatedBatch::Taken(taken))?;
    same("the batches", &found(&adapters, &all()).await?, &vec![2, 1])?;
    // The refused batch did not take the free item.
    let batch = new_batch(random, free);
    same(
        "the next number",
        &stored(&adapters.batches, &batch).await?.number.get(),
        &3,
    )?;
    // The same order and item ids in another store belong to another item.
    let twins = one
        .iter()
        .map(|place| ItemRef {
            store: StoreId::new(random.uuid()),
            ..*place
        })
        .collect();
    let batch = new_batch(random, twins);
    stored(&adapters.batches, &batch).await.map(|_| ())
}

async fn of_concurrent_batches_one_gets_an_item(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let shared = places(random, 4);
    let mut batches = Vec::new();
    for index in 0..CONCURRENT_CALLS {
        // Half of the batches list the shared items in reverse: an adapter that locks in this order
        // could deadlock.
        let mut items = places(random, 2);
        let ascending = index % 2 == 0;
        match ascending {
            true => items.extend(&shared),
            false => items.extend(shared.iter().rev()),
        }
        items.extend(places(random, 2));
        batches.push(new_batch(random, items));
    }
    let created = create_at_once(&adapters, batches).await?;
    let won = created
        .iter()
        .filter(|created| matches!(created, CreatedBatch::Stored(_)));
    same("batches stored", &won.count(), &1)?;
    for refused in &created {
        if let CreatedBatch::Taken(taken) = refused {
            same("items taken", &taken.len(), &shared.len())?;
        }
    }
    same("the batches", &found(&adapters, &all()).await?, &vec![1])
}

async fn an_unknown_batch_is_none(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    create_some(&adapters, random, 1).await?;
    for unknown in [2, BatchNumber::MAX] {
        let unknown = number(unknown)?;
        let batches = &adapters.batches;
        same("the batch", &batches.find(unknown).await?, &None)?;
        let operator = stamp(random, 0);
        same("the start", &batches.start(unknown, operator).await?, &None)?;
        same("the close", &batches.close(unknown, operator).await?, &None)?;
    }
    Ok(())
}

async fn batches_are_found_newest_first(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let headers = create_some(&adapters, random, 9).await?;
    for header in headers.iter().filter(|header| header.number.get() % 3 == 0) {
        let operator = stamp(random, 1);
        adapters.batches.close(header.number, operator).await?;
    }
    for (open, before, count, expected) in [
        (None, None, 100, vec![9, 8, 7, 6, 5, 4, 3, 2, 1]),
        (Some(true), None, 3, vec![8, 7, 5]),
        (Some(true), Some(5), 100, vec![4, 2, 1]),
        (Some(false), None, 2, vec![9, 6]),
        (Some(false), Some(6), 2, vec![3]),
        (None, Some(1), 2, vec![]),
        (None, Some(4), 2, vec![3, 2]),
    ] {
        let query = BatchQuery {
            open,
            before: before.map(number).transpose()?,
            count,
            ..BatchQuery::default()
        };
        let what = format!("open {open:?}, before {before:?}");
        same(&what, &found(&adapters, &query).await?, &expected)?;
    }
    Ok(())
}

async fn a_search_for_batches_keeps_to_its_stores(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let stores = [(); 3].map(|()| StoreId::new(random.uuid()));
    let [one, two, three] = stores;
    for of in [
        vec![one],
        vec![two, one],
        vec![two, two],
        vec![one, two, three],
    ] {
        let items = of.into_iter().map(|store| place(random, store)).collect();
        let batch = new_batch(random, items);
        stored(&adapters.batches, &batch).await?;
    }
    // A batch with an item of another store must not be found.
    for (within, expected) in [
        (vec![one], vec![1]),
        (vec![two], vec![3]),
        (vec![three], vec![]),
        (vec![one, two], vec![3, 2, 1]),
        (vec![one, two, three], vec![4, 3, 2, 1]),
        (vec![], vec![]),
    ] {
        let mut query = BatchQuery {
            within: Some(BTreeSet::from_iter(within)),
            ..all()
        };
        same("the batches", &found(&adapters, &query).await?, &expected)?;
        query.count = 1;
        let first: Vec<u32> = expected.into_iter().take(1).collect();
        same("the first", &found(&adapters, &query).await?, &first)?;
    }
    Ok(())
}

async fn a_batch_is_started_once(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let batches = &adapters.batches;
    let headers = create_some(&adapters, random, 2).await?;
    let [mut started, mut unstarted] =
        <[BatchHeader; 2]>::try_from(headers).map_err(|_| CaseError::new("not two batches"))?;
    let first = stamp(random, 1);
    started.started = Some(first);
    // The second start has no effect.
    for operator in [first, stamp(random, 2)] {
        let now = batches.start(started.number, operator).await?;
        same("the started batch", &now.as_ref(), &Some(&started))?;
    }
    let closed = stamp(random, 3);
    unstarted.closed = Some(closed);
    batches.close(unstarted.number, closed).await?;
    let late = stamp(random, 4);
    let now = batches.start(unstarted.number, late).await?;
    same("the closed batch", &now.as_ref(), &Some(&unstarted))?;
    let stored = batches.search(&all()).await?;
    same("the batches", &stored, &vec![unstarted, started])
}

async fn a_closed_batch_frees_its_items(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let batches = &adapters.batches;
    let items = places(random, 3);
    let batch = new_batch(random, items.clone());
    let header = stored(batches, &batch).await?;
    let operator = stamp(random, 1);
    let closed = batches.close(header.number, operator).await?;
    let expected = BatchHeader {
        closed: Some(operator),
        ..header
    };
    same("the closed batch", &closed.as_ref(), &Some(&expected))?;
    let again = stored(batches, &new_batch(random, items.clone())).await?;
    same("the next number", &again.number.get(), &2)?;
    let kept = batches.find(expected.number).await?;
    let closed = Batch {
        header: expected,
        items,
    };
    same("the closed batch", &kept, &Some(closed))
}

async fn a_batch_is_closed_once(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let batches = &adapters.batches;
    let items = places(random, 2);
    let first = stored(batches, &new_batch(random, items.clone())).await?;
    let closed = stamp(random, 1);
    let expected = BatchHeader {
        closed: Some(closed),
        ..first
    };
    batches.close(expected.number, closed).await?;
    let next = stored(batches, &new_batch(random, items.clone())).await?;
    // Closing the first batch again neither changes it nor frees the items of the second batch.
    let later = stamp(random, 2);
    let now = batches.close(expected.number, later).await?;
    same("the closed batch", &now.as_ref(), &Some(&expected))?;
    let taken = items.iter().map(|place| (*place, next.number));
    let taken = CreatedBatch::Taken(taken.collect());
    let refused = batches.create(&new_batch(random, items)).await?;
    same("the taken items", &refused, &taken)
}

async fn items_in_open_batches_are_found(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let batches = &adapters.batches;
    let store = StoreId::new(random.uuid());
    let first = place(random, store);
    let items = vec![first, sibling(random, first), place(random, store)];
    let (unbatched, elsewhere) = (sibling(random, first), places(random, 1));
    let orders = [first.order, unbatched.order];
    let mut mixed = items.clone();
    mixed.extend(elsewhere);
    let open = stored(batches, &new_batch(random, mixed)).await?;
    let items_of = items.iter().map(|place| (*place, open.number));
    let mut expected: BTreeMap<ItemRef, BatchNumber> = items_of.collect();
    let asked: Vec<_> = items.iter().map(|place| place.order).collect();
    let found = batches.in_open_batches(store, &asked).await?;
    same("items in batches", &found, &expected)?;
    let found = batches.in_open_batches(store, &orders).await?;
    expected.retain(|place, _| place.order == first.order);
    same("items of one order", &found, &expected)?;
    let other = StoreId::new(random.uuid());
    let found = batches.in_open_batches(other, &orders).await?;
    same("items of another store", &found, &BTreeMap::new())?;
    let operator = stamp(random, 1);
    batches.close(open.number, operator).await?;
    let found = batches.in_open_batches(store, &asked).await?;
    same("items of a closed batch", &found, &BTreeMap::new())
}

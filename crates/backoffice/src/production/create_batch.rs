//! Creation of batches.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::ProductionError;
use super::batch::{BatchNumber, ItemRef, NewBatch};
use super::batches::BatchView;
use super::code::ItemCode;
use super::draft::BatchDraft;
use super::port::CreatedBatch;
use super::service::{ProductionService, item_numbered};
use crate::operator::Operator;
use pressline_domain::check::{IssueCode, Report, Violation};
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::OrderError;
use pressline_domain::value::ItemId;

/// Enough reads to be fast, and few enough to leave database connections to other requests.
const CONCURRENT_READS: usize = 8;

enum ItemCheck {
    Producible(ItemRef),
    Unknown,
    Refused(ItemId, OrderError),
}

impl ProductionService {
    /// Creates a batch of the items that `draft` names, without changing the items. Each item must
    /// be ready or in production. If any item is refused, no batch is created.
    ///
    /// # Errors
    /// [`OrderError::UnknownItem`] if an item does not exist, [`ProductionError::NotProducible`] if
    /// its status does not permit production, or [`ProductionError::ItemsInBatch`] if it is in an
    /// open batch. The error lists all refused items.
    #[pressline_kit::boxed]
    pub async fn create_batch(
        &self,
        operator: &Operator,
        draft: &BatchDraft,
        by: &Caller,
    ) -> Result<BatchView, ProductionError> {
        let mut report = Report::default();
        let (codes, name) = draft.check(&mut report)?;
        let checks = self.find_items(operator, &codes, by).await?;
        let batch = NewBatch {
            name,
            created: self.stamp(operator),
            items: all_producible(checks, &codes)?,
        };
        match self.batches.create(&batch).await? {
            CreatedBatch::Stored(header) => Ok(BatchView {
                warnings: report.warnings,
                ..self.view(header, &batch.items).await?
            }),
            CreatedBatch::Taken(taken) => Err(in_batches(&batch, &codes, &taken)),
        }
    }

    /// Returns the results sorted by order, each with its index in `codes`.
    async fn find_items(
        &self,
        operator: &Operator,
        codes: &[ItemCode],
        by: &Caller,
    ) -> Result<Vec<(usize, ItemCheck)>, OrderError> {
        // An order is read once, however many of its items are in the request.
        let mut groups: BTreeMap<String, Vec<(usize, &ItemCode)>> = BTreeMap::new();
        for (index, code) in codes.iter().enumerate() {
            let of_order = groups.entry(code.order.to_string()).or_default();
            of_order.push((index, code));
        }
        let by_order = groups.into_iter();
        let reads: Vec<_> = by_order
            .map(|(number, codes)| self.find_items_of(operator, number, codes, by))
            .collect();
        let checks: Vec<Vec<(usize, ItemCheck)>> = stream::iter(reads)
            .buffered(CONCURRENT_READS)
            .try_collect()
            .await?;
        Ok(checks.into_iter().flatten().collect())
    }

    async fn find_items_of(
        &self,
        operator: &Operator,
        number: String,
        codes: Vec<(usize, &ItemCode)>,
        by: &Caller,
    ) -> Result<Vec<(usize, ItemCheck)>, OrderError> {
        let reached_order = match self.orders.reached(self.scope(operator), &number).await {
            Ok(order) => Some(order),
            Err(OrderError::NotFound) => None,
            Err(error) => return Err(error),
        };
        let mut items = Vec::with_capacity(codes.len());
        for (index, code) in codes {
            let order = reached_order.as_ref();
            let order_and_item =
                order.and_then(|order| Some((order, item_numbered(order, code.number)?)));
            let check = match order_and_item {
                None => ItemCheck::Unknown,
                Some((order, (_, state))) => match self.check_producible(order, state, by) {
                    Ok(()) => ItemCheck::Producible(ItemRef::new(order, state.id)),
                    // Collected, because the response lists all refused items.
                    Err(error @ OrderError::IllegalTransition { .. }) => {
                        ItemCheck::Refused(state.id, error)
                    }
                    Err(error) => return Err(error),
                },
            };
            items.push((index, check));
        }
        Ok(items)
    }
}

fn all_producible(
    mut checks: Vec<(usize, ItemCheck)>,
    codes: &[ItemCode],
) -> Result<Vec<ItemRef>, ProductionError> {
    // The items were looked up by order; `codes` are in the order of the request.
    checks.sort_by_key(|(index, _)| *index);
    let (mut places, mut unknown) = (Vec::new(), Vec::new());
    let (mut first, mut items, mut violations) = (None, Vec::new(), Vec::new());
    for ((index, check), code) in checks.into_iter().zip(codes) {
        match check {
            ItemCheck::Producible(place) => places.push(place),
            ItemCheck::Unknown => {
                let message = format!("there is no item {code}");
                unknown.push(violation(index, IssueCode::UnknownItem, message));
            }
            ItemCheck::Refused(item, error) => {
                let message = match &error {
                    OrderError::IllegalTransition { from, .. } => format!("{code} is {from}"),
                    other => format!("{code}: {other}"),
                };
                violations.push(violation(index, IssueCode::NotProducible, message));
                items.push(item);
                first.get_or_insert(error);
            }
        }
    }
    if !unknown.is_empty() {
        return Err(OrderError::UnknownItem(unknown).into());
    }
    match first.map(Box::new) {
        None => Ok(places),
        Some(first) => Err(ProductionError::NotProducible {
            first,
            items,
            violations,
        }),
    }
}

fn violation(index: usize, code: IssueCode, message: String) -> Violation {
    Violation {
        field: format!("items[{index}]"),
        code,
        message,
    }
}

fn in_batches(
    batch: &NewBatch,
    codes: &[ItemCode],
    batches: &BTreeMap<ItemRef, BatchNumber>,
) -> ProductionError {
    let items = batch.items.iter().zip(codes).enumerate();
    let violations = items.filter_map(|(index, (place, code))| {
        let message = format!("{code} is in {}", batches.get(place)?);
        Some(violation(index, IssueCode::InBatch, message))
    });
    ProductionError::ItemsInBatch(violations.collect())
}

//! Making items of an order again with a new order; the two orders then name each other.

use super::error::defect;
use super::find::{NamedOrder, OrderScope};
use super::priced::{ItemPosition, PriceRequest, Purpose};
use super::request::{ReplaceDraft, ReplacedItem, ValidReplace, unknown_item};
use super::writer::{ATTEMPTS, too_many_changes};
use super::{
    LineItem, NewOrder, Order, OrderError, OrderIdentity, OrderParts, OrderPlacer, OrderWrite,
    Placed, Source,
};
use crate::catalog::CatalogVersion;
use crate::check::{IssueCode, Path, Report};
use crate::error::RepositoryError;
use crate::fulfilment::{Caller, Context, Decision, place, replace};
use crate::pricing::fees::Bill;
use crate::store::Store;
use crate::value::{ItemId, OrderId, ServiceOrderId};

impl OrderPlacer {
    /// Makes items of an order again with a new order. The new order is free unless `draft.charge`
    /// is true. Both orders then name each other. A repeated request returns the same new order.
    ///
    /// The new order is written first. Its order id is derived from the number and the version of
    /// the replaced order. A request that is repeated after a crash therefore finds the new order,
    /// and records it in the replaced order.
    ///
    /// # Errors
    /// - [`OrderError::Invalid`] if `draft` is invalid.
    /// - [`OrderError::UnknownItem`] if `draft` names an item that the order does not have.
    /// - [`OrderError::NotFound`] if the order is not in `reach`.
    /// - [`OrderError::VersionConflict`] if the order has another version.
    /// - [`OrderError::Duplicate`] if a different request has replaced this version.
    /// - [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn replace<'a>(
        &'a self,
        reach: OrderScope<'a>,
        draft: &ReplaceDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let valid = draft.check()?;
        let reader = &self.writer.reader;
        let named_order = reader.named(reach, &valid.order_id).await?;
        for _ in 0..ATTEMPTS {
            let stored = reader.stored(&named_order).await?;
            let order_id = replacement_id(&stored.service_order_id, valid.version);
            // Must precede the check of the version, which the first request has increased.
            if let Some(existing) = reader.existing(&named_order.store, &order_id).await? {
                check_same(&valid, &stored, &existing)?;
                return self
                    .both_named(&named_order, existing, &valid, by, true)
                    .await;
            }
            let current = stored.state.version;
            if valid.version != current {
                return Err(OrderError::VersionConflict { current });
            }
            let made = self
                .make(&named_order.store, &stored, &valid, order_id, by)
                .await;
            match made {
                Ok(order) => {
                    return self
                        .both_named(&named_order, order, &valid, by, false)
                        .await;
                }
                // Lost a race against the same request, or against an import.
                Err(OrderError::Repository(
                    RepositoryError::Duplicate(_) | RepositoryError::CatalogChanged,
                )) => {}
                Err(error) => return Err(error),
            }
        }
        Err(too_many_changes())
    }

    async fn make(
        &self,
        store: &Store,
        replaced: &Order,
        valid: &ValidReplace,
        order_id: String,
        by: &Caller,
    ) -> Result<Order, OrderError> {
        let now = self.writer.now();
        let new_id = || ItemId::new(self.writer.ids.next(now));
        let mut parts = OrderParts {
            id: OrderId::new(self.writer.ids.next(now)),
            order_id,
            source: Source::App,
            items: items(replaced, &valid.items, &new_id)?,
            // Fees of 0 are known fees, so the order counts as priced.
            bill: Bill::free_of(replaced.content.kind().needed_fees()),
            priced_at: now,
            fingerprint: valid.fingerprint(),
            ..replaced.parts().clone()
        };
        let catalog = if valid.charge {
            Some(self.charge(store, &mut parts).await?)
        } else {
            None
        };
        let context = Context {
            reason: valid.reason.clone(),
            ..by.at(parts.created_at())
        };
        // No cooling-off window: production begins immediately.
        let placement = place(&parts, 0, &context)
            .map_err(defect)?
            .replacing(replaced.service_order_id.clone());
        let write = OrderWrite::create(NewOrder::new(parts, placement)?);
        // Unlike other callers, `replace` handles a duplicate itself.
        Ok(self.writer.write_with(write, catalog).await?)
    }

    async fn charge(
        &self,
        store: &Store,
        parts: &mut OrderParts,
    ) -> Result<CatalogVersion, OrderError> {
        // Without positions, findings are only warnings.
        let positions: Vec<Option<ItemPosition>> = vec![None; parts.items.len()];
        let mut items = std::mem::take(&mut parts.items);
        let request = PriceRequest {
            store,
            order: parts,
            purpose: Purpose::Write,
            is_new: false,
            positions: &positions,
        };
        let mut report = Report::default();
        let price = self
            .writer
            .pricing
            .price(&request, &mut items, &mut report)
            .await?;
        parts.items = items;
        report.check()?;
        parts.bill = price.bill;
        Ok(price.catalog)
    }

    async fn both_named(
        &self,
        named_order: &NamedOrder<'_>,
        new: Order,
        valid: &ValidReplace,
        by: &Caller,
        replayed: bool,
    ) -> Result<Placed, OrderError> {
        for _ in 0..ATTEMPTS {
            let stored = self.writer.reader.stored(named_order).await?;
            // For any version: the new order exists, so the replaced order must name it.
            let context = self.writer.context(by, &valid.reason, None);
            let number = new.service_order_id.clone();
            let decision = replace(&stored, number, &context);
            let is_written =
                match decision.map_err(|refusal| OrderError::refused(refusal, &stored))? {
                    Decision::Unchanged => true,
                    Decision::Changed(change) => {
                        self.writer.write_priced(*change, None).await?.is_some()
                    }
                };
            if is_written {
                return Ok(Placed {
                    order: new,
                    warnings: valid.warnings.clone(),
                    replayed,
                });
            }
        }
        Err(too_many_changes())
    }
}

/// Callers never see this id: responses contain the service order id instead.
fn replacement_id(replaced: &ServiceOrderId, version: u32) -> String {
    format!("{replaced}~r{version}")
}

fn check_same(valid: &ValidReplace, replaced: &Order, made: &Order) -> Result<(), OrderError> {
    let is_replacement = made.state.replaces.as_ref() == Some(&replaced.service_order_id);
    let stored = &made.content.fingerprint;
    if is_replacement && stored.same_request(&valid.fingerprint()) {
        return Ok(());
    }
    Err(OrderError::Duplicate {
        existing: OrderIdentity::new(made),
        differing: valid.differing(stored),
    })
}

fn items(
    replaced: &Order,
    wanted: &[ReplacedItem],
    new_id: &dyn Fn() -> ItemId,
) -> Result<Vec<LineItem>, OrderError> {
    let (mut items, mut unknown, mut report) = (Vec::new(), Report::default(), Report::default());
    let list = Path::Root.key("line_items");
    for wanted in wanted {
        let path = list.index(wanted.index);
        let Some(line) = wanted.id.and_then(|id| replaced.line(id)) else {
            unknown_item(wanted.index, &mut unknown);
            continue;
        };
        if wanted.quantity > line.quantity {
            let message = format!("the item has {} units", line.quantity);
            report.violation(&path.key("quantity"), IssueCode::OutOfRange, message);
        }
        items.push(LineItem {
            id: new_id(),
            quantity: wanted.quantity,
            ..line.clone()
        });
    }
    if !unknown.violations.is_empty() {
        return Err(OrderError::UnknownItem(unknown.violations));
    }
    report.check()?;
    Ok(items)
}

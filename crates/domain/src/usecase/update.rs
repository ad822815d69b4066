//! Changing an order: all of a request or nothing of it.

use crate::catalog::CatalogVersion;
use crate::field::Field;
use crate::limits;
use crate::order::{LineItem, Order, OrderKind, OrderParts};
use crate::ports::{OrderWrite, RepositoryError};
use crate::report::{Path, Report, code};
use crate::request::{ItemReplacement, ItemUpdate, OptionalChange, UpdateDraft, ValidUpdate, item_id};
use crate::store::Store;

use super::price::{Place, Purpose, Subject};
use super::repriced::repriced;
use super::{OrderError, OrderService, Placed, Quote, QuotedOrder};

/// How often an update is decided anew when another one came in between. Of updates at once one wins each round, so
/// that this many of them can all be carried out.
const ATTEMPTS: usize = 64;

/// The items of an order after an update, each with its place in the request.
struct Edited {
    items: Vec<LineItem>,
    places: Vec<Option<Place>>,
}

impl OrderService {
    /// Changes an order.
    ///
    /// # Errors
    /// Every [`OrderError`] but [`OrderError::Duplicate`].
    pub async fn update(&self, store: &Store, draft: &UpdateDraft) -> Result<Placed, OrderError> {
        let valid = self.checked(store, draft).await?;
        for _ in 0..ATTEMPTS {
            let stored = self.stored(store, &valid.order_id).await?.ok_or(OrderError::NotFound)?;
            let mut report = Report { violations: Vec::new(), warnings: valid.warnings.clone() };
            let (order, catalog) = self.decide(store, &stored, valid.clone(), false, &mut report).await?;
            let expected = stored.parts().version;
            match self.orders.write(OrderWrite::update(order, expected).priced_with(catalog)).await {
                Ok(order) => return Ok(Placed { order, warnings: report.warnings, replayed: false }),
                Err(RepositoryError::Stale) => {}
                Err(RepositoryError::CatalogChanged) => self.offers.forget(catalog),
                Err(error) => return Err(error.into()),
            }
        }
        Err(OrderError::Repository(RepositoryError::Unavailable(
            "too many updates of one order at once".into(),
        )))
    }

    /// What an update would come to, storing nothing.
    ///
    /// # Errors
    /// As [`OrderService::update`].
    pub async fn quote_update(&self, store: &Store, draft: &UpdateDraft) -> Result<Quote, OrderError> {
        let valid = self.checked(store, draft).await?;
        let stored = self.stored(store, &valid.order_id).await?.ok_or(OrderError::NotFound)?;
        let mut report = Report { violations: Vec::new(), warnings: valid.warnings.clone() };
        let (order, _) = self.decide(store, &stored, valid, true, &mut report).await?;
        let is_stored = |id| stored.parts().items.iter().any(|item| item.id == id);
        let unstored = order.parts().items.iter().map(|item| item.id).filter(|id| !is_stored(*id)).collect();
        Ok(Quote { order: QuotedOrder::Existing(Box::new(order)), unstored, warnings: report.warnings })
    }

    async fn checked(&self, store: &Store, draft: &UpdateDraft) -> Result<ValidUpdate, OrderError> {
        match draft.check() {
            Ok(valid) => Ok(valid),
            Err(report) => Err(self.with_missing_address(store, draft, report).await?.into()),
        }
    }

    /// A missing shipping address is one more problem to report, but only of an order that needs one.
    async fn with_missing_address(
        &self,
        store: &Store,
        draft: &UpdateDraft,
        mut report: Report,
    ) -> Result<Report, RepositoryError> {
        let order_id = draft.order_id.text().filter(|given| limits::is_order_id(given));
        let missing = match &draft.shipping_address {
            Field::Absent | Field::Blank => true,
            Field::Value(address) => address.is_empty(),
            Field::Wrong(_) => false,
        };
        if missing
            && let Some(given) = order_id
            && self.stored(store, given).await?.is_some_and(|order| order.parts().kind == OrderKind::Manual)
        {
            address_required(&mut report);
        }
        Ok(report)
    }

    /// The order as it shall be, and the state of the catalog that its prices come from. Pure but for the prices, which the catalog is asked for.
    async fn decide(
        &self,
        store: &Store,
        stored: &Order,
        valid: ValidUpdate,
        fresh: bool,
        report: &mut Report,
    ) -> Result<(Order, CatalogVersion), OrderError> {
        let parts = stored.parts();
        let has_address = matches!(valid.shipping_address, OptionalChange::Set(Some(_)));
        if parts.kind == OrderKind::Manual && !has_address {
            address_required(report);
            return Err(std::mem::take(report).into());
        }
        if valid.version.is_some_and(|version| version != parts.version) {
            return Err(OrderError::VersionConflict { current: parts.version });
        }
        if !stored.is_editable() {
            return Err(OrderError::NotEditable);
        }
        let mut edited = self.edit(parts, valid.items, report)?;
        let mut changed = OrderParts { customer: valid.customer, ..parts.clone() };
        valid.shipping_address.apply(&mut changed.shipping_address);
        valid.billing_address.apply(&mut changed.billing_address);
        valid.production_note.apply(&mut changed.production_note);
        valid.email.apply(&mut changed.email);
        let purpose =
            Purpose { creating: false, strict: store.settings.strict_catalog, places: &edited.places };
        let destination = changed.shipping_address.as_ref();
        let (kind, currency, at) = (&parts.kind, parts.currency, self.clock.now());
        let subject = Subject { store: store.id, kind, currency, destination, at, fresh };
        let price = self.price(&subject, &mut edited.items, &purpose, report).await?;
        changed.fees = price.fees;
        changed.fee_lines = price.lines;
        changed.priced_at = at;
        changed.items = edited.items;
        if !report.violations.is_empty() {
            return Err(std::mem::take(report).into());
        }
        report.warnings.extend(repriced(parts, &changed));
        Ok((stored.changed(changed, at)?, price.catalog))
    }

    fn edit(
        &self,
        parts: &OrderParts,
        updates: Vec<(usize, ItemUpdate)>,
        report: &mut Report,
    ) -> Result<Edited, OrderError> {
        let list = Path::Root.key("line_items");
        let mut unknown = Report::default();
        let mut places: Vec<Option<Place>> = vec![None; parts.items.len()];
        let mut removed = vec![false; parts.items.len()];
        let mut items = parts.items.clone();
        let mut added = Vec::new();
        for (index, update) in updates {
            let (id, change) = match update {
                ItemUpdate::Add(item) => {
                    added.push((self.new_item(item, self.clock.now()), Some(Place { index, binding: true })));
                    continue;
                }
                ItemUpdate::Remove(id) => (id, None),
                ItemUpdate::Change { id, change } => (id, Some(change)),
            };
            let found = item_id(&id).and_then(|id| parts.items.iter().position(|item| item.id == id));
            let slots =
                found.and_then(|at| Some((items.get_mut(at)?, places.get_mut(at)?, removed.get_mut(at)?)));
            let Some((item, place, gone)) = slots else {
                let message = "the order has no such item; use the `id` of an entry of its childDetails";
                unknown.violation(&list.index(index).key("appItemId"), code::UNKNOWN_ITEM, message);
                continue;
            };
            match change {
                Some(change) => {
                    let binding = change.sku.is_some() || change.ship_class != OptionalChange::Keep;
                    *place = Some(Place { index, binding });
                    change.apply(item);
                }
                None => *gone = true,
            }
        }
        if !unknown.violations.is_empty() {
            return Err(OrderError::UnknownItem(unknown.violations));
        }
        let kept = items.into_iter().zip(places).zip(removed).filter(|(_, gone)| !gone).map(|(kept, _)| kept);
        let (items, places): (Vec<_>, Vec<_>) = kept.chain(added).unzip();
        if items.is_empty() {
            report.violation(&list, code::OUT_OF_RANGE, "an order keeps at least one item");
        }
        if items.len() > limits::LINE_ITEMS {
            let message =
                format!("{} line items then; at most {} in one order", items.len(), limits::LINE_ITEMS);
            report.violation(&list, code::TOO_LONG, message);
        }
        if report.violations.is_empty() {
            Ok(Edited { items, places })
        } else {
            Err(std::mem::take(report).into())
        }
    }
}

impl ItemReplacement {
    fn apply(self, item: &mut LineItem) {
        self.name.apply(&mut item.name);
        self.ref_id.apply(&mut item.ref_id);
        self.ship_class.apply(&mut item.ship_class);
        item.sku = self.sku.unwrap_or_else(|| std::mem::take(&mut item.sku));
        item.quantity = self.quantity.unwrap_or(item.quantity);
        item.file_urls = self.file_urls.unwrap_or_else(|| std::mem::take(&mut item.file_urls));
        item.mockup_images = self.mockup_images.unwrap_or_else(|| std::mem::take(&mut item.mockup_images));
    }
}

fn address_required(report: &mut Report) {
    report.required(&Path::Root.key("shipping_address"), "where the order goes");
}

//! Changing an order: all of a request or nothing of it.

use super::OrderWrite;
use super::request::{ItemUpdate, ItemValues, OptionalChange, UpdateDraft, ValidUpdate, item_id};
use crate::catalog::CatalogVersion;
use crate::error::RepositoryError;
use crate::field::Field;
use crate::id::ItemId;
use crate::limits;
use crate::order::{LineItem, Order, OrderKind, OrderParts};
use crate::report::{IssueCode, Path, Report, Violation};
use crate::store::Store;

use super::content::{check_content, refused};
use super::error::check_words;
use super::price::{ItemPosition, PriceRequest, Purpose, total_incomplete};
use super::repriced::repriced;
use super::{DryRun, DryRunOrder, OrderError, OrderService, Placed};

/// How often an update is decided anew when another one came in between. Of updates at once one
/// wins each round, so that this many of them can all be carried out.
const ATTEMPTS: usize = 64;

/// The items of an order after an update, each with its position in the request.
struct Edited {
    items: Vec<LineItem>,
    positions: Vec<Option<ItemPosition>>,
}

/// An item after an update, with its position in the request.
type EditedItem = (LineItem, Option<ItemPosition>);

/// What an update comes to.
enum Decision {
    /// The request asks for nothing that differs from what is stored.
    Unchanged,
    /// The order as its next version, and the state of the catalog that it was priced with.
    Changed(Box<Order>, CatalogVersion),
}

impl OrderService {
    /// Changes an order. A request that changes nothing leaves it as it is, prices and version
    /// included.
    ///
    /// # Errors
    /// Every [`OrderError`] but [`OrderError::Duplicate`].
    pub async fn update(&self, store: &Store, draft: &UpdateDraft) -> Result<Placed, OrderError> {
        let valid = self.checked(store, draft).await?;
        for _ in 0..ATTEMPTS {
            let stored = self
                .stored(store, &valid.order_id)
                .await?
                .ok_or(OrderError::NotFound)?;
            let mut report = Report {
                violations: Vec::new(),
                warnings: valid.warnings.clone(),
            };
            let decision = self
                .decide(store, &stored, valid.clone(), Purpose::Write, &mut report)
                .await?;
            let Decision::Changed(order, catalog) = decision else {
                return Ok(Placed {
                    order: stored,
                    warnings: report.warnings,
                    replayed: false,
                });
            };
            let expected = stored.parts().version;
            match self
                .orders
                .write(OrderWrite::update(*order, expected).priced_with(catalog))
                .await
            {
                Ok(order) => {
                    return Ok(Placed {
                        order,
                        warnings: report.warnings,
                        replayed: false,
                    });
                }
                Err(RepositoryError::Stale) => {}
                Err(RepositoryError::CatalogChanged) => self.catalog.forget(catalog),
                Err(error) => return Err(error.into()),
            }
        }
        Err(OrderError::Repository(RepositoryError::Unavailable(
            "too many updates of one order at once".into(),
        )))
    }

    /// Returns what [`OrderService::update`] would result in. Stores nothing.
    ///
    /// # Errors
    /// As [`OrderService::update`].
    pub async fn dry_run_update(
        &self,
        store: &Store,
        draft: &UpdateDraft,
    ) -> Result<DryRun, OrderError> {
        let valid = self.checked(store, draft).await?;
        let stored = self
            .stored(store, &valid.order_id)
            .await?
            .ok_or(OrderError::NotFound)?;
        let mut report = Report {
            violations: Vec::new(),
            warnings: valid.warnings.clone(),
        };
        let order = match self
            .decide(store, &stored, valid, Purpose::DryRun, &mut report)
            .await?
        {
            Decision::Unchanged => Box::new(stored.clone()),
            Decision::Changed(order, _) => {
                check_words(order.parts())?;
                order
            }
        };
        let is_stored = |id| stored.parts().items.iter().any(|item| item.id == id);
        let unstored = order
            .parts()
            .items
            .iter()
            .map(|item| item.id)
            .filter(|id| !is_stored(*id))
            .collect();
        Ok(DryRun {
            order: DryRunOrder::Existing(order),
            unstored,
            shipping_options: None,
            warnings: report.warnings,
        })
    }

    async fn checked(&self, store: &Store, draft: &UpdateDraft) -> Result<ValidUpdate, OrderError> {
        let new_id = || ItemId::new(self.ids.next(self.clock.now()));
        match draft.check(&new_id) {
            Ok(valid) => Ok(valid),
            Err(report) => Err(self
                .with_missing_address(store, draft, report)
                .await?
                .into()),
        }
    }

    /// A missing shipping address is one more problem to report, but only of an order that needs
    /// one.
    async fn with_missing_address(
        &self,
        store: &Store,
        draft: &UpdateDraft,
        mut report: Report,
    ) -> Result<Report, RepositoryError> {
        let order_id = draft
            .order_id
            .text()
            .filter(|given| limits::is_order_id(given));
        let missing = match &draft.shipping_address {
            Field::Absent => true,
            Field::Value(address) => address.is_empty(),
            Field::Wrong(_) => false,
        };
        if missing
            && let Some(given) = order_id
            && self
                .stored(store, given)
                .await?
                .is_some_and(|order| order.parts().kind() == OrderKind::Manual)
        {
            address_required(&mut report);
        }
        Ok(report)
    }

    /// Decides what becomes of the order. Apart from the prices, for which the catalog is asked,
    /// this is pure.
    async fn decide(
        &self,
        store: &Store,
        stored: &Order,
        mut valid: ValidUpdate,
        purpose: Purpose,
        report: &mut Report,
    ) -> Result<Decision, OrderError> {
        let parts = stored.parts();
        check_allowed(stored, &valid, report)?;
        let updates = std::mem::take(&mut valid.items);
        let Edited { items, positions } = edit(parts, updates, report)?;
        let mut changed = OrderParts {
            items,
            ..parts.clone()
        };
        valid.apply(&mut changed);
        // Compared before pricing, so that a request that changes nothing does not take up new
        // prices either.
        if changed == *parts {
            report
                .warnings
                .extend(total_incomplete(parts.kind(), &parts.bill));
            return Ok(Decision::Unchanged);
        }
        let at = self.clock.now();
        let request = PriceRequest {
            store,
            kind: parts.kind(),
            currency: parts.currency,
            address: changed.shipping_address.as_ref(),
            at,
            purpose,
            is_new: false,
            positions: &positions,
        };
        let price = self.price(&request, &mut changed.items, report).await?;
        changed.bill = price.bill;
        changed.priced_at = at;
        if !report.violations.is_empty() {
            check_content(changed.content_bytes(), report);
            return Err(std::mem::take(report).into());
        }
        let repriced = repriced(parts, &changed);
        match stored.changed(changed, at) {
            Ok(order) => {
                report.warnings.extend(repriced);
                Ok(Decision::Changed(Box::new(order), price.catalog))
            }
            Err(error) => Err(refused(error, report)),
        }
    }
}

/// Checks what depends on the stored order: whether it may be without an address, its version, and
/// whether it can still be changed.
fn check_allowed(
    stored: &Order,
    valid: &ValidUpdate,
    report: &mut Report,
) -> Result<(), OrderError> {
    let parts = stored.parts();
    let has_address = matches!(valid.shipping_address, OptionalChange::Set(Some(_)));
    if parts.kind() == OrderKind::Manual && !has_address {
        address_required(report);
        return Err(std::mem::take(report).into());
    }
    let current = parts.version;
    if valid.version.is_some_and(|version| version != current) {
        return Err(OrderError::VersionConflict { current });
    }
    if !stored.is_editable() {
        return Err(OrderError::NotEditable(items_in_production(parts)));
    }
    Ok(())
}

/// Returns the items of the order after the updates: the stored ones in their order, then the new
/// ones.
fn edit(
    parts: &OrderParts,
    updates: Vec<(usize, ItemUpdate)>,
    report: &mut Report,
) -> Result<Edited, OrderError> {
    let mut unknown = Report::default();
    let mut stored: Vec<Option<EditedItem>> = parts
        .items
        .iter()
        .map(|item| Some((item.clone(), None)))
        .collect();
    let mut added = Vec::new();
    for (index, update) in updates {
        let (id, change) = match update {
            ItemUpdate::Add(item) => {
                added.push((*item, ItemPosition::of_new(index)));
                continue;
            }
            ItemUpdate::Remove(id) => (id, None),
            ItemUpdate::Change { id, change } => (id, Some(change)),
        };
        let found = item_id(&id).and_then(|id| parts.items.iter().position(|item| item.id == id));
        let Some(place) = found.and_then(|found| stored.get_mut(found)) else {
            report_unknown_item(index, &mut unknown);
            continue;
        };
        *place = place.take().zip(change).map(|((mut item, _), change)| {
            let binding = change.chooses_product(&item);
            change.apply(&mut item);
            (item, Some(ItemPosition { index, binding }))
        });
    }
    if !unknown.violations.is_empty() {
        return Err(OrderError::UnknownItem(unknown.violations));
    }
    let (items, positions): (Vec<_>, Vec<_>) = stored.into_iter().flatten().chain(added).unzip();
    check_count(items.len(), report);
    if report.violations.is_empty() {
        Ok(Edited { items, positions })
    } else {
        Err(std::mem::take(report).into())
    }
}

fn report_unknown_item(index: usize, report: &mut Report) {
    let list = Path::Root.key("line_items");
    let message = "the order has no such item; use the `id` of an entry of its childDetails";
    let path = list.index(index);
    report.violation(&path.key("appItemId"), IssueCode::UnknownItem, message);
}

/// Checks how many items the order has after the update.
fn check_count(items: usize, report: &mut Report) {
    let list = Path::Root.key("line_items");
    if items == 0 {
        let message = "an order keeps at least one item";
        report.violation(&list, IssueCode::OutOfRange, message);
    }
    if items > limits::LINE_ITEMS {
        let most = limits::LINE_ITEMS;
        let message = format!("{items} line items then; at most {most} in one order");
        report.violation(&list, IssueCode::TooLong, message);
    }
}

impl ItemValues {
    /// Whether the SKU or the ship class becomes another one. What is only sent back was accepted
    /// before.
    fn chooses_product(&self, item: &LineItem) -> bool {
        let other_sku = self.sku.as_ref().is_some_and(|sku| *sku != item.sku);
        let other_class = match &self.ship_class {
            OptionalChange::Set(class) => *class != item.ship_class,
            OptionalChange::Keep => false,
        };
        other_sku || other_class
    }

    fn apply(self, item: &mut LineItem) {
        let sku_changes = self.sku.as_ref().is_some_and(|sku| *sku != item.sku);
        replace_name(self.name, sku_changes, item);
        self.ref_id.apply(&mut item.ref_id);
        self.ship_class.apply(&mut item.ship_class);
        item.sku = self.sku.unwrap_or_else(|| std::mem::take(&mut item.sku));
        item.quantity = self.quantity.unwrap_or(item.quantity);
        item.file_urls = self
            .file_urls
            .unwrap_or_else(|| std::mem::take(&mut item.file_urls));
        item.mockup_images = self
            .mockup_images
            .unwrap_or_else(|| std::mem::take(&mut item.mockup_images));
    }
}

/// Changes the name of an item. Without a name, it gets the product's when the order is priced.
fn replace_name(change: OptionalChange<String>, sku_changes: bool, item: &mut LineItem) {
    match change {
        // A client that sends back what it has read does not choose the product's name.
        OptionalChange::Set(name) if !sku_changes && name.is_some() && name == item.name => {}
        // Nothing is cleared that the store did not give.
        OptionalChange::Set(None) if !sku_changes && !item.name_given => {}
        OptionalChange::Set(name) => {
            item.name_given = name.is_some();
            item.name = name;
        }
        OptionalChange::Keep if sku_changes && !item.name_given => item.name = None,
        OptionalChange::Keep => {}
    }
}

/// Names the items that can no longer be changed, by their positions in the response.
fn items_in_production(parts: &OrderParts) -> Vec<Violation> {
    let items = parts.items.iter().enumerate();
    let done = items.filter_map(|(index, item)| {
        let status = item.status.filter(|status| !status.is_editable())?;
        let message = format!("`{}` is {status} and can no longer be changed", item.sku);
        Some(Violation {
            field: format!("childDetails[{index}]"),
            code: IssueCode::NotEditable,
            message,
        })
    });
    done.collect()
}

fn address_required(report: &mut Report) {
    report.required(&Path::Root.key("shipping_address"), "where the order goes");
}

//! The content of an order with the values of an update, or with another label.

use super::edit::edit;
use super::error::{check_content, invalid};
use super::priced::{ItemPosition, PriceRequest, Purpose};
use super::repriced::repriced;
use super::request::{OptionalChange, ValidUpdate, name_required};
use super::{LineItem, Order, OrderError, OrderKind, OrderParts, OrderPricing, check};
use crate::catalog::CatalogVersion;
use crate::check::{IssueCode, Path, Report};
use crate::event::Role;
use crate::fulfilment::{ItemStatus, OrderState};
use crate::store::Store;

#[derive(Debug, Clone)]
pub(super) enum Values {
    Update(Box<ValidUpdate>),
    Label(String),
}

#[derive(Clone)]
pub(super) struct EditedOrder {
    pub(super) parts: OrderParts,
    positions: Vec<Option<ItemPosition>>,
}

impl EditedOrder {
    /// All positions are `None`, as for a request that names no items.
    pub(super) fn new(parts: OrderParts) -> Self {
        let positions = vec![None; parts.items.len()];
        Self { parts, positions }
    }
}

impl Values {
    pub(super) fn apply(
        self,
        stored: &Order,
        by: Role,
        report: &mut Report,
    ) -> Result<EditedOrder, OrderError> {
        let mut parts = stored.parts().clone();
        match self {
            Self::Update(mut update) => {
                check_address(parts.kind(), &update.shipping_address, by, report);
                check_customer(&update, &parts, report);
                report.check()?;
                let updates = std::mem::take(&mut update.items);
                let (items, positions) = edit(&parts, updates, report)?;
                parts.items = items;
                update.apply(&mut parts);
                Ok(EditedOrder { parts, positions })
            }
            Self::Label(_) if parts.kind() == OrderKind::Manual => {
                let path = Path::Root.key("shipping_address_label");
                let message = "the order has no label; change its shipping_address instead";
                report.violation(&path, IssueCode::Conflict, message);
                Err(std::mem::take(report).into())
            }
            Self::Label(url) => {
                parts.label_url = Some(url);
                Ok(EditedOrder::new(parts))
            }
        }
    }
}

fn check_address(
    kind: OrderKind,
    address: &OptionalChange<crate::order::Address>,
    by: Role,
    report: &mut Report,
) {
    let is_left = match address {
        OptionalChange::Set(address) => address.is_some(),
        // An operator may leave the address out; a store must always send it.
        OptionalChange::Keep => by == Role::Operator,
    };
    if kind == OrderKind::Manual && !is_left {
        address_required(report);
    }
}

/// The customer needs a name, unless the recipient after the update has a company.
fn check_customer(update: &ValidUpdate, stored: &OrderParts, report: &mut Report) {
    let address = match &update.shipping_address {
        OptionalChange::Set(address) => address.as_ref(),
        OptionalChange::Keep => stored.shipping_address.as_ref(),
    };
    let has_company = address.is_some_and(|address| address.company.is_some());
    // An earlier order may lack both, and other changes of it are possible.
    let is_changed = update.customer.is_some() || update.shipping_address != OptionalChange::Keep;
    let customer = update.customer.as_ref().unwrap_or(&stored.customer);
    if is_changed && customer.is_nameless() && !has_company {
        name_required(&Path::Root.key("customer"), report);
    }
}

pub(super) fn address_required(report: &mut Report) {
    report.required(&Path::Root.key("shipping_address"), "where the order goes");
}

impl OrderPricing {
    /// Prices the items that are not cancelled in `state`, at the time `edited.parts.priced_at`.
    /// Adds a warning to `report` if prices have changed since `stored`, the order before the edit.
    pub(super) async fn price_edited(
        &self,
        store: &Store,
        (stored, state): (&Order, &OrderState),
        edited: &mut EditedOrder,
        purpose: Purpose,
        report: &mut Report,
    ) -> Result<CatalogVersion, OrderError> {
        let before = stored.parts();
        let EditedOrder {
            parts: edited,
            positions,
        } = edited;
        // Cancelled items stay in the order, but cost nothing.
        let is_priced = |(line, _): &(LineItem, Option<ItemPosition>)| {
            let item = state.item(line.id);
            item.is_none_or(|item| item.status != ItemStatus::Cancelled)
        };
        let lines = edited.items.iter().cloned();
        let pairs = lines.zip(positions.iter().copied()).filter(is_priced);
        let (mut priced, positions): (Vec<_>, Vec<_>) = pairs.unzip();
        let request = PriceRequest {
            store,
            order: edited,
            purpose,
            is_new: false,
            positions: &positions,
        };
        let price = self.price(&request, &mut priced, report).await?;
        for line in priced {
            let mut items = edited.items.iter_mut();
            if let Some(item) = items.find(|item| item.id == line.id) {
                *item = line;
            }
        }
        // A free replacement stays free when it is changed.
        edited.bill = if stored.is_free() {
            before.bill.clone()
        } else {
            price.bill
        };
        if !report.violations.is_empty() {
            // All problems must be in one response.
            check_content(edited.content_bytes(), report);
            return Err(std::mem::take(report).into());
        }
        let repriced = repriced(before, edited);
        check(edited).map_err(|error| invalid(error, report))?;
        report.warnings.extend(repriced);
        Ok(price.catalog)
    }
}

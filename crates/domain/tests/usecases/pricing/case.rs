//! The inputs of pricing.

use pressline_domain::catalog::Offered;
use pressline_domain::order::price::{Input, Priced, apply_offer, price};
use pressline_domain::order::{LineItem, OrderKind};
use pressline_domain::pricing::tariff::{Destination, Tariff};
use pressline_domain::value::{Currency, ItemId, MoneyError, Timestamp};
use uuid::Uuid;

use crate::fixture::*;

pub(super) const CLASSES: [&str; 3] = ["Standard", "Express", "Slow"];

/// Inputs of pricing an order.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) label: bool,
    pub(super) destination: Option<Destination>,
    pub(super) items: Vec<LineItem>,
    pub(super) offers: Vec<Option<Offered>>,
    pub(super) tariff: Tariff,
}

impl Case {
    pub(super) fn kind(&self) -> OrderKind {
        if self.label {
            OrderKind::Label
        } else {
            OrderKind::Manual
        }
    }

    pub(super) fn price(&self) -> Result<Priced, MoneyError> {
        let mut items = self.items.clone();
        let at = Timestamp::from_millis(NOW);
        for (item, offered) in items.iter_mut().zip(&self.offers) {
            apply_offer(item, offered.as_ref(), Currency::USD, at);
        }
        let offers: Vec<Option<&Offered>> = self.offers.iter().map(Option::as_ref).collect();
        let order = Input {
            kind: self.kind(),
            currency: Currency::USD,
            destination: self.destination.as_ref(),
            at,
            items: &items,
            offers: &offers,
        };
        price(&order, &self.tariff)
    }

    /// Returns the case with its items rotated by `by` places.
    pub(super) fn turned(&self, by: usize) -> Self {
        let mut turned = self.clone();
        let by = by % self.items.len();
        turned.items.rotate_left(by);
        turned.offers.rotate_left(by);
        turned
    }
}

/// Returns an item with the required values only.
pub(super) fn line(number: u128, sku: &str, quantity: u32) -> LineItem {
    LineItem {
        id: ItemId::new(Uuid::from_u128(number)),
        ref_id: None,
        name: None,
        name_given: false,
        sku: sku.to_owned(),
        quantity,
        ship_class: None,
        file_urls: Vec::new(),
        mockup_images: Vec::new(),
        areas: Vec::new(),
        unit_cost: None,
    }
}

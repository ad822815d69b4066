//! Fee lines and shipping options of an order.

use pressline_domain::order::OrderParts;
use pressline_domain::order::price::ShippingOption;
use pressline_domain::pricing::corrections::{CorrectedBill, CorrectedLine};
use pressline_domain::value::{Currency, ItemId};
use serde::Serialize;
use utoipa::ToSchema;

use super::item::stored_id;
use crate::response::{Money, SignedMoney, Text};
use crate::schema::{FeeName, OriginName};

/// A part of a fee, with the `rule` that it comes from.
#[derive(Serialize, ToSchema)]
#[schema(as = FeeLine)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FeeLineResponse<'a> {
    /// The fee that the line is a part of.
    #[serde(rename = "type")]
    #[schema(value_type = FeeName)]
    fee: &'static str,
    /// `id` of the line's item; `null` if the line is for several items or the whole order, or if
    /// the item has no `id`.
    #[schema(value_type = Option<String>, format = "uuid", required)]
    item_id: Option<Text<ItemId>>,
    /// Index of the line's item in `childDetails`, from 0; `null` if the line is for several items
    /// or the whole order.
    #[schema(required)]
    item_index: Option<usize>,
    /// Amount of the line, in major units of `currency`; negative if an operator lowers the fee.
    #[schema(value_type = f64)]
    amount: SignedMoney,
    /// ISO 4217 code of `amount`: the order's currency.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// Whether the line comes from a rule or from an operator.
    #[schema(value_type = OriginName)]
    origin: &'static str,
    /// The rule in words, for people; for an operator's line, its `reason`.
    rule: &'a str,
}

impl<'a> FeeLineResponse<'a> {
    /// Leaves out the ids in `unstored`: only a dry run has their items.
    pub(super) fn of_bill(
        bill: &CorrectedBill<'a>,
        parts: &OrderParts,
        unstored: &[ItemId],
    ) -> Vec<Self> {
        let lines = bill.lines().iter();
        lines.map(|line| Self::new(line, parts, unstored)).collect()
    }

    fn new(line: &CorrectedLine<'a>, parts: &OrderParts, unstored: &[ItemId]) -> Self {
        let currency = parts.currency;
        Self {
            fee: line.fee.as_str(),
            item_id: line.item.and_then(|id| stored_id(id, unstored)),
            item_index: line
                .item
                .and_then(|id| parts.items.iter().position(|item| item.id == id)),
            amount: SignedMoney(line.amount, currency),
            currency: currency.code(),
            origin: line.origin.as_str(),
            rule: line.rule,
        }
    }
}

/// A shipping class that the whole order can use, with the order's costs in this class.
#[derive(Serialize, ToSchema)]
#[schema(as = ShippingOption)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShippingOptionResponse<'a> {
    /// The shipping class, a value for `shipClass` of each line item.
    ship_class: &'a str,
    /// The order's `shippingFee` if all items use this class.
    #[schema(value_type = f64)]
    shipping_fee: Money,
    /// The order's `totalCost` if all items use this class. It does not include unknown costs.
    #[schema(value_type = f64)]
    total_cost: Money,
}

impl<'a> ShippingOptionResponse<'a> {
    pub(super) fn new(option: &'a ShippingOption, currency: Currency) -> Self {
        Self {
            ship_class: &option.ship_class,
            shipping_fee: Money(option.shipping_fee, currency),
            total_cost: Money(option.total, currency),
        }
    }
}

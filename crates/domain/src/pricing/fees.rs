//! The fees of an order, the lines that explain them, and their sum.

use crate::id::ItemId;
use crate::money::{Amount, MoneyError};
use crate::order::OrderKind;

/// The fees that an order can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
#[non_exhaustive]
pub enum FeeType {
    /// Unit costs times quantities.
    Product,
    /// Shipping by the rate table.
    Shipping,
    /// Extra fees of print areas in use, and surcharges of the fee schedule.
    Surcharge,
    /// For handling a prepared label.
    Handling,
    /// Anything else.
    Other,
    /// Anything else about shipping.
    OtherShipping,
}

impl FeeType {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Product,
        Self::Shipping,
        Self::Surcharge,
        Self::Handling,
        Self::Other,
        Self::OtherShipping,
    ];

    /// The name in answers and files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Shipping => "shipping",
            Self::Surcharge => "surcharge",
            Self::Handling => "handling",
            Self::Other => "other",
            Self::OtherShipping => "otherShipping",
        }
    }

    /// The fee of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fee| fee.as_str() == name)
    }
}

/// A part of a fee, and the rule it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct FeeLine {
    /// The fee that it is a part of.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub fee: FeeType,
    /// The item that it is for; `None` where it is for several or for the order.
    #[cfg_attr(feature = "serde", serde(rename = "itemId"))]
    pub item: Option<ItemId>,
    /// How much, in the order's currency.
    pub amount: Amount,
    /// The rule, in words:
    /// `Standard to Zone 1: 4.99 USD for the first unit and 2 x 1.50 USD for further ones`.
    pub rule: String,
}

/// The fees of an order. `None` is a fee that does not apply or is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fees {
    /// For handling a prepared label.
    #[cfg_attr(feature = "serde", serde(rename = "handleFee"))]
    pub handle: Option<Amount>,
    /// Extra fees of the print areas in use.
    #[cfg_attr(feature = "serde", serde(rename = "surchargeFee"))]
    pub surcharge: Option<Amount>,
    /// Anything else.
    #[cfg_attr(feature = "serde", serde(rename = "otherFee"))]
    pub other: Option<Amount>,
    /// Anything else about shipping.
    #[cfg_attr(feature = "serde", serde(rename = "otherShippingFee"))]
    pub other_shipping: Option<Amount>,
    /// Unit costs times quantities.
    #[cfg_attr(feature = "serde", serde(rename = "productCost"))]
    pub product: Option<Amount>,
    /// Shipping by the rate table.
    #[cfg_attr(feature = "serde", serde(rename = "shippingFee"))]
    pub shipping: Option<Amount>,
}

impl Fees {
    /// The fee of this type.
    #[must_use]
    pub fn of(&self, fee: FeeType) -> Option<Amount> {
        match fee {
            FeeType::Product => self.product,
            FeeType::Shipping => self.shipping,
            FeeType::Surcharge => self.surcharge,
            FeeType::Handling => self.handle,
            FeeType::Other => self.other,
            FeeType::OtherShipping => self.other_shipping,
        }
    }

    /// Whether the lines add up to the fees: those of each type to its fee, and none where the fee
    /// is `None`.
    #[must_use]
    pub fn are_explained_by(&self, lines: &[FeeLine]) -> bool {
        FeeType::ALL.into_iter().all(|fee| {
            let mut own = lines
                .iter()
                .filter(|line| line.fee == fee)
                .map(|line| line.amount)
                .peekable();
            match self.of(fee) {
                None => own.peek().is_none(),
                Some(amount) => own.try_fold(Amount::ZERO, Amount::plus) == Ok(amount),
            }
        })
    }

    /// One line for each fee, where nothing is known of how it came about.
    #[must_use]
    pub fn unexplained(&self) -> Vec<FeeLine> {
        let line = |fee: FeeType| {
            let amount = self.of(fee)?;
            let rule = "priced before the rules were kept".to_owned();
            Some(FeeLine {
                fee,
                item: None,
                amount,
                rule,
            })
        };
        FeeType::ALL.into_iter().filter_map(line).collect()
    }

    /// The fees that belong into the total of an order of this kind but are not known, by their
    /// names in answers.
    pub fn missing(&self, kind: OrderKind) -> impl Iterator<Item = &'static str> {
        let needed = match kind {
            OrderKind::Manual => [
                Some(("productCost", self.product)),
                Some(("shippingFee", self.shipping)),
                Some(("surchargeFee", self.surcharge)),
            ],
            OrderKind::Label => [Some(("handleFee", self.handle)), None, None],
        };
        needed
            .into_iter()
            .flatten()
            .filter(|(_, fee)| fee.is_none())
            .map(|(name, _)| name)
    }

    /// The sum of the fees that are not `None`.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] where it does not fit.
    pub fn total(&self) -> Result<Amount, MoneyError> {
        [
            self.handle,
            self.surcharge,
            self.other,
            self.other_shipping,
            self.product,
            self.shipping,
        ]
        .into_iter()
        .flatten()
        .try_fold(Amount::ZERO, Amount::plus)
    }
}

//! Fee schedules and their rules: no fee may be charged twice.

use std::collections::HashMap;

use super::fees::FeeType;
use super::order_kind::OrderKind;
use crate::check::checked::{Checked, Rules, rules_broken};
use crate::value::{Amount, Currency};

/// Rules for fees, see [`RuleSet`]. Every rule that applies to an order is charged.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "saved::SavedSchedule"))]
pub struct FeeSchedule {
    rules: Vec<FeeRule>,
}

/// A rule for a fee: amount and conditions.
pub type FeeRule = Checked<FeeRuleParts>;

/// Public fields of a [`FeeRule`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FeeRuleParts {
    /// Purpose of the fee, shown to people; not empty.
    pub name: String,
    /// Fee type, one of [`FeeType::BY_RULE`].
    pub fee: FeeType,
    /// Currency of `amount`; orders in other currencies are not charged.
    pub currency: Currency,
    /// Amount per order, item or unit.
    pub amount: Amount,
    /// Unit of charging: `amount` per order, per line item or per unit.
    pub per: Per,
    /// Kind of orders to charge; `None` for both kinds.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub orders: Option<OrderKind>,
    /// SKUs to charge; empty for all. An entry that ends with [`FeeRule::ANYTHING`] is a prefix.
    #[cfg_attr(feature = "serde", serde(default))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub skus: Vec<String>,
    /// Names of the zones with the destinations to charge; empty for all destinations.
    #[cfg_attr(feature = "serde", serde(default))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub zones: Vec<String>,
}

pressline_kit::named! {
    /// Multiplier of a fee rule's amount.
    pub enum Per {
        /// Once per order.
        Order = "order",
        /// Once per line item.
        Item = "item",
        /// Once per unit.
        Unit = "unit",
    }
}

/// Rule that a [`FeeRuleParts`] value breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FeeRuleError {
    /// `name` is empty.
    #[error("the name of a fee rule must not be empty")]
    Name,
    /// Rules cannot charge this fee type.
    #[error("no rule charges the fee `{}`", .0.as_str())]
    Fee(FeeType),
    /// This entry of `skus` contains `*` before its end.
    #[error("`{0}`: `*` is possible at the end only, such as TEE-*")]
    Sku(String),
}

impl Rules for FeeRuleParts {
    type Broken = FeeRuleError;

    fn broken(&self) -> Vec<FeeRuleError> {
        let charged_otherwise = !FeeType::BY_RULE.contains(&self.fee);
        let mut broken = rules_broken([
            (self.name.is_empty(), FeeRuleError::Name),
            (charged_otherwise, FeeRuleError::Fee(self.fee)),
        ]);
        let skus = self.skus.iter();
        broken.extend(skus.filter_map(|sku| FeeRule::check_sku(sku).err()));
        broken
    }
}

impl FeeRule {
    /// Last character of an entry of `skus` that matches every SKU with the prefix before it.
    pub const ANYTHING: char = '*';

    /// Returns a rule that charges `amount` per label order for handling the label.
    pub fn label_handling(currency: Currency, amount: Amount) -> Self {
        Self::constant(FeeRuleParts {
            name: "Label handling".to_owned(),
            fee: FeeType::Handling,
            currency,
            amount,
            per: Per::Order,
            orders: Some(OrderKind::Label),
            skus: Vec::new(),
            zones: Vec::new(),
        })
    }

    /// Checks an entry of `skus`: a SKU, or a prefix followed by `*`.
    ///
    /// # Errors
    /// [`FeeRuleError::Sku`] if a `*` is not at the end.
    pub fn check_sku(sku: &str) -> Result<(), FeeRuleError> {
        let beginning = sku.strip_suffix(Self::ANYTHING).unwrap_or(sku);
        if beginning.contains(Self::ANYTHING) {
            return Err(FeeRuleError::Sku(sku.to_owned()));
        }
        Ok(())
    }
}

impl FeeRuleParts {
    /// Returns whether items with this `sku` are charged.
    pub fn takes(&self, sku: &str) -> bool {
        let fits = |pattern: &String| match pattern.strip_suffix(FeeRule::ANYTHING) {
            Some(beginning) => sku.starts_with(beginning),
            None => sku == pattern,
        };
        self.skus.is_empty() || self.skus.iter().any(fits)
    }
}

/// Builder of a [`FeeSchedule`]. Refuses a rule that differs from an earlier rule only in the
/// amount: probably a changed version of the earlier rule, and both would be charged.
#[derive(Debug, Default)]
pub struct RuleSet {
    rules: Vec<FeeRule>,
    /// Index in `rules`. The key is the rule with the amount 0, so that repeated rules are found.
    positions: HashMap<FeeRuleParts, usize>,
}

/// Error for a rule that differs only in the amount from a rule added before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another rule differs only in the amount")]
pub struct RepeatedRule {
    /// Index of the rule added before, among all added rules, from 0.
    pub earlier: usize,
}

impl RuleSet {
    /// Adds `rule`.
    ///
    /// # Errors
    /// [`RepeatedRule`] if an earlier rule differs only in the amount; `rule` is not added then.
    pub fn add(&mut self, rule: FeeRule) -> Result<(), RepeatedRule> {
        let without_amount = FeeRuleParts {
            amount: Amount::ZERO,
            ..(*rule).clone()
        };
        if let Some(earlier) = self.positions.get(&without_amount) {
            return Err(RepeatedRule { earlier: *earlier });
        }
        self.positions.insert(without_amount, self.rules.len());
        self.rules.push(rule);
        Ok(())
    }

    /// Returns the schedule with all added rules.
    pub fn into_schedule(self) -> FeeSchedule {
        FeeSchedule { rules: self.rules }
    }
}

impl FeeSchedule {
    /// Creates a schedule of `rules`.
    ///
    /// # Errors
    /// The first [`RepeatedRule`].
    pub fn new(rules: Vec<FeeRule>) -> Result<Self, RepeatedRule> {
        let mut set = RuleSet::default();
        for rule in rules {
            set.add(rule)?;
        }
        Ok(set.into_schedule())
    }

    /// Returns the rules in their original order.
    pub fn rules(&self) -> &[FeeRule] {
        &self.rules
    }
}

#[cfg(feature = "serde")]
mod saved {
    use super::{FeeRule, FeeSchedule, RepeatedRule};

    #[derive(serde::Deserialize)]
    pub(super) struct SavedSchedule {
        rules: Vec<FeeRule>,
    }

    impl TryFrom<SavedSchedule> for FeeSchedule {
        type Error = RepeatedRule;

        fn try_from(saved: SavedSchedule) -> Result<Self, RepeatedRule> {
            Self::new(saved.rules)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::checked::Invalid;

    fn rule(skus: &[&str]) -> Result<FeeRule, Invalid<FeeRuleError>> {
        let label = FeeRule::label_handling(Currency::USD, Amount::ZERO);
        label.changed(|rule| rule.skus = skus.iter().map(|sku| (*sku).to_owned()).collect())
    }

    #[test]
    fn rules_of_a_schedule_differ_in_more_than_the_amount() {
        let rule =
            |amount| FeeRule::label_handling(Currency::USD, Amount::from_minor(amount).unwrap());
        assert_eq!(FeeSchedule::new(vec![rule(1)]).unwrap().rules().len(), 1);
        let repeated = FeeSchedule::new(vec![rule(1), rule(2)]);
        assert_eq!(repeated, Err(RepeatedRule { earlier: 0 }));
    }

    #[test]
    fn a_pattern_matches_every_sku_that_begins_with_it() {
        assert!(rule(&[]).unwrap().takes("ANY"));
        let some = rule(&["TEE-*", "MUG-11"]).unwrap();
        for (sku, taken) in [
            ("TEE-", true),
            ("TEE-M", true),
            ("TEE", false),
            ("tee-M", false),
            ("MUG-11", true),
            ("MUG-115", false),
        ] {
            assert_eq!(some.takes(sku), taken, "{sku}");
        }
        assert!(rule(&["*"]).unwrap().takes(""));
    }

    #[test]
    fn a_rule_has_a_name_a_fee_of_its_own_and_patterns_that_end_in_a_star() {
        let change = |rule: &mut FeeRuleParts| {
            rule.name.clear();
            rule.fee = FeeType::Shipping;
            rule.skus = ["*-XL*", "TEE-*", "T*E", "MUG"].map(str::to_owned).into();
        };
        let broken = rule(&[]).unwrap().changed(change).unwrap_err().0;
        let sku = |sku: &str| FeeRuleError::Sku(sku.to_owned());
        let fee = FeeRuleError::Fee(FeeType::Shipping);
        assert_eq!(broken, [FeeRuleError::Name, fee, sku("*-XL*"), sku("T*E")]);
    }
}

//! Schedules of fees: what their rules must be, so that no fee is charged twice.

use std::collections::HashMap;

use super::fees::FeeType;
use crate::checked::{Checked, Rules, rules_broken};
use crate::money::{Amount, Currency};
use crate::order::OrderKind;

/// Fees by rule. All rules that apply are charged, so that no two differ in nothing but the amount.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::serde::SavedSchedule"))]
pub struct FeeSchedule {
    rules: Vec<FeeRule>,
}

/// A fee, and when it is charged.
pub type FeeRule = Checked<FeeRuleParts>;

/// Everything a [`FeeRule`] is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FeeRuleParts {
    /// What it is for, shown to people; not empty.
    pub name: String,
    /// The fee that it is a part of: one of [`FeeType::BY_RULE`].
    pub fee: FeeType,
    /// The currency; orders in others are not charged.
    pub currency: Currency,
    /// How much.
    pub amount: Amount,
    /// For what each time.
    pub per: Per,
    /// The kind of order that is charged; `None` for both.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub orders: Option<OrderKind>,
    /// The SKUs of the items that are charged, where [`FeeRule::ANYTHING`] at the end matches
    /// anything; empty for all.
    #[cfg_attr(feature = "serde", serde(default))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub skus: Vec<String>,
    /// The names of the zones that are charged, by
    /// [`ShippingRates::lies_in`](super::rates::ShippingRates::lies_in); empty for all destinations.
    #[cfg_attr(feature = "serde", serde(default))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub zones: Vec<String>,
}

pressline_kit::named! {
    /// What a fee is charged for.
    pub enum Per {
        /// The order, once.
        Order = "order",
        /// Each line item.
        Item = "item",
        /// Each unit of each line item.
        Unit = "unit",
    }
}

/// A rule that parts of a fee rule break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FeeRuleError {
    /// The name is empty.
    #[error("a fee rule has a name")]
    Name,
    /// No rule can charge this fee.
    #[error("no rule charges the fee `{}`", .0.as_str())]
    Fee(FeeType),
    /// The SKU has a `*` that is not at its end.
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
    /// Matches anything, at the end of a SKU.
    pub const ANYTHING: char = '*';

    /// Handling a prepared label, once an order.
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

    /// Checks the text by which a rule names SKUs: a SKU, or its beginning followed by `*`.
    ///
    /// # Errors
    /// [`FeeRuleError::Sku`]: a `*` is elsewhere than at the end.
    pub fn check_sku(sku: &str) -> Result<(), FeeRuleError> {
        let beginning = sku.strip_suffix(Self::ANYTHING).unwrap_or(sku);
        if beginning.contains(Self::ANYTHING) {
            return Err(FeeRuleError::Sku(sku.to_owned()));
        }
        Ok(())
    }
}

impl FeeRuleParts {
    /// Whether an item of this SKU is charged.
    pub fn takes(&self, sku: &str) -> bool {
        let fits = |pattern: &String| match pattern.strip_suffix(FeeRule::ANYTHING) {
            Some(beginning) => sku.starts_with(beginning),
            None => sku == pattern,
        };
        self.skus.is_empty() || self.skus.iter().any(fits)
    }
}

/// Rules of fees to which only such are added as differ in more than the amount: two that do not
/// are most likely one that was changed, and would both be charged.
#[derive(Debug, Default)]
pub struct RuleSet {
    rules: Vec<FeeRule>,
    /// By the rule without its amount: its position.
    positions: HashMap<FeeRuleParts, usize>,
}

/// Another rule differs in nothing but the amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another rule differs in nothing but the amount")]
pub struct RepeatedRule {
    /// The position of that rule among those that were added, from 0.
    pub earlier: usize,
}

impl RuleSet {
    /// Adds a rule.
    ///
    /// # Errors
    /// [`RepeatedRule`]; the rule is not added.
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

    /// Returns the schedule of these rules.
    pub fn into_schedule(self) -> FeeSchedule {
        FeeSchedule { rules: self.rules }
    }
}

impl FeeSchedule {
    /// Returns a schedule of rules that differ in more than their amounts.
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

    /// Returns the rules.
    pub fn rules(&self) -> &[FeeRule] {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::Invalid;

    /// A rule with these SKUs.
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

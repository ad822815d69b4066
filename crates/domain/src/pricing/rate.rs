//! Shipping rates: the price of a ship class in a zone.

use crate::check::checked::{Checked, Rules, rules_broken};
use crate::value::{Amount, Currency};

/// Price of shipping in a ship class to a zone.
pub type ShippingRate = Checked<ShippingRateParts>;

/// Public fields of a [`ShippingRate`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShippingRateParts {
    /// Name of a zone of the [`ShippingRates`](super::rates::ShippingRates).
    pub zone: String,
    /// How fast units are shipped, such as `Standard`. Not empty; compared ignoring case.
    pub ship_class: String,
    /// Currency of all amounts of the rate.
    pub currency: Currency,
    /// Price of the first unit in this ship class in an order.
    pub first: Amount,
    /// Price of each further unit.
    pub further: Amount,
    /// Extra costs by the weight of all units of the class; strictly ascending by `above_grams`.
    #[cfg_attr(feature = "serde", serde(default))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub steps: Vec<WeightStep>,
    /// Minimum product cost of the order for shipping without any cost; `None` for never.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub free_from: Option<Amount>,
}

/// Rule that a [`ShippingRateParts`] value breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// `ship_class` is empty.
    #[error("the ship class of a shipping rate must not be empty")]
    ShipClass,
    /// The weight step with this `above_grams` is not above the previous step.
    #[error("`{0}` is not above the previous step; write the lightest first")]
    Step(u64),
}

impl Rules for ShippingRateParts {
    type Broken = RateError;

    fn broken(&self) -> Vec<RateError> {
        let mut broken = rules_broken([(self.ship_class.is_empty(), RateError::ShipClass)]);
        let following = self.steps.iter().zip(self.steps.iter().skip(1));
        let descending = following.filter(|(one, next)| next.above_grams <= one.above_grams);
        broken.extend(descending.map(|(_, next)| RateError::Step(next.above_grams)));
        broken
    }
}

/// Extra cost above a weight. It replaces the extra cost of the previous step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WeightStep {
    /// Weight in grams that the units must exceed for `extra` to apply.
    pub above_grams: u64,
    /// Extra cost in the currency of the rate.
    pub extra: Amount,
}

impl ShippingRateParts {
    /// Returns a rate that does not depend on the weight and is never free.
    pub fn new(
        zone: &str,
        ship_class: &str,
        currency: Currency,
        first: Amount,
        further: Amount,
    ) -> Self {
        Self {
            zone: zone.to_owned(),
            ship_class: ship_class.to_owned(),
            currency,
            first,
            further,
            steps: Vec::new(),
            free_from: None,
        }
    }

    /// Returns the step for a weight of `grams`; `None` if no extra cost applies.
    pub fn step(&self, grams: u64) -> Option<WeightStep> {
        let mut steps = self.steps.iter();
        steps.rfind(|step| grams > step.above_grams).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_a_class_and_rising_weight_steps() {
        let steps = |grams: [u64; 3]| {
            let step = |above_grams| WeightStep {
                above_grams,
                extra: Amount::ZERO,
            };
            ShippingRate::new(ShippingRateParts {
                steps: grams.map(step).into(),
                ..ShippingRateParts::new("Far", "", Currency::USD, Amount::ZERO, Amount::ZERO)
            })
        };
        let wrong = |grams| steps(grams).unwrap_err().0;
        assert_eq!(wrong([1, 2, 3]), [RateError::ShipClass]);
        let falling = [RateError::ShipClass, RateError::Step(5), RateError::Step(4)];
        assert_eq!(wrong([5, 5, 4]), falling);
    }
}

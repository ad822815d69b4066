//! Prices other than the unit prices of variants: shipping rates by zone, and fee schedules.

pub use super::rate::{RateError, ShippingRate, ShippingRateParts, WeightStep};
pub use super::rates::{RateConflict, RateSet, RatesError, ShippingRates, ZoneConflict};
pub use super::schedule::{
    FeeRule, FeeRuleError, FeeRuleParts, FeeSchedule, Per, RepeatedRule, RuleSet,
};
pub use super::zone::{Destination, Region, RegionError, Zone, ZoneError, ZoneParts};

/// Shipping rates and fee rules for pricing the orders of a store.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tariff {
    /// Zones and shipping rates.
    pub shipping: ShippingRates,
    /// Fee schedule of the store, or the service's schedule if the store has no own schedule.
    pub fees: FeeSchedule,
}

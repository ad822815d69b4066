//! Prices that do not come from the catalog: shipping rates by zone, and the fee schedule.

pub use super::rates::{
    RateConflict, RateError, RateSet, RatesError, ShippingRate, ShippingRateParts, ShippingRates,
    WeightStep, ZoneConflict,
};
pub use super::schedule::{
    FeeRule, FeeRuleError, FeeRuleParts, FeeSchedule, Per, RepeatedRule, RuleSet,
};
pub use super::zone::{Destination, Region, RegionError, Zone, ZoneError, ZoneParts};

/// Rates and fees for the orders of a store.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tariff {
    /// Zones and shipping rates.
    pub shipping: ShippingRates,
    /// Fee schedule of the store, else of the service.
    pub fees: FeeSchedule,
}

//! The prices that do not come from the catalog: shipping rates by zone, and the schedule of fees.

pub use super::rates::{
    RateConflict, RateError, RateSet, RatesError, ShippingRate, ShippingRateParts, ShippingRates,
    WeightStep, ZoneConflict,
};
pub use super::schedule::{
    FeeRule, FeeRuleError, FeeRuleParts, FeeSchedule, Per, RepeatedRule, RuleSet,
};
pub use super::zone::{Destination, Region, RegionError, Zone, ZoneError, ZoneParts};

/// What orders of a store are priced with beside the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tariff {
    /// What shipping costs.
    pub shipping: ShippingRates,
    /// What else costs something.
    pub fees: FeeSchedule,
}

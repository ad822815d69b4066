//! The prices that do not come from the catalog: shipping rates by zone, and the schedule of fees.

use std::cmp::Reverse;

use crate::fees::FeeType;
use crate::geo::Country;
use crate::money::{Amount, Currency};
use crate::order::{Address, OrderKind};

/// What orders of a store are priced with beside the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tariff {
    /// What shipping costs.
    pub shipping: ShippingRates,
    /// What else costs something.
    pub fees: FeeSchedule,
}

/// Zones, and what shipping there costs.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ShippingRates {
    /// The zones, each with a name of its own.
    pub zones: Vec<Zone>,
    /// The rates, one for each zone, ship class and currency.
    pub rates: Vec<ShippingRate>,
}

/// A part of the world that shipping costs the same to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Its name, unique among zones, compared letter by letter.
    pub name: String,
    /// What lies in it; empty for all that lies in no other zone with a rate of the class.
    pub places: Vec<Place>,
}

/// A country or a province.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The country.
    pub country: Country,
    /// The code of one of its provinces, upper case, without the country's: `CA` of `US-CA`; `None` for the whole country.
    pub province: Option<String>,
}

/// What shipping of a class to a zone costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippingRate {
    /// The name of the zone.
    pub zone: String,
    /// The ship class, compared without regard to case.
    pub ship_class: String,
    /// The currency of all its amounts.
    pub currency: Currency,
    /// For the first unit of the class in an order.
    pub first: Amount,
    /// For each further unit.
    pub further: Amount,
    /// What comes on top by the weight of all units of the class, lightest first; often none.
    pub steps: Vec<WeightStep>,
    /// From this product cost of the whole order on, shipping of this class costs nothing.
    pub free_from: Option<Amount>,
}

/// What comes on top above a weight, in place of the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightStep {
    /// Above so many grams.
    pub above_grams: u64,
    /// So much on top.
    pub extra: Amount,
}

/// Where an order goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The country.
    pub country: Country,
    /// The province's code as in [`Place`], where it is known.
    pub province: Option<String>,
}

/// Fees by rule.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FeeSchedule {
    /// The rules. All that apply are charged.
    pub rules: Vec<FeeRule>,
}

/// A fee, and when it is charged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeeRule {
    /// What people are told that it is for.
    pub name: String,
    /// The fee that it is a part of: any but [`FeeType::Product`] and [`FeeType::Shipping`].
    pub fee: FeeType,
    /// The currency; orders in others are not charged.
    pub currency: Currency,
    /// How much.
    pub amount: Amount,
    /// For what each time.
    pub per: Per,
    /// The kind of order that is charged; `None` for both.
    pub orders: Option<OrderType>,
    /// The SKUs of the items that are charged, `*` at the end standing for anything; empty for all.
    pub skus: Vec<String>,
    /// The names of the zones that are charged; empty for all destinations.
    pub zones: Vec<String>,
}

/// What a fee is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// The order, once.
    Order,
    /// Each line item.
    Item,
    /// Each unit of each line item.
    Unit,
}

impl Per {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Order, Self::Item, Self::Unit];

    /// The name in files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Item => "item",
            Self::Unit => "unit",
        }
    }
}

/// The kind of an order, without what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderType {
    /// Shipped by the service.
    Manual,
    /// Shipped with the store's label.
    Label,
}

impl OrderType {
    /// The type of an order of this kind.
    #[must_use]
    pub fn of(kind: &OrderKind) -> Self {
        match kind {
            OrderKind::Manual => Self::Manual,
            OrderKind::Label { .. } => Self::Label,
        }
    }
}

impl Destination {
    /// Where an address is; `None` where its country is not known.
    #[must_use]
    pub fn of(address: &Address) -> Option<Self> {
        let country = Country::from_code(address.country_code.as_deref()?)?;
        let given = address.province_code.as_deref().map(|code| code.trim().to_ascii_uppercase());
        let province = given.map(|code| match code.split_once('-') {
            Some((prefix, own)) if prefix == country.code() => own.to_owned(),
            _ => code,
        });
        Some(Self { country, province: province.filter(|code| !code.is_empty()) })
    }

    /// How closely a zone names it: 2 for its province, 1 for its country, 0 where the zone is for all the rest; `None`
    /// where it doesn't lie there.
    fn closeness(&self, zone: &Zone) -> Option<u8> {
        let close = |place: &Place| {
            let here = place.country == self.country;
            match &place.province {
                None => here.then_some(1),
                province => (here && *province == self.province).then_some(2),
            }
        };
        if zone.places.is_empty() { Some(0) } else { zone.places.iter().filter_map(close).max() }
    }
}

impl ShippingRates {
    /// Whether there is a rate of this class, to anywhere.
    #[must_use]
    pub fn knows_class(&self, class: &str) -> bool {
        self.rates.iter().any(|rate| rate.ship_class.eq_ignore_ascii_case(class))
    }

    /// The classes that have a rate, as they are written there; one may come several times.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.rates.iter().map(|rate| rate.ship_class.as_str())
    }

    /// The rate of a class in a currency: that of the zone which names the destination most closely. An order without a
    /// destination takes the rate for all the rest.
    #[must_use]
    pub fn rate(&self, class: &str, currency: Currency, to: Option<&Destination>) -> Option<&ShippingRate> {
        let of_class = self
            .rates
            .iter()
            .filter(|rate| rate.currency == currency && rate.ship_class.eq_ignore_ascii_case(class));
        let close = of_class.filter_map(|rate| {
            let zone = self.zones.iter().find(|zone| zone.name == rate.zone)?;
            let closeness = match to {
                Some(to) => to.closeness(zone)?,
                None => zone.places.is_empty().then_some(0)?,
            };
            Some((closeness, rate))
        });
        // Of two that are as close the one that stands first.
        close.min_by_key(|(closeness, _)| Reverse(*closeness)).map(|(_, rate)| rate)
    }

    /// Whether a destination lies in the zone of this name.
    #[must_use]
    pub fn lies_in(&self, to: &Destination, zone: &str) -> bool {
        self.zones.iter().any(|known| known.name == zone && to.closeness(known).is_some())
    }
}

impl ShippingRate {
    /// What comes on top for so many grams.
    #[must_use]
    pub fn step(&self, grams: u64) -> Option<WeightStep> {
        self.steps.iter().filter(|step| grams > step.above_grams).max_by_key(|step| step.above_grams).copied()
    }
}

impl FeeRule {
    /// Handling a prepared label, once an order.
    #[must_use]
    pub fn label_handling(currency: Currency, amount: Amount) -> Self {
        Self {
            name: "Label handling".to_owned(),
            fee: FeeType::Handling,
            currency,
            amount,
            per: Per::Order,
            orders: Some(OrderType::Label),
            skus: Vec::new(),
            zones: Vec::new(),
        }
    }

    /// Whether an item of this SKU is charged.
    #[must_use]
    pub fn takes(&self, sku: &str) -> bool {
        let fits = |pattern: &String| match pattern.strip_suffix('*') {
            Some(beginning) => sku.starts_with(beginning),
            None => sku == pattern,
        };
        self.skus.is_empty() || self.skus.iter().any(fits)
    }
}

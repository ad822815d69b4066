//! The prices that do not come from the catalog: shipping rates by zone, and the schedule of fees.

use std::cmp::Reverse;

pub use super::checked::{
    PlaceError, RateConflict, RateSet, RatesError, RepeatedRule, RuleSet, ZoneConflict,
};
use super::fees::FeeType;
use crate::money::{Amount, Currency};
use crate::order::{Address, OrderKind};
use pressline_kit::geo::{Country, SubdivisionLookup};

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
    /// The code of one of its provinces, upper case, without the country's: `CA` of `US-CA`; `None`
    /// for the whole country.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    pub orders: Option<OrderKind>,
    /// The SKUs of the items that are charged, `*` at the end standing for anything; empty for all.
    pub skus: Vec<String>,
    /// The names of the zones that are charged, by [`ShippingRates::lies_in`]; empty for all
    /// destinations.
    pub zones: Vec<String>,
}

/// What a fee is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

impl Destination {
    /// Where an address is; `None` where its country is not known. A province that is only named is
    /// looked up, and one that is a country as well is that country.
    #[must_use]
    pub fn of(address: &Address) -> Option<Self> {
        let country = Country::from_code(address.country_code.as_deref()?)?;
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let province = given(&address.province_code).or_else(|| {
            let name = given(&address.province)?;
            match country.subdivision(&name) {
                SubdivisionLookup::Known { code, .. } => Some(code),
                _ => country.subdivision_named(&name),
            }
            .map(str::to_owned)
        });
        let own = |code: String| {
            let code = code.trim().to_ascii_uppercase();
            match code.split_once('-') {
                Some((prefix, own)) if prefix == country.code() => own.to_owned(),
                _ => code,
            }
        };
        let province = province.map(own);
        let territory = province
            .as_deref()
            .and_then(|province| country.territory(province));
        Some(match territory {
            Some(territory) => Self {
                country: territory,
                province: None,
            },
            None => Self { country, province },
        })
    }

    /// How closely a zone names it: 2 for its province, 1 for its country, 0 where the zone is for
    /// all the rest; `None` where it doesn't lie there.
    fn closeness(&self, zone: &Zone) -> Option<u8> {
        let close = |place: &Place| {
            let Some(province) = &place.province else {
                return (place.country == self.country).then_some(1);
            };
            let here = match place.country.territory(province) {
                Some(territory) => territory == self.country,
                None => place.country == self.country && self.province.as_ref() == Some(province),
            };
            here.then_some(2)
        };
        if zone.places.is_empty() {
            Some(0)
        } else {
            zone.places.iter().filter_map(close).max()
        }
    }
}

impl ShippingRates {
    /// The classes that have a rate, as they are written there; one may come several times.
    pub fn classes(&self) -> impl Iterator<Item = &str> + Clone {
        self.rates.iter().map(|rate| rate.ship_class.as_str())
    }

    /// The rate of a class in a currency: that of the zone which names the destination most
    /// closely. An order without a destination takes the rate for all the rest.
    #[must_use]
    pub fn rate(
        &self,
        class: &str,
        currency: Currency,
        to: Option<&Destination>,
    ) -> Option<&ShippingRate> {
        let of_class = self.rates.iter().filter(|rate| {
            rate.currency == currency && rate.ship_class.eq_ignore_ascii_case(class)
        });
        let close = of_class.filter_map(|rate| {
            let zone = self.zones.iter().find(|zone| zone.name == rate.zone)?;
            let closeness = match to {
                Some(to) => to.closeness(zone)?,
                None => zone.places.is_empty().then_some(0)?,
            };
            Some((closeness, rate))
        });
        // Of two that are as close the one that stands first.
        close
            .min_by_key(|(closeness, _)| Reverse(*closeness))
            .map(|(_, rate)| rate)
    }

    /// Whether a destination lies in the zone of this name: in one of its places or, where it is
    /// for all the rest, in no place of another zone.
    #[must_use]
    pub fn lies_in(&self, to: &Destination, name: &str) -> bool {
        let lies = |zone: &Zone| to.closeness(zone).is_some();
        let named = self.zones.iter().find(|zone| zone.name == name);
        named.is_some_and(|zone| match zone.places.is_empty() {
            true => !self
                .zones
                .iter()
                .any(|other| !other.places.is_empty() && lies(other)),
            false => lies(zone),
        })
    }
}

impl ShippingRate {
    /// What comes on top for so many grams.
    #[must_use]
    pub fn step(&self, grams: u64) -> Option<WeightStep> {
        self.steps
            .iter()
            .filter(|step| grams > step.above_grams)
            .max_by_key(|step| step.above_grams)
            .copied()
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
            orders: Some(OrderKind::Label),
            skus: Vec::new(),
            zones: Vec::new(),
        }
    }

    /// Whether an item of this SKU is charged.
    #[must_use]
    pub fn takes(&self, sku: &str) -> bool {
        let fits = |pattern: &String| match pattern.strip_suffix(Self::ANYTHING) {
            Some(beginning) => sku.starts_with(beginning),
            None => sku == pattern,
        };
        self.skus.is_empty() || self.skus.iter().any(fits)
    }
}

#[cfg(test)]
mod tests {
    use crate::pricing::tariff::*;

    fn to(country: &str, code: Option<&str>, name: Option<&str>) -> Destination {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let (province_code, province) = (text(code), text(name));
        let address = Address {
            country_code: text(Some(country)),
            province_code,
            province,
            ..Address::default()
        };
        Destination::of(&address).unwrap()
    }

    #[test]
    fn a_province_is_known_by_its_code_or_by_its_name() {
        for (code, name, province) in [
            (Some("US-CA"), None, Some("CA")),
            (Some(" ca "), Some("Hawaii"), Some("CA")),
            (Some("CA-ON"), None, Some("CA-ON")),
            (None, Some("Hawaii"), Some("HI")),
            (Some(" "), Some("hawaii"), Some("HI")),
            (None, Some("HI"), Some("HI")),
            (None, Some("us-hi"), Some("HI")),
            (None, Some("Atlantis"), None),
            (None, Some(""), None),
            (None, None, None),
        ] {
            assert_eq!(
                to("US", code, name).province.as_deref(),
                province,
                "{code:?} {name:?}"
            );
        }
        assert_eq!(Destination::of(&Address::default()), None);
    }

    #[test]
    fn the_rest_is_what_lies_in_no_other_zone() {
        let place = |country, province: Option<&str>| Place {
            country: Country::from_code(country).unwrap(),
            province: province.map(str::to_owned),
        };
        let zone = |name: &str, places| Zone {
            name: name.to_owned(),
            places,
        };
        let zones = vec![
            zone("Rest", Vec::new()),
            zone("America", vec![place("US", None), place("CA", None)]),
            zone("Remote", vec![place("US", Some("HI")), place("NZ", None)]),
        ];
        let rates = ShippingRates {
            zones,
            rates: Vec::new(),
        };
        for (destination, zones) in [
            (to("US", Some("CA"), None), &["America"][..]),
            (to("US", Some("HI"), None), &["America", "Remote"]),
            (to("NZ", Some("HI"), None), &["Remote"]),
            (to("VN", None, None), &["Rest"]),
        ] {
            let lies = |zone: &&str| rates.lies_in(&destination, zone);
            let found: Vec<&str> = ["Rest", "America", "Remote", "Nowhere"]
                .into_iter()
                .filter(lies)
                .collect();
            assert_eq!(found, zones, "{destination:?}");
        }
    }

    #[test]
    fn patterns_stand_for_all_that_begins_so() {
        let mut rule = FeeRule::label_handling(Currency::USD, Amount::ZERO);
        assert!(rule.takes("ANY"));
        rule.skus = vec!["TEE-*".to_owned(), "MUG-11".to_owned(), "*-XL*".to_owned()];
        for (sku, taken) in [
            ("TEE-", true),
            ("TEE-M", true),
            ("TEE", false),
            ("tee-M", false),
            ("MUG-11", true),
            ("MUG-115", false),
            ("A-XL", false),
            ("*-XLT", true),
        ] {
            assert_eq!(rule.takes(sku), taken, "{sku}");
        }
        rule.skus = vec!["*".to_owned()];
        assert!(rule.takes(""));
    }
}

//! The prices that come from the configuration: they hold until rates and fees are imported.

use std::fmt;

use pressline_domain::money::{Amount, Currency, MoneyError};
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, Place, RateSet, ShippingRate, Tariff, Zone,
};
use pressline_kit::geo::Country;

use super::{ConfigError, Problem, Rate, Settings, wrong};

/// The zone of rates that name no countries.
const EVERYWHERE: &str = "everywhere";

impl Settings {
    /// What orders are priced with while no rates, or no fees, were imported. Each list of
    /// countries is a zone of its own.
    ///
    /// # Errors
    /// All problems of the rates and fees.
    pub(crate) fn tariff(&self) -> Result<Tariff, ConfigError> {
        let mut problems = Vec::new();
        let mut note = |ConfigError(found): ConfigError| problems.extend(found);
        let mut shipping = RateSet::default();
        match self.shipping.currency.parse::<Currency>() {
            Err(error) => note(wrong("shipping.currency", error)),
            Ok(currency) => {
                for rate in &self.shipping.rates {
                    add_rate(&mut shipping, rate, currency).unwrap_or_else(&mut note);
                }
            }
        }
        let mut fees = FeeSchedule::default();
        for (code, fee) in &self.label.handling_fee {
            match handling_fee(code, fee) {
                Ok(rule) => fees.rules.push(rule),
                Err(error) => note(error),
            }
        }
        if problems.is_empty() {
            Ok(Tariff {
                shipping: shipping.into_rates(),
                fees,
            })
        } else {
            Err(ConfigError(problems))
        }
    }
}

fn add_rate(shipping: &mut RateSet, rate: &Rate, currency: Currency) -> Result<(), ConfigError> {
    let zone = zone(rate)?;
    let amount = |text: &str| Amount::parse(text, currency).map_err(|e| of_rate(rate, e));
    let read = ShippingRate {
        zone: zone.name.clone(),
        ship_class: rate.class.clone(),
        currency,
        first: amount(&rate.first)?,
        further: amount(&rate.further)?,
        steps: Vec::new(),
        free_from: None,
    };
    let twice = || {
        let problem = format!("{} is listed twice for one destination", rate.class);
        wrong("shipping.rates", problem)
    };
    // Zones are named by their countries, so that those of one name are the same.
    shipping.add_zone(zone).map_err(|_| twice())?;
    shipping.add_rate(read).map_err(|_| twice())
}

fn handling_fee(code: &str, fee: &str) -> Result<FeeRule, ConfigError> {
    let wrong = |error: MoneyError| {
        ConfigError(vec![Problem::new(
            &format!("label.handling_fee.{code}"),
            error,
        )])
    };
    let currency: Currency = code.parse().map_err(wrong)?;
    let fee = Amount::parse(fee, currency).map_err(wrong)?;
    Ok(FeeRule::label_handling(currency, fee))
}

fn of_rate(rate: &Rate, problem: impl fmt::Display) -> ConfigError {
    wrong("shipping.rates", format!("{}: {problem}", rate.class))
}

fn zone(rate: &Rate) -> Result<Zone, ConfigError> {
    let mut countries: Vec<Country> = Vec::new();
    for code in &rate.countries {
        let country = Country::from_code(code);
        let country =
            country.ok_or_else(|| of_rate(rate, format!("`{code}` is no country code")))?;
        if !countries.contains(&country) {
            countries.push(country);
        }
    }
    countries.sort_unstable_by_key(|country| country.code());
    let codes: Vec<&str> = countries.iter().map(|country| country.code()).collect();
    let name = if codes.is_empty() {
        EVERYWHERE.to_owned()
    } else {
        codes.join(", ")
    };
    let places = countries.into_iter().map(|country| Place {
        country,
        province: None,
    });
    Ok(Zone {
        name,
        places: places.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(rates: &[(&str, &[&str], &str)]) -> Settings {
        let mut settings =
            Settings::read(None, std::collections::HashMap::new(), Vec::new()).unwrap();
        let rate = |(class, countries, first): &(&str, &[&str], &str)| Rate {
            class: (*class).to_owned(),
            countries: countries.iter().map(|code| (*code).to_owned()).collect(),
            first: (*first).to_owned(),
            further: "1".to_owned(),
        };
        settings.shipping.rates = rates.iter().map(rate).collect();
        settings
    }

    #[test]
    fn each_list_of_countries_is_a_zone() {
        let rates: [(&str, &[&str], &str); 4] = [
            ("Standard", &["US", "CA"], "4"),
            ("Express", &["CA", "US", "US"], "9"),
            ("Standard", &["MX"], "6"),
            ("Standard", &[], "12"),
        ];
        let shipping = settings(&rates).tariff().unwrap().shipping;
        let zones: Vec<&str> = shipping
            .zones
            .iter()
            .map(|zone| zone.name.as_str())
            .collect();
        assert_eq!(zones, ["CA, US", "MX", "everywhere"]);
        let of: Vec<&str> = shipping
            .rates
            .iter()
            .map(|rate| rate.zone.as_str())
            .collect();
        assert_eq!(of, ["CA, US", "CA, US", "MX", "everywhere"]);
    }

    #[test]
    fn a_destination_has_one_rate_of_a_class() {
        for rates in [
            [
                ("Standard", ["US", "CA"].as_slice(), "4"),
                ("standard", &["CA", "MX"], "5"),
            ],
            [("Standard", &[], "4"), ("Standard", &[], "5")],
        ] {
            assert!(
                settings(&rates)
                    .tariff()
                    .unwrap_err()
                    .to_string()
                    .contains("twice")
            );
        }
        assert!(
            settings(&[("Standard", &["XX"], "4")])
                .tariff()
                .unwrap_err()
                .to_string()
                .contains("`XX`")
        );
    }
}

//! The shipping rates and fees that a new database gets: embedded files of the form that imports have.

use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates, Tariff};

use crate::files::{FileError, Format, Known, Table, fees, shipping};

const SHIPPING: &[u8] = include_bytes!("shipping.csv");
const FEES: &[u8] = include_bytes!("fees.csv");

/// Returns the rates and the service's schedule of fees.
///
/// # Errors
/// [`FileError`] if an embedded file is not valid; a test guards that.
pub(crate) fn tariff() -> Result<Tariff, FileError> {
    Ok(Tariff {
        shipping: rates()?,
        fees: fees()?,
    })
}

/// Returns the shipping rates.
///
/// # Errors
/// As [`tariff`].
pub(crate) fn rates() -> Result<ShippingRates, FileError> {
    let name = "the first shipping rates";
    shipping::read(Table::parse(name, SHIPPING, Format::Csv, &shipping::SHAPE)?)
}

/// Returns the service's schedule of fees.
///
/// # Errors
/// As [`tariff`].
pub(crate) fn fees() -> Result<FeeSchedule, FileError> {
    let table = Table::parse("the first fees", FEES, Format::Csv, &fees::SHAPE)?;
    let schedules = fees::read(table, &Known::default())?;
    let service = schedules.into_iter().find(|(store, _)| store.is_none());
    Ok(service.map(|(_, schedule)| schedule).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use pressline_domain::money::{Amount, Currency};
    use pressline_domain::pricing::tariff::FeeRule;

    use super::*;

    #[test]
    fn a_new_database_has_two_rates_and_charges_labels() {
        let tariff = tariff().unwrap();
        let classes: Vec<&str> = tariff
            .shipping
            .rates
            .iter()
            .map(|rate| rate.ship_class.as_str())
            .collect();
        assert_eq!(classes, ["Standard", "Express"]);
        let label = FeeRule::label_handling(Currency::USD, Amount::from_minor(250).unwrap());
        assert_eq!(tariff.fees.rules, [label]);
    }
}

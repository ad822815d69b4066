//! Shipping rates and fees of a new database: embedded files in the import format.

use pressline_backoffice::import::catalog::{
    Content, Findings, References, Rows, read_fees, read_shipping,
};
use pressline_cli::CommandError;
use pressline_domain::pricing::tariff::Tariff;
use pressline_tabular::Format;

const SHIPPING: &[u8] = include_bytes!("shipping.csv");
const FEES: &[u8] = include_bytes!("fees.csv");

/// Fails only if an embedded file is invalid, which a test checks.
pub(crate) fn tariff() -> Result<Tariff, CommandError> {
    read().map_err(|findings| CommandError::bad_rows("the first rates and fees", findings))
}

fn read() -> Result<Tariff, Findings> {
    let shipping = read_shipping(rows(SHIPPING, Content::Shipping)?)?;
    let schedules = read_fees(rows(FEES, Content::Fees)?, &References::default())?;
    let service = schedules.into_iter().find(|(store, _)| store.is_none());
    let fees = service.map(|(_, schedule)| schedule).unwrap_or_default();
    Ok(Tariff { shipping, fees })
}

fn rows(file: &[u8], content: Content) -> Result<Rows, Findings> {
    pressline_tabular::read(file, Format::Csv, content)
}

#[cfg(test)]
mod tests {
    use pressline_domain::pricing::tariff::FeeRule;
    use pressline_domain::value::{Amount, Currency};

    use super::*;

    #[test]
    fn a_new_database_has_two_rates_and_charges_labels() {
        let tariff = tariff().unwrap();
        let classes: Vec<&str> = tariff
            .shipping
            .rates()
            .iter()
            .map(|rate| rate.ship_class.as_str())
            .collect();
        assert_eq!(classes, ["Standard", "Express"]);
        let label = FeeRule::label_handling(Currency::USD, Amount::from_minor(250).unwrap());
        assert_eq!(tariff.fees.rules(), [label]);
    }
}

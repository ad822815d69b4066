//! Price list files.

use pressline_backoffice::import::catalog::{price_sheet, read_prices};
use pressline_domain::catalog::ListPrice;

use super::*;

const WHOLE: &str = "\
store,sku,price,currency,valid_from
,MUG-11,5.00,USD,2026-01-01
,MUG-11,4.50,EUR,2026-01-01T12:30:00.500Z
DEMO,MUG-11,4.00,USD,2026-02-01
TOKYO,TEE-M,1250,JPY,2026-01-01
KUWAIT,TEE-M,2.125,KWD,2026-01-01
";

fn parse(text: &str) -> Result<Vec<ListPrice>, Findings> {
    read_prices(rows(text, Content::Prices)?, &references())
}

#[test]
fn a_written_file_is_read_back_unchanged() {
    let prices = parse(WHOLE).unwrap();
    let stores = references().stores;
    assert_read_back(&prices, WHOLE, |whole| price_sheet(whole, &stores), parse);
    let units: Vec<i64> = prices
        .iter()
        .map(|price| price.amount.minor_units())
        .collect();
    assert_eq!(units, [500, 450, 400, 1250, 2125]);
    assert_eq!(prices[2].store.unwrap().to_string(), DEMO);
}

#[test]
fn stores_are_named_by_id_or_prefix_and_bring_their_currency() {
    let text = format!(
        "store,sku,price,valid_from\n{DEMO},TEE-M,1,2026-01-01\ntokyo,TEE-M,100,2026-01-01\n"
    );
    let prices = parse(&text).unwrap();
    assert_eq!(prices[0].store.unwrap().to_string(), DEMO);
    assert_eq!(
        (prices[1].currency.code(), prices[1].amount.minor_units()),
        ("JPY", 100)
    );
}

#[test]
fn every_wrong_price_is_named() {
    let text = "store,sku,price,currency,valid_from\n\
                DEM,MUG-11,1,USD,2026-01-01\n\
                DEMO,MUG-12,1,USD,2026-01-01\n\
                DEMO,MUG-11,1,EUR,2026-01-01\n\
                TOKYO,MUG-11,1.5,JPY,2026-01-01\n\
                KUWAIT,MUG-11,1.2345,KWD,2026-01-01\n\
                ,MUG-11,1,USD,01/02/2026\n\
                ,MUG-11,,USD,2026-01-01T10:00\n\
                ,MUG-11,1,USD,\n\
                ,MUG-11,1,USD,1969-12-31\n\
                ,TEE-M,1,XXQ,2026-01-01\n\
                ,TEE-M,1,USD,2026-01-01\n\
                ,TEE-M,2,USD,2026-01-01T00:00:00Z\n";
    assert_problems(
        parse(text),
        &[
            ("line 2, store", "did you mean `DEMO`?"),
            (
                "line 3, sku",
                "`MUG-12` is not in the catalog; did you mean `MUG-11`?",
            ),
            ("line 4, currency", "EUR, and store DEMO has USD"),
            ("line 5, price", "more than 0 decimals"),
            ("line 6, price", "more than 3 decimals"),
            ("line 7, valid_from", "2026-01-01"),
            ("line 8, price", "required: an amount such as 12.50"),
            ("line 8, valid_from", "2026-01-01T06:30:00Z"),
            ("line 9, valid_from", "required"),
            ("line 10, valid_from", "before 1970"),
            ("line 11, currency", "`XXQ` is not a currency code"),
            ("line 13, sku", "is already in line 12"),
        ],
    );
}

//! Shipping files.

use pressline_backoffice::import::catalog::{read_shipping, shipping_sheet};
use pressline_domain::pricing::tariff::ShippingRates;

use super::*;

const WHOLE: &str = "\
zone,places,ship_class,currency,first_unit,further_unit,weight_steps,free_from
Remote,US-AK|US-HI|IS,Standard,USD,9.99,2.50,1000:2.50|5000:9.00,150.00
Remote,US-AK|US-HI|IS,Standard,JPY,1500,400,1000:250,
Fees only,CA-ON,,,,,,
Everywhere,*,Standard,USD,4.99,1.50,,
";

fn parse(text: &str) -> Result<ShippingRates, Findings> {
    read_shipping(rows(text, Content::Shipping)?)
}

#[test]
fn a_written_file_is_read_back_unchanged() {
    let rates = parse(WHOLE).unwrap();
    assert_read_back(&rates, WHOLE, shipping_sheet, parse);
    assert_eq!((rates.zones().len(), rates.rates().len()), (3, 3));
    assert_eq!(rates.zones()[0].places[1].province(), Some("HI"));
    assert!(rates.zones()[2].places.is_empty());
    assert_eq!(rates.rates()[0].steps[1].extra.minor_units(), 900);
    assert_eq!(rates.rates()[1].free_from, None);
}

#[test]
fn rates_are_in_the_order_of_their_zones() {
    let mixed = "zone,places,ship_class,first_unit,further_unit\n\
                 A,US,Standard,1,1\nB,*,Standard,2,1\nA,US,Express,3,1\n";
    let rates = parse(mixed).unwrap();
    let zones: Vec<&str> = rates
        .rates()
        .iter()
        .map(|rate| rate.zone.as_str())
        .collect();
    assert_eq!(zones, ["A", "A", "B"]);
    let text = write(&shipping_sheet(&rates), Format::Csv).unwrap();
    assert_eq!(parse(&String::from_utf8(text).unwrap()).unwrap(), rates);
}

#[test]
fn every_wrong_rate_is_named() {
    let text = "zone,places,ship_class,currency,first_unit,further_unit,weight_steps,free_from\n\
                A,US|ZZ,Standard,USD,1,1,,\n\
                B,US-XX,Standard,USD,1,1,,\n\
                C,*|US,Standard,USD,1,1,,\n\
                D,,Standard,USD,1,1,,\n\
                E,MX,,USD,1,1,,\n\
                F,FR,Standard,JPY,1.5,1,,\n\
                G,DE,Standard,USD,1,,1000:1|1000.5:2,free\n\
                H,IT,Standard,USD,1,1,5000:1|1000:2,\n\
                I,ES,Standard,USD,1,1,1000,\n\
                J,PT,Standard,USD,1,1,1000:1.234,\n\
                K,SE,Standard,USD,1,1,,\n\
                K,NO,Express,USD,1,1,,\n\
                K,SE,standard,USD,1,1,,\n\
                L,SE,Standard,USD,1,1,,\n\
                ,GB,Standard,USD,1,1,,\n";
    assert_problems(
        parse(text),
        &[
            ("line 2, places", "`ZZ` is neither a country"),
            (
                "line 3, places",
                "`US-XX` is not a province of United States",
            ),
            ("line 4, places", "must be the only place"),
            ("line 5, places", "* for everywhere else"),
            ("line 6, ship_class", "required"),
            ("line 7, first_unit", "JPY has no smaller unit"),
            ("line 8, further_unit", "required"),
            (
                "line 8, weight_steps",
                "`1000.5` is not a whole number of grams",
            ),
            ("line 8, free_from", "`free` is not an amount"),
            ("line 9, weight_steps", "the lightest first"),
            ("line 10, weight_steps", "GRAMS:AMOUNT"),
            (
                "line 11, weight_steps",
                "above 1000 g: more than 2 decimals",
            ),
            ("line 13, places", "zone `K` has other places in line 12"),
            (
                "line 14, ship_class",
                "`standard` in USD to `K` is already in line 12",
            ),
            (
                "line 15, places",
                "`SE` already has a rate of `Standard` in USD in zone `K`",
            ),
            ("line 16, zone", "required"),
        ],
    );
}

//! Tests of tracking numbers, and of the number in a carrier's barcode.

use pressline_domain::fulfilment::{CanonicalNumber, is_same_number, number_in_barcode};

/// Carrier, barcode and the number in it.
const HOLDING_MORE: [(&str, &str, &str); 26] = [
    // The example of a label whose check digit is wrong: 30 digits can be read in one way.
    (
        "USPS",
        "420941059400100000000095897714",
        "9400100000000095897714",
    ),
    (
        "U.S.P.S.",
        "420221539101026837331000039521",
        "9101026837331000039521",
    ),
    (
        "usps ground advantage",
        "420 22153 9101026837331000039521",
        "9101026837331000039521",
    ),
    (
        "United States Postal Service",
        "(420)22153 9101026837331000039521",
        "9101026837331000039521",
    ),
    (
        "USPS",
        "]C1420221539101026837331000039521",
        "9101026837331000039521",
    ),
    (
        "USPS",
        "42022153\u{1d}9101026837331000039521",
        "9101026837331000039521",
    ),
    (
        "USPS",
        "4201002334249200190132607600833457",
        "9200190132607600833457",
    ),
    (
        "USPS",
        "4201028200009261290113185417468510",
        "9261290113185417468510",
    ),
    (
        "USPS",
        "4201028292748931507708513018050063",
        "92748931507708513018050063",
    ),
    (
        "USPS",
        "42010282000092748931507708513018050063",
        "92748931507708513018050063",
    ),
    (
        "",
        "420221539101026837331000039521",
        "9101026837331000039521",
    ),
    (
        "",
        "420941059400100000000095897714",
        "9400100000000095897714",
    ),
    (
        "DHL eCommerce",
        "4201028200009261290113185417468510",
        "9261290113185417468510",
    ),
    (
        "FedEx",
        "9622001900000000000000776632517510",
        "776632517510",
    ),
    (
        "FedEx",
        "9622001560001234567100794808390594",
        "794808390594",
    ),
    (
        "fedex_ground",
        "9632001560123456789900794808390594",
        "794808390594",
    ),
    (
        "FedEx Express",
        "1001921334250001000300779017972697",
        "779017972697",
    ),
    ("", "9622001900000000000000776632517510", "776632517510"),
    ("FedEx", "9611020987654312345672", "987654312345672"),
    ("DPD", "%008182709980000020033350276", "09980000020033"),
    ("DPD UK", "008182709980000020033350276", "09980000020033"),
    (
        "DPD",
        "0081 827 0998 0000 0200 45 327 276 N",
        "09980000020045",
    ),
    ("", "%0EC1A1B09980000020033350826", "09980000020033"),
    (
        "Australia Post",
        "0199312650999998912JD020603601000931508|4203000|9277215833",
        "2JD020603601000931508",
    ),
    (
        "",
        "0199312650999998912jd0206036010009315084203000",
        "2JD020603601000931508",
    ),
    ("Evri", "]C0T00123456789", "T00123456789"),
];

/// Carrier and a text that is its own number.
const BARE: [(&str, &str); 25] = [
    ("USPS", "9400100000000095897714"),
    ("USPS", "42094105"),
    ("USPS", "420941051"),
    // Wrong check digits.
    ("USPS", "4201028200009261290113185417468511"),
    ("UPS", "420941059400100000000095897714"),
    ("USPS", "420000000000000000000000000000"),
    ("FedEx", "9622001560001234567100794808390595"),
    ("FedEx", "1001901781990001000300617767839438"),
    ("FedEx", "9600000000000000000001"),
    ("FedEx", "776632517510"),
    ("UPS", "9622001900000000000000776632517510"),
    ("UPS", "1Z5R89390357567127"),
    ("UPS", "1z 5r8 939 03 5756 7127"),
    ("DHL", "00340434161094042557"),
    ("DHL Express", "JJD014600002517893001"),
    ("Royal Mail", "AB123456789GB"),
    ("Canada Post", "0073938000549297"),
    ("Amazon", "TBA123456789012"),
    ("DPD", "09980000020033"),
    ("DPD", "008182709980000020033350276A"),
    ("", "008182709980000020033350276C"),
    ("Australia Post", "33JD0206036010009315"),
    ("", ""),
    ("", "]"),
    ("", "É]C1"),
];

fn read(carrier: &str, text: &str) -> Option<String> {
    number_in_barcode(Some(carrier).filter(|carrier| !carrier.is_empty()), text)
}

#[test]
fn the_number_is_taken_out_of_a_barcode_that_holds_more() {
    for (carrier, code, number) in HOLDING_MORE {
        assert_eq!(
            read(carrier, code).as_deref(),
            Some(number),
            "{carrier} {code}"
        );
        // A number that was taken out of a barcode stays.
        assert_eq!(read(carrier, number), None, "{carrier} {number}");
    }
}

#[test]
fn any_other_text_is_its_own_number() {
    for (carrier, code) in BARE {
        assert_eq!(read(carrier, code), None, "{carrier} {code}");
    }
}

#[test]
fn letter_case_white_space_and_invisible_characters_do_not_count() {
    let number = "1Z999AA10123456784";
    for same in [
        "1z999aa10123456784",
        " 1Z 999\u{a0}AA1\t0123456784",
        "\u{200b}1Z999AA1\u{ad}0123456784\u{feff}",
    ] {
        assert_eq!(CanonicalNumber::new(same).as_str(), number);
        assert!(is_same_number(Some(same), Some(number)));
    }
    for other in ["1Z-999AA10123456784", "1Z999AA1012345678"] {
        assert!(!is_same_number(Some(other), Some(number)));
    }
    assert!(is_same_number(None, None) && !is_same_number(None, Some(number)));
}

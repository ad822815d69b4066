//! URLs of the tracking pages of well-known carriers.

use super::tracking_number::{CanonicalNumber, carrier_name};

/// Carriers in lower-case letters and digits, each with the URL prefix for a tracking number.
/// Online shops commonly link to the URLs (2026-11). Carriers change them now and then.
const PREFIXES: [(&str, &str); 12] = [
    (
        "australiapost",
        "https://auspost.com.au/mypost/track/#/details/",
    ),
    (
        "canadapost",
        "https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=",
    ),
    (
        "colissimo",
        "https://www.laposte.fr/outils/suivre-vos-envois?code=",
    ),
    (
        "dhl",
        "https://www.dhl.com/global-en/home/tracking.html?tracking-id=",
    ),
    (
        "dhlecommerce",
        "https://webtrack.dhlecs.com/orders?trackingNumber=",
    ),
    (
        "dhlexpress",
        "https://www.dhl.com/global-en/home/tracking.html?tracking-id=",
    ),
    ("dpd", "https://tracking.dpd.de/status/en_US/parcel/"),
    ("evri", "https://www.evri.com/track/parcel/"),
    ("fedex", "https://www.fedex.com/fedextrack/?trknbr="),
    (
        "royalmail",
        "https://www.royalmail.com/track-your-item#/tracking-results/",
    ),
    ("ups", "https://www.ups.com/track?tracknum="),
    (
        "usps",
        "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
    ),
];

/// Ignores case, spaces and punctuation in `carrier`. Takes the canonical form of `number`. Returns `None` for an
/// unknown carrier, an empty number, or a number with characters other than ASCII letters, digits
/// and hyphens, which could lead to another page.
pub(super) fn tracking_url(carrier: &str, number: &str) -> Option<String> {
    let name = carrier_name(carrier);
    let (_, prefix) = PREFIXES.iter().find(|(known, _)| *known == name)?;
    let canonical = CanonicalNumber::new(number);
    let number = canonical.as_str();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    (!number.is_empty() && number.chars().all(is_plain)).then(|| format!("{prefix}{number}"))
}

#[cfg(test)]
mod tests {
    use super::tracking_url;

    #[test]
    fn a_usual_carriers_parcel_has_an_address() {
        let url = "https://www.ups.com/track?tracknum=1Z999AA10123456784";
        let found = tracking_url("U.P.S.", "1Z 999 AA1 01 2345 6784");
        assert_eq!(found.as_deref(), Some(url));
        assert!(tracking_url("Royal Mail", "AB123456789GB").is_some());
    }

    #[test]
    fn another_carrier_has_no_address() {
        assert_eq!(tracking_url("Courier of the town", "1"), None);
        assert_eq!(tracking_url("", "1"), None);
    }

    #[test]
    fn a_number_that_could_lead_elsewhere_has_no_address() {
        for number in ["", " ", "1&redirect=x", "../1", "1#", "é1"] {
            assert_eq!(tracking_url("UPS", number), None, "{number}");
        }
    }
}

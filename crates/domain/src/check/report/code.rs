//! Codes of violations and warnings: one table, from which the documentation is generated.

use std::fmt;

/// Whether an [`IssueCode`] stands for violations, for warnings or for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Only in [`Violation`](super::Violation)s: the request is refused.
    Error,
    /// Only in [`Warning`](super::Warning)s: the request is accepted.
    Warning,
    /// In violations or warnings, depending on the field and on the settings of the store.
    ErrorOrWarning,
}

struct Description {
    name: &'static str,
    severity: Severity,
    meaning: &'static str,
    effect: &'static str,
    remedy: &'static str,
}

/// Defines [`IssueCode`] by a table of codes. The columns of a row are name, severity, meaning,
/// effect (warnings only: the consequence for the request) and remedy (advice for the caller).
macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $meaning:literal
        $(effect $effect:literal)? remedy $remedy:literal;)*) => {
        /// Kind of a violation or warning, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum IssueCode {
            $(#[doc = $meaning] $code),*
        }

        impl IssueCode {
            /// All codes, in the order of their definition.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            const fn description(self) -> Description {
                match self {
                    $(Self::$code => Description {
                        name: $name,
                        severity: Severity::$severity,
                        meaning: $meaning,
                        effect: concat!($($effect)?),
                        remedy: $remedy,
                    }),*
                }
            }
        }
    };
}

codes! {
    Required "required" Error
        "A required field or header is missing or empty."
        remedy "Send it.";
    WrongType "wrong_type" Error
        "The value has another type than the field; the message names both types."
        remedy "Send a value of the field's type.";
    TooLong "too_long" Error
        "A text, a list, or all content of the order is larger than allowed."
        remedy "Shorten it, or split the order.";
    OutOfRange "out_of_range" Error
        "A number, a time or a sum is outside its range."
        remedy "Send a value within the range that the message names.";
    InvalidFormat "invalid_format" Error
        "A text does not have the form of its field, or contains a control character."
        remedy "Send the form that the message describes.";
    PortNotAllowed "port_not_allowed" Error
        "The service does not call this port. The message names the permitted ones."
        remedy "Serve the URL on one of them.";
    AddressNotAllowed "address_not_allowed" Error
        "The URL's host is an address that the internet cannot reach, in any spelling, or `localhost` or a name below it."
        remedy "Use a host that the internet can reach, or ask the operator to permit the network.";
    InvalidJson "invalid_json" Error
        "The body is not a JSON object that can be read. Line and column say where."
        remedy "Correct the program that writes the body.";
    Repeated "repeated" Error
        "An update names the same item twice, or an authentication header is sent twice."
        remedy "Merge the two entries, or send the header once.";
    Conflict "conflict" Error
        "Two fields exclude each other, another request has the name that the caller gave to this one, or the store is disabled."
        remedy "Send only one of them, use another name, or enable the store.";
    Ambiguous "ambiguous" Error
        "A value names several things where one is wanted; the message names them."
        remedy "Name one of them by its id.";
    Differs "differs" Error
        "The field differs from the request that created the order of this order id."
        remedy "Use another order id, or send the same request.";
    UnknownItem "unknown_item" Error
        "The order has no item of this id."
        remedy "Search the order and use the ids of its items.";
    NotEditable "not_editable" Error
        "The change concerns a fulfilled, returned or cancelled item; or, once approved, it no longer fits the order. The \
         message says which."
        remedy "Change only items that are not done, or place another order.";
    NotProducible "not_producible" Error
        "The item is neither ready nor in production; the message names its status."
        remedy "Leave it out, or wait until it is ready.";
    InBatch "in_batch" Error
        "The item is in an open batch, which the message names."
        remedy "Leave it out, or close that batch first.";
    NoFee "no_fee" Error
        "The operator has set no label handling fee in the store's currency."
        remedy "Contact support.";
    UnknownField "unknown_field" Warning
        "The request has no such field."
        effect "It is ignored."
        remedy "Check the spelling; the message names the nearest known field.";
    UnknownSku "unknown_sku" ErrorOrWarning
        "The catalog does not have the SKU."
        effect "Its cost, and with it the product cost of the order, is unknown."
        remedy "Check the SKU; the message names the nearest ones.";
    RetiredSku "retired_sku" ErrorOrWarning
        "The SKU is no longer made."
        effect "The item is accepted, but may not be produced."
        remedy "Choose another product.";
    UnknownShipClass "unknown_ship_class" ErrorOrWarning
        "No rate and no product has the ship class."
        effect "The item is priced as `Standard`. On a label order the class has no effect on the price."
        remedy "Use one of the classes that the message names.";
    ShipClassNotOffered "ship_class_not_offered" ErrorOrWarning
        "The product is not sent in this ship class. Not on label orders."
        effect "The item is priced in this class."
        remedy "Use one of the classes that the message names.";
    NoShippingRate "no_shipping_rate" ErrorOrWarning
        "There is no rate of the ship class to the destination."
        effect "The shipping fee is unknown."
        remedy "Choose another ship class.";
    WeightUnknown "weight_unknown" ErrorOrWarning
        "The catalog does not know the item's weight, on which its shipping depends."
        effect "It counts as 0 g."
        remedy "Choose another ship class, or contact support.";
    NoAreaPrice "no_area_price" ErrorOrWarning
        "A print area in use has a fee in another currency than the store's."
        effect "The surcharge is unknown."
        remedy "Contact support.";
    TotalIncomplete "total_incomplete" Warning
        "A cost is not known."
        effect "The total does not contain it."
        remedy "See the other warnings.";
    Repriced "repriced" Warning
        "Parts of the order that the update left unchanged now have another price."
        effect "The order is priced at the current prices."
        remedy "Ask for a dry run first, to see the price before the update.";
    AmbiguousOrderId "ambiguous_order_id" Warning
        "The order id also fits another order: the new order's id has the form of the service's order numbers, or \
         the name in the request is the id of one order and the number of another."
        effect "A new order keeps its id. A call that reads returns the order of this id."
        remedy "Name such orders by their `id`; give orders ids that do not look like order numbers.";
    ReasonNotStored "reason_not_stored" Warning
        "Nothing has changed, and no recent event of the order has the reason."
        effect "The reason is not stored."
        remedy "Send it with the next change.";
    MoreFilesThanAreas "more_files_than_areas" Warning
        "There are more files than print areas."
        effect "The last area takes the remaining files."
        remedy "Send one file for each area.";
    TaxNumberRecommended "tax_number_recommended" Warning
        "Customs of the destination will ask for a tax number."
        effect "The parcel is sent without one."
        remedy "Send the tax number of the recipient, or the European tax value.";
    IncompleteAddress "incomplete_address" Warning
        "The shipping address lacks the city or the postal code that addresses in its country usually have."
        effect "The parcel is sent without it."
        remedy "Send it, if the address has one.";
    UnusualZip "unusual_zip" Warning
        "The postal code does not have the form of its country's codes. Spaces, hyphens and letter case do not matter."
        effect "It is kept as sent."
        remedy "Compare it with the examples in the message. Spreadsheets remove first zeros from columns of numbers.";
    UnusualEmail "unusual_email" Warning
        "The text is not a usual e-mail address."
        effect "It is kept as sent."
        remedy "Check the spelling, if mail is to arrive.";
    ValueIgnored "value_ignored" Warning
        "A value that neither production nor the carrier needs cannot be used: a mockup image or a position. The \
         message says why."
        effect "The value is left out."
        remedy "Send a value that the message describes, or leave the field out.";
    UnknownProvince "unknown_province" Warning
        "The province is neither a code nor a name in the country's list of ISO 3166-2."
        effect "It is kept as sent."
        remedy "Check the code.";
    UnknownCountry "unknown_country" ErrorOrWarning
        "The country code or name is not known. Only a warning in a billing address."
        effect "It is kept as sent."
        remedy "Send the two-letter code of ISO 3166-1.";
    CountryMismatch "country_mismatch" ErrorOrWarning
        "The country's name, or the province, belongs to another country than the code. Only a warning in a billing \
         address, and for the name of a territory of the country (`Puerto Rico` with `US`), of the country that the \
         territory belongs to, or of several countries (`Congo`)."
        effect "It is kept as sent. The name of a territory changes the code to the territory's; in the other cases \
         the code counts."
        remedy "Correct the code, or the name or province.";
    LineBreak "line_break" Warning
        "A text of one line contains a line break."
        effect "It becomes a space."
        remedy "Send the text in one line.";
    UnsupportedValue "unsupported_value" Warning
        "The value is not supported."
        effect "Another value is used, which the message names."
        remedy "Send that value, or leave the field out.";
    More "more" ErrorOrWarning
        "The list has more entries than a response shows; the message says how many."
        effect "Only the first entries are listed."
        remedy "Correct the listed entries, and send the request again.";
}

impl IssueCode {
    /// Returns the name of the code in responses.
    pub const fn as_str(self) -> &'static str {
        self.description().name
    }

    /// Returns whether violations, warnings or both use the code.
    pub const fn severity(self) -> Severity {
        self.description().severity
    }

    /// Returns the meaning of the code, as a sentence of Markdown.
    pub const fn meaning(self) -> &'static str {
        self.description().meaning
    }

    /// Returns the consequence of the warning, as Markdown; empty for [`Severity::Error`].
    pub const fn effect(self) -> &'static str {
        self.description().effect
    }

    /// Returns advice for the caller, as a sentence of Markdown.
    pub const fn remedy(self) -> &'static str {
        self.description().remedy
    }
}

impl Severity {
    /// Returns whether violations can have the code.
    pub const fn includes_error(self) -> bool {
        matches!(self, Self::Error | Self::ErrorOrWarning)
    }

    /// Returns whether warnings can have the code.
    pub const fn includes_warning(self) -> bool {
        matches!(self, Self::Warning | Self::ErrorOrWarning)
    }
}

impl fmt::Display for IssueCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_unique_name() {
        for (i, code) in IssueCode::ALL.iter().enumerate() {
            let mut others = IssueCode::ALL.iter().skip(i + 1);
            assert!(
                others.all(|other| other.as_str() != code.as_str()),
                "{code}"
            );
        }
    }

    #[test]
    fn exactly_the_codes_of_warnings_have_an_effect() {
        for code in IssueCode::ALL {
            let has_effect = !code.effect().is_empty();
            assert_eq!(has_effect, code.severity().includes_warning(), "{code}");
        }
    }
}

//! Assertions about responses: required members and their types.

use serde_json::Value;

use super::Response;

#[derive(Clone, Copy, Debug)]
enum Type {
    Text,
    TextOrNull,
    Number,
    NumberOrNull,
    Integer,
    Object,
    List,
    Texts,
    TextsOrNull,
}

impl Type {
    fn holds(self, value: &Value) -> bool {
        let texts = |value: &Value| {
            value
                .as_array()
                .is_some_and(|list| list.iter().all(Value::is_string))
        };
        match self {
            Self::Text => value.is_string(),
            Self::TextOrNull => value.is_string() || value.is_null(),
            Self::Number => value.is_number(),
            Self::NumberOrNull => value.is_number() || value.is_null(),
            Self::Integer => value.is_i64(),
            Self::Object => value.is_object(),
            Self::List => value.is_array(),
            Self::Texts => texts(value),
            Self::TextsOrNull => value.is_null() || texts(value),
        }
    }
}

/// Section 2.6 of the interface, and this service's additional fields.
const ORDER: [(&str, Type); 22] = [
    ("id", Type::Text),
    ("serviceOrderId", Type::Text),
    ("orderId", Type::Text),
    ("billingAddress", Type::Object),
    ("shippingAddress", Type::Object),
    ("customer", Type::Object),
    ("createdAt", Type::Text),
    ("handleFee", Type::NumberOrNull),
    ("surchargeFee", Type::NumberOrNull),
    ("otherFee", Type::NumberOrNull),
    ("otherShippingFee", Type::NumberOrNull),
    ("productCost", Type::NumberOrNull),
    ("shippingFee", Type::NumberOrNull),
    ("totalCost", Type::Number),
    ("itemStatuses", Type::TextsOrNull),
    ("source", Type::Text),
    ("storeId", Type::Text),
    ("type", Type::Text),
    ("shipping_address_label", Type::TextOrNull),
    ("childDetails", Type::List),
    ("version", Type::Integer),
    ("currency", Type::Text),
];

/// Section 2.7.
const ITEM: [(&str, Type); 9] = [
    ("id", Type::Text),
    ("name", Type::Text),
    ("sku", Type::Text),
    ("quantity", Type::Integer),
    ("files", Type::List),
    ("mockupImages", Type::Texts),
    ("thumbnailMockupImages", Type::TextsOrNull),
    ("status", Type::TextOrNull),
    ("sellerCost", Type::NumberOrNull),
];

/// Section 2.8.
const FILE: [(&str, Type); 12] = [
    ("id", Type::Text),
    ("name", Type::Text),
    ("size", Type::Text),
    ("note", Type::Text),
    ("sizeWidth", Type::Text),
    ("sizeHeight", Type::Text),
    ("requirement", Type::Text),
    ("requireFor", Type::List),
    ("extraFee", Type::Text),
    ("fileUrl", Type::Texts),
    ("thumbnailFileUrl", Type::Texts),
    ("personalizedDataFileUrl", Type::TextOrNull),
];

/// Keys that an address in a response may have.
const ADDRESS: [&str; 14] = [
    "company",
    "city",
    "phone",
    "email",
    "fullName",
    "address1",
    "address2",
    "province",
    "firstName",
    "lastName",
    "country",
    "postcode",
    "taxNumber",
    "eurTaxValue",
];

#[track_caller]
fn assert_keys(object: &Value, keys: &[(&str, Type)]) {
    for (key, kind) in keys {
        let value = object
            .get(key)
            .unwrap_or_else(|| panic!("no `{key}` in {object}"));
        assert!(kind.holds(value), "`{key}` is no {kind:?} in {object}");
    }
}

/// Asserts the shape of `order`. If `request_style`, its shipping address has the field names of
/// requests.
#[track_caller]
pub(crate) fn assert_order(order: &Value, request_style: bool) {
    assert_keys(order, &ORDER);
    assert!(order["customer"]["name"].is_string(), "{order}");
    let created = order["createdAt"].as_str().unwrap();
    let digits: String = created
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert_eq!(digits, "0000-00-00T00:00:00.000Z", "{created}");
    let (prefix, number) = order["serviceOrderId"]
        .as_str()
        .unwrap()
        .rsplit_once('-')
        .unwrap();
    assert!(
        !prefix.is_empty() && number.parse::<u64>().is_ok(),
        "{order}"
    );
    for (name, spelled_as_sent) in [
        ("billingAddress", false),
        ("shippingAddress", request_style),
    ] {
        for (key, value) in order[name].as_object().unwrap() {
            let fits = if spelled_as_sent {
                !key.contains(char::is_uppercase)
            } else {
                !key.contains('_')
            };
            assert!(fits, "{name}.{key} in {order}");
            assert!(
                !value.is_null() && *value != "",
                "{name}.{key} is empty in {order}"
            );
        }
        if !spelled_as_sent {
            for (key, value) in order[name].as_object().unwrap() {
                assert!(
                    !ADDRESS.contains(&key.as_str()) || value.is_string(),
                    "{name}.{key} in {order}"
                );
            }
        }
    }
    let items = order["childDetails"].as_array().unwrap();
    assert!(!items.is_empty(), "{order}");
    for item in items {
        assert_keys(item, &ITEM);
        for file in item["files"].as_array().unwrap() {
            assert_keys(file, &FILE);
            for number in ["sizeWidth", "sizeHeight", "extraFee"] {
                let text = file[number].as_str().unwrap();
                // The size of an area that is not in the catalog is empty.
                let unknown = text.is_empty() && number != "extraFee";
                assert!(unknown || text.parse::<f64>().is_ok(), "{number} in {file}");
            }
        }
    }
}

#[derive(Debug)]
pub(crate) struct ErrorBody {
    pub(crate) message: String,
    /// `field`, `code` and `message` of each problem.
    pub(crate) errors: Vec<(String, String, String)>,
    pub(crate) body: Value,
}

impl ErrorBody {
    /// Returns whether there is a problem with `code` at the path `field`.
    pub(crate) fn has(&self, field: &str, code: &str) -> bool {
        self.errors
            .iter()
            .any(|(at, kind, _)| at == field && kind == code)
    }

    pub(crate) fn fields(&self) -> Vec<&str> {
        self.errors
            .iter()
            .map(|(field, _, _)| field.as_str())
            .collect()
    }
}

/// Asserts that `response` is an error with this `status` and `code`, in the standard error format.
#[track_caller]
pub(crate) fn assert_error(response: &Response, status: u16, code: &str) -> ErrorBody {
    assert_eq!(response.status, status, "expected {code}: {response}");
    let body = response.json();
    assert_eq!(body["code"], code, "{response}");
    assert_eq!(body["success"], false, "{response}");
    assert!(body.get("data").is_some_and(Value::is_null), "{response}");
    let message = body["message"].as_str().unwrap_or_default().to_owned();
    assert!(!message.is_empty(), "{response}");
    let id = response
        .header("X-Request-Id")
        .unwrap_or_else(|| panic!("no request id: {response}"));
    assert_eq!(body["requestId"], id, "{response}");
    let list = body["errors"]
        .as_array()
        .unwrap_or_else(|| panic!("no list of errors: {response}"));
    let text = |entry: &Value, key: &str| {
        entry[key]
            .as_str()
            .unwrap_or_else(|| panic!("no {key} in an error: {response}"))
            .to_owned()
    };
    let errors = list
        .iter()
        .map(|e| (text(e, "field"), text(e, "code"), text(e, "message")))
        .collect();
    ErrorBody {
        message,
        errors,
        body,
    }
}

#[track_caller]
pub(crate) fn strings(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    list.iter().map(|entry| entry.as_str().unwrap()).collect()
}

/// Asserts that `object` has all members of `expected`. It may have others.
#[track_caller]
pub(crate) fn assert_members(object: &Value, expected: &Value) {
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&object[key], value, "`{key}` of {object}");
    }
}

/// Returns `field`, `code` and `message` of each warning of a success.
#[track_caller]
pub(crate) fn warnings(response: &Response) -> Vec<(String, String, String)> {
    let envelope = response.ok();
    let Some(list) = envelope.get("warnings") else {
        return Vec::new();
    };
    let list = list.as_array().unwrap();
    assert!(
        !list.is_empty(),
        "an empty list of warnings is left out: {response}"
    );
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap().to_owned();
    list.iter()
        .map(|e| (text(e, "field"), text(e, "code"), text(e, "message")))
        .collect()
}

/// Asserts that a success has a warning with `code` at `field`, and that its message contains
/// `says`.
#[track_caller]
pub(crate) fn assert_warns(response: &Response, field: &str, code: &str, says: &str) {
    let found = warnings(response);
    let named = found
        .iter()
        .any(|(at, kind, text)| at == field && kind == code && text.contains(says));
    assert!(
        named,
        "no warning {code} on {field} that says {says:?}: {found:?}"
    );
}

/// Asserts the counts of an import report: `added`, `changed`, `unchanged`.
#[track_caller]
pub(crate) fn assert_counts(report: &Value, expected: [u32; 3]) {
    let counted =
        ["added", "changed", "unchanged"].map(|key| report[key].as_u64().unwrap_or(u64::MAX));
    assert_eq!(counted, expected.map(u64::from), "{report}");
}

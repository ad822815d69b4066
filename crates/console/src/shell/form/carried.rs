//! Form that was sent but not accepted, because its session has ended or it needs a confirmation.
//! Its values are kept, so that the operator can send it again.

use percent_encoding::percent_decode_str;
use pressline_domain::value::OperatorId;

use super::{Fields, ONCE, RETURN, TOKEN, encoded, is_own_address};
use crate::shell::session::keys::operator_of;

/// Maximum size of the encoded fields of a [`CarriedForm`], in bytes.
// Bounds the sign-in page, which contains the values in a hidden field (ADR 28).
const MAX_LEN: usize = 64 * 1024;
/// Maximum size of the value of the cookie with a [`CarriedForm`], in bytes. Browsers accept 4,096
/// with name and attributes.
const MAX_COOKIE_LEN: usize = 3800;
/// Separator of the parts in the value of the cookie with a [`CarriedForm`]. No part contains it.
const SEPARATOR: char = '!';
/// Names of fields with secrets, which a [`CarriedForm`] omits.
const SECRETS: [&str; 4] = ["password", "current", "new", "link"];
const ACTION: &str = "carriedAction";
const OPERATOR: &str = "carriedOperator";
/// Name of the hidden field that contains all fields of a [`CarriedForm`], URL-encoded.
const CONTENT: &str = "carried";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CarriedForm {
    pub(crate) action: String,
    /// Operator who sent the form. The form is shown to no other operator.
    pub(crate) operator: OperatorId,
    /// Fields of the form, without secrets and the form token.
    pub(crate) fields: Fields,
}

impl CarriedForm {
    /// Returns `None` if the token in `form` names no operator, `address` is not a URL of the
    /// console, or the form is too large.
    pub(crate) fn of_form(address: &str, form: &Fields) -> Option<Self> {
        let fields = form.iter().filter(|(name, _)| is_kept(name));
        Self {
            action: address.to_owned(),
            // Not verified: an ended session has no keys. The id only decides who sees the form.
            operator: operator_of(form.get(TOKEN))?,
            fields: Fields::new(fields),
        }
        .checked()
    }

    pub(crate) fn of_carrier(form: &Fields) -> Option<Self> {
        Self {
            action: form.get(ACTION).to_owned(),
            operator: form.get(OPERATOR).parse().ok()?,
            fields: Fields::parse(form.get(CONTENT)),
        }
        .checked()
    }

    fn checked(self) -> Option<Self> {
        // The action was sent by the browser, and must not lead to another site.
        let fits = is_own_address(&self.action) && self.fields.encoded().len() <= MAX_LEN;
        fits.then_some(self)
    }

    pub(crate) fn hidden(&self) -> [(&'static str, String); 3] {
        [
            (ACTION, self.action.clone()),
            (OPERATOR, self.operator.to_string()),
            (CONTENT, self.fields.encoded()),
        ]
    }

    /// Returns the value of the cookie that keeps the form during a sign-in by link; `None` if the
    /// value would be too large.
    pub(crate) fn cookie(&self) -> Option<String> {
        let parts = [
            self.operator.to_string(),
            encoded(&self.action),
            self.fields.encoded(),
        ];
        let value = parts.join(&SEPARATOR.to_string());
        (value.len() <= MAX_COOKIE_LEN).then_some(value)
    }

    pub(crate) fn of_cookie(value: &str) -> Option<Self> {
        let mut parts = value.splitn(3, SEPARATOR);
        let (operator, action) = (parts.next()?, parts.next()?);
        Self {
            action: percent_decode_str(action).decode_utf8().ok()?.into_owned(),
            operator: operator.parse().ok()?,
            fields: Fields::parse(parts.next()?),
        }
        .checked()
    }

    pub(crate) fn shown(&self) -> Vec<(&str, &str)> {
        let is_shown = |(name, value): &(&str, &str)| {
            // The console adds the three fields; people do not fill them in.
            !matches!(*name, RETURN | ONCE | "version") && !value.is_empty()
        };
        self.fields.iter().filter(is_shown).collect()
    }
}

fn is_kept(name: &str) -> bool {
    name != TOKEN && !SECRETS.contains(&name)
}

#[cfg(test)]
mod tests {
    use pressline_backoffice::operator::SecretBytes;
    use uuid::Uuid;

    use super::*;
    use crate::shell::session::keys::SessionKeys;

    fn form(rest: &str) -> Fields {
        let keys = SessionKeys::for_session("old session").unwrap();
        let operator = OperatorId::new(Uuid::from_u128(7));
        let token = keys.token(operator, &SecretBytes::default());
        Fields::parse(rest).with(TOKEN, &token)
    }

    #[test]
    fn what_was_typed_is_carried_without_secrets() {
        let form = form("reason=out+of+%26+stock&item=1&item=2&password=x&current=y&version=3");
        let carried = CarriedForm::of_form("/console/orders/SUN-1/hold", &form).unwrap();
        let hidden = Fields::new(carried.hidden());
        assert_eq!(CarriedForm::of_carrier(&hidden), Some(carried.clone()));
        assert_eq!(
            carried.fields.encoded(),
            "reason=out%20of%20%26%20stock&item=1&item=2&version=3"
        );
        let cookie = carried.cookie().unwrap();
        assert_eq!(CarriedForm::of_cookie(&cookie), Some(carried.clone()));
        let shown = [("reason", "out of & stock"), ("item", "1"), ("item", "2")];
        assert_eq!(carried.shown(), shown);
    }

    #[test]
    fn nothing_large_foreign_or_unowned_is_carried() {
        let text = format!("note={}", "x".repeat(MAX_LEN));
        assert_eq!(CarriedForm::of_form("/console/x", &form(&text)), None);
        assert_eq!(
            CarriedForm::of_form("https://evil.example", &form("a=1")),
            None
        );
        assert_eq!(
            CarriedForm::of_form("/console/x", &Fields::parse("a=1")),
            None
        );
        assert_eq!(
            CarriedForm::of_carrier(&Fields::parse("carried=a%3D1")),
            None
        );
        let text = format!("note={}", "x".repeat(MAX_COOKIE_LEN));
        let carried = CarriedForm::of_form("/console/x", &form(&text)).unwrap();
        assert_eq!(carried.cookie(), None);
        let foreign = carried.hidden()[1].1.clone() + "!https%3A%2F%2Fevil.example!a=1";
        for value in ["", "x", foreign.as_str()] {
            assert_eq!(CarriedForm::of_cookie(value), None, "{value}");
        }
    }
}

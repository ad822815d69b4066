//! Sign-in links of operators.

use pressline_backoffice::operator::NewLink;

/// Returns the URL at which `link` signs its operator in. `console` is the base URL of the console.
pub(crate) fn sign_in_url(console: &str, link: &NewLink) -> String {
    format!("{console}/console/sign-in?link={}", link.text.expose())
}

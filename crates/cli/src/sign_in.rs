//! Sign-in links of operators.

use pressline_backoffice::operator::NewLink;

pub(crate) fn sign_in_url(console: &str, link: &NewLink) -> String {
    format!("{console}/console/sign-in?link={}", link.text.expose())
}

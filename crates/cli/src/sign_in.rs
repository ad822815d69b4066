//! Links by which operators sign in.

use pressline_backoffice::operator::NewLink;

/// Returns the link by which an operator signs in, at the URL of the operators' listener.
pub(crate) fn sign_in_url(console: &str, link: &NewLink) -> String {
    format!("{console}/console/sign-in?link={}", link.text.expose())
}

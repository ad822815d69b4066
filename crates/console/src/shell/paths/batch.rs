//! URLs of the pages of batches.

use crate::shell::form::encoded;

pub(crate) const BATCHES: &str = "/console/batches";

pub(crate) fn path(number: &str) -> String {
    format!("{BATCHES}/{}", encoded(number))
}

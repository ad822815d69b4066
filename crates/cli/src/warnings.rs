//! Warnings about the database beside the result of a command.

use pressline_host::logging;
use pressline_host::terminal::escape;
use serde_json::{Value, json};

/// Prints `warnings` on standard error, and adds them to `document`, an object, if there are any.
pub(crate) fn add_warnings(document: &mut Value, warnings: &[String]) {
    for warning in warnings {
        logging::message(&escape(&format!("warning: {warning}")));
    }
    if let (Some(fields), false) = (document.as_object_mut(), warnings.is_empty()) {
        fields.insert("warnings".to_owned(), json!(warnings));
    }
}

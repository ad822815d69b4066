//! The table of rights for the documentation.

use std::fmt::Write as _;

use pressline_backoffice::operator::{OperatorRole, RIGHTS};

pub(crate) fn rights_table() -> String {
    let roles = OperatorRole::ALL.map(OperatorRole::as_str).join(" | ");
    let mut text = format!("| Call | {roles} |\n|---|---|---|---|---|\n");
    for right in RIGHTS {
        let marks = OperatorRole::ALL.map(|role| match role.includes(right.least_role) {
            true => "yes",
            false => "",
        });
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{}` | {} |", right.call, marks.join(" | "));
    }
    text
}

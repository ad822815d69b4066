//! Role matrix: the roles that may use each page and each action.

use std::fmt::Write as _;

use pressline_backoffice::operator::OperatorRole;

use crate::routes;
use crate::shell::access::{Access, Method, RouteInfo};

/// Roles that can sign in, in the order of the matrix columns.
const ROLES: [OperatorRole; 3] = [
    OperatorRole::Viewer,
    OperatorRole::Operator,
    OperatorRole::Admin,
];

/// Returns the role matrix as a Markdown table, with a column for each role that can sign in.
pub fn role_matrix() -> String {
    let roles = ROLES.map(OperatorRole::as_str).join(" | ");
    let mut text = format!("| Path | Action | {roles} |\n|---|---|---|---|---|\n");
    for route in routes::all().map(|route| &route.info) {
        let marks = ROLES.map(|role| mark(route, role)).join(" | ");
        let action = match route.method {
            Method::Get => format!("(page) {}", route.title()),
            Method::Post => format!("`{}`", route.title()),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{}` | {action} | {marks} |", route.path);
    }
    text
}

fn mark(route: &RouteInfo, role: OperatorRole) -> &'static str {
    match (route.access, route.access.includes(role), route.confirmed) {
        (Access::Open, ..) => "without signing in",
        (_, false, _) => "",
        (_, true, true) => "yes, confirmed",
        (_, true, false) => "yes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_has_a_row_for_each_route() {
        let matrix = role_matrix();
        assert_eq!(matrix.lines().count(), routes::all().count() + 2);
        let home = "| `/console` | (page) Today | yes | yes | yes |";
        assert!(matrix.contains(home), "{matrix}");
    }
}

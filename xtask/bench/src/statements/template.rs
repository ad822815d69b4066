//! Statements with marks for values, such as `{store}`.

/// Removes the comments of `sql` and inserts `values` by name.
pub(super) fn filled_in(sql: &str, values: &[(&str, &str)]) -> String {
    let lines = sql.lines();
    // Comments are removed, because pgbench would find variables in them.
    let lines: Vec<&str> = lines
        .filter(|line| !line.trim_start().starts_with("--"))
        .collect();
    values.iter().fold(lines.join("\n"), |sql, (name, value)| {
        sql.replace(&format!("{{{name}}}"), value)
    })
}

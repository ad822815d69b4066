//! `cargo xtask sql`: prints the SQL statements of the stores as they are sent, and adds columns to
//! them.

mod column;

use std::io::Write as _;

use clap::Args;
use pressline_testkit::{SourceStatement, source_statements};

use crate::cargo::{cargo, root, run as run_command};
use crate::error::TaskError;

/// Test of a store crate that explains the plans of all its statements.
const EXPLAINING: &str = "every_statement_has_a_plan";

#[derive(Args)]
pub(crate) struct Arguments {
    /// Part of the statements' names, such as `order/create`; without it, only the names are listed
    name: Option<String>,
    /// All statements
    #[arg(long, conflicts_with = "name")]
    all: bool,
    /// Also the plan in a new database, for NULL as the value of each parameter
    #[arg(long)]
    explain: bool,
    /// Instead of printing: adds the column NEW wherever a statement lists the column OLD, which must
    /// have the same type
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["name", "all", "explain"])]
    copy_column: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), TaskError> {
    if let [old, new] = arguments.copy_column.as_slice() {
        return copy_column(old, new);
    }
    let part = arguments.name.as_deref().unwrap_or_default();
    let statements = source_statements(&root().join("crates"))?;
    let chosen: Vec<&SourceStatement> = statements
        .iter()
        .filter(|statement| statement.name.contains(part))
        .collect();
    if chosen.is_empty() {
        return Err(format!(
            "no statement has `{part}` in its name; `cargo xtask sql` lists the names"
        )
        .into());
    }
    let mut out = std::io::stdout().lock();
    let with_text = arguments.all || arguments.name.is_some();
    for statement in &chosen {
        let databases = match (statement.postgres, statement.sqlite) {
            (true, true) => "both",
            (true, false) => "PostgreSQL",
            (false, _) => "SQLite",
        };
        if with_text {
            writeln!(out, "-- {} ({databases})", statement.name)?;
            writeln!(out, "{};\n", dedented(&statement.text))?;
        } else {
            writeln!(out, "{} ({databases})", statement.name)?;
        }
    }
    if !arguments.explain {
        return Ok(());
    }
    for (package, is_used) in [
        (
            "pressline-store-postgres",
            chosen.iter().any(|statement| statement.postgres),
        ),
        (
            "pressline-store-sqlite",
            chosen.iter().any(|statement| statement.sqlite),
        ),
    ] {
        if is_used {
            run_command(
                cargo(["test", "--quiet", "--locked", "--package", package])
                    .args(["--test", "statements", EXPLAINING, "--", "--nocapture"])
                    .env("PRESSLINE_EXPLAIN", part),
            )?;
        }
    }
    Ok(())
}

fn copy_column(old: &str, new: &str) -> Result<(), TaskError> {
    let mut files = 0;
    for store in ["store-kit", "store-postgres", "store-sqlite"] {
        files += column::copy(&root().join("crates").join(store).join("src"), old, new)?;
    }
    if files == 0 {
        return Err(format!("no statement in an .sql file lists the column `{old}`").into());
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "`{new}` is in {files} files; look at the changes: git diff '*.sql'"
    )?;
    Ok(())
}

/// Removes the indentation of the lines after the first: a text in the code is indented.
fn dedented(text: &str) -> String {
    let indents = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len());
    let indent = indents.min().unwrap_or_default();
    let lines = text
        .trim_end()
        .lines()
        .enumerate()
        .map(|(number, line)| match number {
            0 => line,
            _ => line.get(indent..).unwrap_or_default(),
        });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_the_code_is_printed_without_its_indentation() {
        let text = "SELECT a\n             FROM t\n             WHERE (\n                 b\n             )";
        assert_eq!(dedented(text), "SELECT a\nFROM t\nWHERE (\n    b\n)");
    }
}

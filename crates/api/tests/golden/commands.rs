//! The command table as a diagram and as a table for the documentation.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pressline_domain::fulfilment::{
    Guard, ItemStatus, Origin, Position, Stage, TABLE, Target, Transition,
};

fn rows() -> impl Iterator<Item = (&'static str, &'static Transition)> {
    TABLE.into_iter().flat_map(|rule| {
        let command = rule.command.as_str();
        rule.transitions.iter().map(move |row| (command, row))
    })
}

/// State diagram of the command table in Mermaid. For a move to a remembered status, all possible
/// statuses are drawn.
pub(crate) fn state_diagram() -> String {
    let mut moves: BTreeSet<(Option<ItemStatus>, ItemStatus, &'static str)> = BTreeSet::new();
    for (command, row) in rows() {
        if row.from == Origin::New {
            let placed = row.to.iter().filter_map(|target| to_status(*target));
            moves.extend(placed.map(|to| (None, to, command)));
        }
        for from in Position::all().filter(|position| row.starts_at(*position)) {
            let ends = row.to.iter().flat_map(|target| ends_of(*target, from));
            let ends = ends.filter(|to| *to != from.status);
            moves.extend(ends.map(|to| (Some(from.status), to, command)));
        }
    }
    let mut pairs: Vec<(Option<ItemStatus>, ItemStatus)> = Vec::new();
    for (from, to, _) in &moves {
        if !pairs.contains(&(*from, *to)) {
            pairs.push((*from, *to));
        }
    }
    let mut text = String::from("stateDiagram-v2\n");
    for (from, to) in pairs {
        let same = moves.iter().filter(|(f, t, _)| (*f, *t) == (from, to));
        let commands: Vec<&str> = same.map(|(_, _, command)| *command).collect();
        let from = from.map_or("[*]", ItemStatus::as_str);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    {from} --> {to}: {}", commands.join(", "));
    }
    text
}

fn to_status(target: Target) -> Option<ItemStatus> {
    match target {
        Target::To(status) => Some(status),
        Target::Returns | Target::Before | Target::Same => None,
    }
}

fn ends_of(target: Target, from: Position) -> Vec<ItemStatus> {
    match target {
        Target::To(status) => vec![status],
        Target::Returns => from.returns_to.into_iter().collect(),
        // The store can ask while the item has its own status, or while it is on hold or needs
        // action.
        Target::Before => from
            .returns_to
            .into_iter()
            .chain([ItemStatus::OnHold, ItemStatus::NeedAction])
            .collect(),
        Target::Same => Vec::new(),
    }
}

pub(crate) fn command_table() -> String {
    let mut text =
        String::from("| Command | From | To | Who | Condition |\n|---|---|---|---|---|\n");
    for (command, row) in rows() {
        let _ = writeln!(
            text,
            "| `{command}` | {} | {} | {} | {} |",
            origin(row.from),
            row.to
                .iter()
                .map(|to| target(*to))
                .collect::<Vec<_>>()
                .join(", "),
            row.by
                .iter()
                .map(|role| role.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            condition(row),
        );
    }
    text
}

fn origin(origin: Origin) -> String {
    let names = |statuses: &[ItemStatus]| {
        let names = statuses.iter().map(|status| format!("`{status}`"));
        names.collect::<Vec<_>>().join(", ")
    };
    match origin {
        Origin::New => "new".to_owned(),
        Origin::In(statuses) => names(statuses),
        Origin::Stages(stages, except) => {
            let stages: Vec<&str> = stages.iter().map(|stage| Stage::as_str(*stage)).collect();
            let stages = stages.join(", ");
            if except.is_empty() {
                stages
            } else {
                format!("{stages}, except {}", names(except))
            }
        }
    }
}

fn target(target: Target) -> String {
    match target {
        Target::To(status) => format!("`{status}`"),
        Target::Returns => "the status that it returns to".to_owned(),
        Target::Before => "its status when the store asked".to_owned(),
        Target::Same => "no other status".to_owned(),
    }
}

fn condition(row: &Transition) -> String {
    let reason = if row.needs_reason { "a reason" } else { "" };
    let guard = match row.guard {
        Guard::Always => "",
        guard => guard.text(),
    };
    let parts = [guard, reason];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

//! Results of a run, as Markdown for people and as JSON for programs.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use crate::figures::{Figure, Round, Spread, Verdict, each, ratios};
use crate::goals::{self, Bound, Formula, Goal};

#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Name and value of facts about machine and settings.
    pub(crate) about: Vec<(&'static str, String)>,
    goals: Vec<Goal>,
    tables: Vec<Table>,
}

#[derive(Debug, Serialize)]
struct Table {
    title: String,
    columns: &'static [Figure],
    candidates: Vec<(String, Vec<Round>)>,
}

impl Report {
    pub(crate) fn new() -> Result<Self, serde_json::Error> {
        Ok(Self {
            goals: goals::all()?,
            ..Self::default()
        })
    }

    pub(crate) fn add(
        &mut self,
        title: &str,
        columns: &'static [Figure],
        candidates: Vec<(String, Vec<Round>)>,
    ) {
        self.tables.push(Table {
            title: title.to_owned(),
            columns,
            candidates,
        });
    }

    fn rounds(&self) -> impl Iterator<Item = (&str, &[Round])> {
        let all = self.tables.iter().flat_map(|table| &table.candidates);
        all.map(|(name, rounds)| (name.as_str(), rounds.as_slice()))
    }

    /// Values of `figure` of `candidate`, round by round; empty if it was not measured.
    fn values(&self, candidate: &str, figure: Figure) -> Vec<f64> {
        let mut rounds = self.rounds();
        rounds
            .find(|(name, _)| *name == candidate)
            .map_or_else(Vec::new, |(_, rounds)| each(rounds, figure))
    }

    /// Figure of a goal; for `Worst`, also the candidate. `None` if it was not measured.
    fn figure(&self, goal: &Goal) -> Option<(Spread, Option<&str>)> {
        match &goal.formula {
            Formula::Plain(figure, candidate) => {
                Some((Spread::new(&self.values(candidate, *figure))?, None))
            }
            Formula::Ratio(figure, above, below) => {
                let ratios = ratios(&self.values(above, *figure), &self.values(below, *figure));
                Some((Spread::new(&ratios)?, None))
            }
            Formula::Worst(figure, begin) => {
                let all = self
                    .rounds()
                    .filter(|(name, _)| name.starts_with(begin.as_str()));
                let spreads = all.filter_map(|(name, rounds)| {
                    let spread = Spread::new(&each(rounds, *figure))?;
                    Some((spread, name.strip_prefix(begin.as_str())))
                });
                spreads.max_by(|(a, _), (b, _)| a.median.total_cmp(&b.median))
            }
        }
    }

    fn holds(&self, goal: &Goal) -> Option<bool> {
        let (spread, _) = self.figure(goal)?;
        Some(goal.bound.holds(spread.median))
    }

    pub(crate) fn missed(&self) -> Vec<&str> {
        let goals = self.goals.iter();
        let missed = goals.filter(|goal| self.holds(goal) == Some(false));
        missed.map(|goal| goal.id.as_str()).collect()
    }

    /// The report for people. A short report has only the tables with `WalBytes`, the comparisons
    /// with plain databases.
    pub(crate) fn markdown(&self, is_short: bool) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail, here and below.
        for (name, value) in &self.about {
            let _ = writeln!(text, "- {name}: {value}");
        }
        text.push_str("\n### Goals\n\n");
        let rows = self.goals.iter().map(|goal| self.goal(goal));
        let head = ["", "goal", "figure (min to max)", "reached"].map(str::to_owned);
        write_table(&mut text, &head, rows);
        let tables = self.tables.iter();
        for table in tables.filter(|t| !is_short || t.columns.contains(&Figure::WalBytes)) {
            let _ = writeln!(text, "\n### {}\n", table.title);
            let headings = table.columns.iter().map(|figure| figure.heading());
            let head: Vec<String> = [String::new()].into_iter().chain(headings).collect();
            let row = |(name, rounds): &(String, Vec<Round>)| {
                let cell = |figure: &Figure| match Spread::new(&each(rounds, *figure)) {
                    None => "–".to_owned(),
                    Some(spread) if *figure == Figure::Rate => text_of(spread),
                    Some(spread) => number(spread.median),
                };
                let cells = table.columns.iter().map(cell);
                [name.clone()].into_iter().chain(cells).collect()
            };
            write_table(&mut text, &head, table.candidates.iter().map(row));
        }
        text
    }

    fn goal(&self, goal: &Goal) -> Vec<String> {
        let (sign, bound) = match goal.bound {
            Bound::AtLeast(bound) => ("≥", bound),
            Bound::AtMost(bound) => ("≤", bound),
        };
        let stretch = goal.stretch.map(|to| format!(" ({})", number(to)));
        let bound = format!("{sign} {}{}", number(bound), stretch.unwrap_or_default());
        let reached = match (self.holds(goal), goal.reason.as_str()) {
            (None, _) => String::new(),
            (Some(true), _) => "yes".to_owned(),
            (Some(false), "") => "**no**".to_owned(),
            (Some(false), reason) => format!("**no**: {reason}"),
        };
        let figure = match self.figure(goal) {
            None => "not measured".to_owned(),
            Some((spread, None)) => text_of(spread),
            Some((spread, Some(of))) => format!("{}: {of}", text_of(spread)),
        };
        vec![goal.text.clone(), bound, figure, reached]
    }

    pub(crate) fn json(&self) -> Value {
        let goal = |goal: &Goal| {
            let figure = self.figure(goal).map(|(spread, _)| spread);
            json!({ "id": goal.id, "figure": figure, "holds": self.holds(goal) })
        };
        let goals: Vec<Value> = self.goals.iter().map(goal).collect();
        json!({ "about": self.about, "goals": goals, "tables": self.tables })
    }

    /// Compares the candidates `this: …` and `other: …` of each name, and marks significant
    /// differences.
    pub(crate) fn differences(&self, names: &[String]) -> String {
        const COMPARED: [Figure; 3] = [Figure::Cpu, Figure::Rate, Figure::P99];
        let judged = |name: &str, figure| {
            let values = |revision| self.values(&format!("{revision}: {name}"), figure);
            judged(&ratios(&values("this"), &values("other")))
        };
        let row = |name: &String| {
            let cells = COMPARED.map(|figure| judged(name, figure));
            [name.clone()].into_iter().chain(cells).collect()
        };
        let mut text = "\n### Differences\n\n".to_owned();
        let head = [&[String::new()], &COMPARED.map(Figure::heading)[..]].concat();
        write_table(&mut text, &head, names.iter().map(row));
        text
    }
}

fn write_table(text: &mut String, head: &[String], rows: impl Iterator<Item = Vec<String>>) {
    let line = "---|".repeat(head.len());
    let _ = writeln!(text, "| {} |\n|{line}", head.join(" | "));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
}

fn text_of(spread: Spread) -> String {
    let [median, min, max] = [spread.median, spread.min, spread.max].map(number);
    if min == max {
        return median;
    }
    format!("{median} ({min} to {max})")
}

/// Returns the spread and the verdict of the paired `ratios`.
fn judged(ratios: &[f64]) -> String {
    let verdict = match Verdict::new(ratios) {
        Verdict::Lower => "**lower**".to_owned(),
        Verdict::Higher => "**higher**".to_owned(),
        Verdict::Noise(size) => format!("no difference beyond the noise of {:.0} %", size * 100.0),
        Verdict::TooFewRounds => "too few rounds to judge".to_owned(),
    };
    let spread = Spread::new(ratios).map_or_else(|| "–".to_owned(), text_of);
    format!("{spread}: {verdict}")
}

/// Formats `value` with three significant digits, or without decimals from 100 on.
fn number(value: f64) -> String {
    if value.abs() >= 100.0 {
        return grouped(&format!("{value:.0}"));
    }
    let text = match value.abs() {
        10.0.. => format!("{value:.1}"),
        0.1.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_mean_something() {
        let numbers = [0.0, 0.0123, 0.5, 2.0, 3.149, 42.25, 100.4, 12_345.6];
        let texts = ["0", "0.012", "0.5", "2", "3.15", "42.2", "100", "12,346"];
        assert_eq!(numbers.map(number), texts);
    }

    #[test]
    fn goals_are_computed_from_the_rounds_of_their_candidates() {
        let mut report = Report::new().unwrap();
        let goals = report.goals.len();
        let rounds = |rates: [f64; 2]| rates.map(|rate| Round::new(Figure::Rate, rate)).to_vec();
        let candidates = [
            ("get, PostgreSQL", [10.0, 30.0]),
            ("get, pgbench", [20.0, 20.0]),
        ]
        .map(|(name, rates)| (name.to_owned(), rounds(rates)));
        report.add("existing orders", &[Figure::Rate], candidates.to_vec());
        let start = vec![Round::new(Figure::Start, 301.0)];
        report.add("start", &[Figure::Start], vec![("start".to_owned(), start)]);
        assert_eq!(report.missed(), ["start"]);
        let text = report.markdown(false);
        assert!(text.contains("| ≥ 0.8 | 1 (0.5 to 1.5) | yes |"), "{text}");
        assert!(text.contains("| ≤ 50 (25) | 301 | **no** |"), "{text}");
        assert!(
            text.contains("| get, PostgreSQL | 20 (10 to 30) |"),
            "{text}"
        );
        assert_eq!(report.json()["goals"].as_array().map(Vec::len), Some(goals));
    }
}

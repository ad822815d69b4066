//! What a run found, as Markdown for people and as JSON for programs.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use crate::figures::{Rounds, Spread, Verdict};
use crate::goals::{Bound, Goal, TARGETS, Target};
use crate::plot::Plot;

/// What a run found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The machine and the settings: name and value.
    pub(crate) about: Vec<(String, String)>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) tables: Vec<Table>,
    /// Charts, by the name of their file without its ending.
    pub(crate) plots: Vec<(&'static str, Plot)>,
}

/// The figure that a goal is about.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Finding {
    pub(crate) goal: Goal,
    pub(crate) figure: Spread,
    /// Where the figure is not quite what the goal asks for, or what it consists of; else empty.
    pub(crate) note: String,
}

/// A table: its rows are as long as its head.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Report {
    /// Notes the figure of a goal, where there is one.
    pub(crate) fn find(&mut self, goal: Goal, figure: Option<Spread>, note: impl Into<String>) {
        self.findings.extend(figure.map(|figure| Finding {
            goal,
            figure,
            note: note.into(),
        }));
    }

    /// The goals that were measured and not reached.
    pub(crate) fn missed(&self) -> Vec<Goal> {
        let missed = self
            .judged()
            .filter(|(target, finding)| !target.bound.holds(finding.figure.median));
        missed.map(|(target, _)| target.goal).collect()
    }

    fn judged(&self) -> impl Iterator<Item = (&Target, &Finding)> {
        TARGETS
            .iter()
            .filter_map(|target| Some((target, self.finding(target.goal)?)))
    }

    fn finding(&self, goal: Goal) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.goal == goal)
    }

    /// The report for people.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        // Writing to a text cannot fail, here and below.
        for (name, value) in &self.about {
            let _ = writeln!(text, "- {name}: {value}");
        }
        text.push('\n');
        self.goals().write(&mut text);
        for table in &self.tables {
            text.push('\n');
            table.write(&mut text);
        }
        text
    }

    /// The report for programs.
    pub(crate) fn json(&self) -> Value {
        let goal = |target: &Target| {
            let (kind, bound) = match target.bound {
                Bound::AtLeast(bound) => ("at_least", bound),
                Bound::AtMost(bound) => ("at_most", bound),
            };
            let finding = self.finding(target.goal);
            json!({
                "goal": target.goal, "what": target.what, "bound": { kind: bound }, "stretch": target.stretch,
                "unit": target.unit, "figure": finding.map(|finding| finding.figure),
                "note": finding.map(|finding| &finding.note),
                "holds": finding.map(|finding| target.bound.holds(finding.figure.median)),
            })
        };
        let about: serde_json::Map<_, _> = self
            .about
            .iter()
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect();
        json!({ "about": about, "goals": TARGETS.iter().map(goal).collect::<Vec<_>>(), "tables": self.tables })
    }

    fn goals(&self) -> Table {
        let row = |target: &Target| {
            let unit = if target.unit.is_empty() {
                String::new()
            } else {
                format!(" {}", target.unit)
            };
            let sign = |bound: Bound| match bound {
                Bound::AtLeast(bound) => format!("≥ {}{unit}", number(bound)),
                Bound::AtMost(bound) => format!("≤ {}{unit}", number(bound)),
            };
            let stretch = target
                .stretch
                .map(|to| format!(", stretch {}", number(to)))
                .unwrap_or_default();
            let finding = self.finding(target.goal);
            let figure = finding.map_or_else(
                || "not measured".to_owned(),
                |finding| format!("{}{unit}", spread(Some(finding.figure))),
            );
            let holds = finding.map_or("", |f| {
                if target.bound.holds(f.figure.median) {
                    "yes"
                } else {
                    "**no**"
                }
            });
            let note = finding.map(|f| f.note.clone()).unwrap_or_default();
            vec![
                target.what.to_owned(),
                sign(target.bound) + &stretch,
                figure,
                holds.to_owned(),
                note,
            ]
        };
        let head = ["", "goal", "figure (min to max)", "holds", ""];
        let mut table = Table::new("Goals", head);
        table.rows.extend(TARGETS.iter().map(row));
        table
    }
}

impl Table {
    /// A table without rows.
    pub(crate) fn new<const N: usize>(title: impl Into<String>, head: [&str; N]) -> Self {
        Self {
            title: title.into(),
            head: head.map(str::to_owned).to_vec(),
            rows: Vec::new(),
        }
    }

    /// A table of what candidates did.
    pub(crate) fn of_rounds<'a>(
        title: impl Into<String>,
        candidates: impl IntoIterator<Item = (String, &'a Rounds)>,
    ) -> Self {
        let head = [
            "",
            "a second (min to max)",
            "p50 ms",
            "p99 ms",
            "service CPU",
            "database CPU",
            "client CPU",
            "client busy",
            "WAL bytes",
            "page images",
            "WAL bytes without images",
            "rows",
            "index entries",
        ];
        let row = |(name, rounds): (String, &Rounds)| {
            let known = |figure: fn(&crate::figures::Round) -> Option<f64>| {
                median(Spread::of(rounds.0.iter().filter_map(figure)))
            };
            vec![
                name,
                spread(rounds.rate()),
                known(|round| round.p50),
                known(|round| round.p99),
                spread(rounds.spread(|round| round.service_cpu)),
                spread(rounds.spread(|round| round.database_cpu)),
                spread(rounds.spread(|round| round.client_cpu)),
                known(|round| Some(round.client_busy)),
                known(|round| Some(round.wal?.bytes)),
                known(|round| Some(round.wal?.page_images)),
                known(|round| Some(round.added?.wal_bytes)),
                known(|round| Some(round.added?.rows)),
                known(|round| Some(round.added?.entries)),
            ]
        };
        let mut table = Self::new(title, head);
        table.rows.extend(candidates.into_iter().map(row));
        table
    }

    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "### {}\n\n| {} |", self.title, self.head.join(" | "));
        let _ = writeln!(text, "|{}", "---|".repeat(self.head.len()));
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
    }
}

/// What a table has in place of a figure that was not measured.
const MISSING: &str = "–";

/// Returns a spread as text: the median, the least and the greatest.
pub(crate) fn spread(spread: Option<Spread>) -> String {
    spread.map_or_else(
        || MISSING.to_owned(),
        |Spread { median, min, max }| {
            format!("{} ({} to {})", number(median), number(min), number(max))
        },
    )
}

/// Returns the spread of paired ratios as text, and whether they differ from 1 beyond their noise.
pub(crate) fn judged(ratios: &[f64]) -> String {
    let verdict = match Verdict::of(ratios) {
        Verdict::Lower => "**lower**".to_owned(),
        Verdict::Higher => "**higher**".to_owned(),
        Verdict::Noise(size) => format!("no difference beyond the noise of {:.0} %", size * 100.0),
        Verdict::TooFewRounds => "too few rounds to judge".to_owned(),
    };
    format!("{}: {verdict}", spread(Spread::of(ratios.iter().copied())))
}

/// Returns the median of a spread as text.
pub(crate) fn median(spread: Option<Spread>) -> String {
    spread.map_or_else(|| MISSING.to_owned(), |spread| number(spread.median))
}

/// A number with as many digits as mean something: three, and all of those before the point.
pub(crate) fn number(value: f64) -> String {
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

/// Puts a comma before each three digits.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        let left = digits.len() - at;
        if at > 0 && left.is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Round;

    #[test]
    fn numbers_have_the_digits_that_mean_something() {
        for (value, expected) in [
            (0.0, "0"),
            (0.001, "0.001"),
            (0.0123, "0.012"),
            (0.5, "0.5"),
            (2.0, "2"),
            (3.149, "3.15"),
            (42.25, "42.2"),
            (10.0, "10"),
            (100.4, "100"),
            (12_345.6, "12,346"),
            (1_000_000.0, "1,000,000"),
            (-1234.0, "-1,234"),
        ] {
            assert_eq!(number(value), expected);
        }
    }

    fn report() -> Report {
        let round = |rate| Round {
            rate,
            p50: Some(4.0),
            p99: Some(8.5),
            service_cpu: 0.05,
            ..Round::default()
        };
        let rounds = Rounds([9000.0, 11_000.0, 10_000.0].map(round).to_vec());
        let mut report = Report::default();
        report.about.push(("cores".to_owned(), "2".to_owned()));
        report.find(Goal::CreateAgainstPgbench, Spread::of([1.2]), "");
        report.find(Goal::Start, Spread::of([301.0]), "of 3 starts");
        report.find(Goal::Get, None, "");
        report.tables.push(Table::of_rounds(
            "create",
            [("service".to_owned(), &rounds)],
        ));
        report
    }

    #[test]
    fn people_see_every_goal_and_all_tables() {
        let text = report().markdown();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "- cores: 2");
        assert_eq!(lines[2], "### Goals");
        assert_eq!(lines[4], "|  | goal | figure (min to max) | holds |  |");
        assert!(
            lines[6].ends_with("| ≥ 1.2, stretch 1.5 | 1.2 (1.2 to 1.2) | yes |  |"),
            "{}",
            lines[6]
        );
        assert!(
            lines[7].ends_with("| ≥ 1.1, stretch 1.4 | not measured |  |  |"),
            "{}",
            lines[7]
        );
        let start = lines
            .iter()
            .find(|line| line.starts_with("| process start"))
            .unwrap();
        assert!(
            start.ends_with("| ≤ 50 ms | 301 (301 to 301) ms | **no** | of 3 starts |"),
            "{start}"
        );
        let expected = "\n### create\n\n|  | a second (min to max) | p50 ms | p99 ms | service CPU | database CPU | \
                        client CPU | client busy | WAL bytes | page images | WAL bytes without images | rows | index entries |\n\
                        |---|---|---|---|---|---|---|---|---|---|---|---|---|\n| service | 10,000 (9,000 to 11,000) | 4 | 8.5 | \
                        0.05 (0.05 to 0.05) | 0 (0 to 0) | 0 (0 to 0) | 0 | – | – | – | – | – |\n";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn programs_see_the_same() {
        let json = report().json();
        assert_eq!(json["goals"].as_array().map(Vec::len), Some(TARGETS.len()));
        assert_eq!(json["goals"][0]["goal"], "create_against_pgbench");
        assert_eq!(json["goals"][0]["bound"]["at_least"], 1.2);
        assert_eq!(json["goals"][0]["holds"], true);
        assert_eq!(json["goals"][1]["holds"], Value::Null);
        assert_eq!(json["tables"][0]["rows"][0][0], "service");
    }

    #[test]
    fn missed_goals_are_named() {
        assert_eq!(report().missed(), [Goal::Start]);
    }
}

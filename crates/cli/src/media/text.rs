//! Output of `pressline files check`.

use pressline_domain::media::{FileFacts, FileProblem};
use serde::Serialize;

use super::check::CheckedFile;

/// The result, with the names of fields that responses of the API have.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckDocument<'a> {
    file: &'a str,
    sku: &'a str,
    area: &'a str,
    verdict: &'static str,
    effective_dpi: Option<u32>,
    problems: Vec<ProblemDocument<'a>>,
    facts: Option<&'a FileFacts>,
}

#[derive(Serialize)]
struct ProblemDocument<'a> {
    code: &'static str,
    severity: &'static str,
    acceptable: bool,
    message: &'a str,
    expected: Option<&'a str>,
    actual: Option<&'a str>,
}

pub(super) fn document(checked: &CheckedFile) -> CheckDocument<'_> {
    CheckDocument {
        file: &checked.name,
        sku: &checked.sku,
        area: &checked.area.id,
        verdict: checked.check.verdict.as_str(),
        effective_dpi: checked.check.effective_dpi,
        problems: checked
            .check
            .problems
            .iter()
            .map(ProblemDocument::from)
            .collect(),
        facts: checked.facts.as_ref(),
    }
}

impl<'a> From<&'a FileProblem> for ProblemDocument<'a> {
    fn from(problem: &'a FileProblem) -> Self {
        Self {
            code: problem.code.as_str(),
            severity: problem.severity().as_str(),
            acceptable: problem.is_acceptable(),
            message: &problem.message,
            expected: problem.expected.as_deref(),
            actual: problem.actual.as_deref(),
        }
    }
}

pub(super) fn text(checked: &CheckedFile) -> String {
    let (verdict, name) = (checked.check.verdict.as_str(), &checked.name);
    let mut lines = vec![format!(
        "{verdict}  {name} on {}, area {}",
        checked.sku, checked.area.id
    )];
    if let Some(facts) = &checked.facts {
        let mut known = summary(facts);
        let dpi = checked.check.effective_dpi;
        known.extend(dpi.map(|dpi| format!("prints at {dpi} dpi")));
        lines.push(format!("  {}", known.join(", ")));
    }
    lines.extend(checked.check.problems.iter().map(problem_line));
    lines.join("\n")
}

fn summary(facts: &FileFacts) -> Vec<String> {
    let mut known = vec![
        facts.format.as_str().to_owned(),
        format!("{} bytes", facts.bytes),
    ];
    if let Some((width, height)) = facts.width.zip(facts.height) {
        known.push(format!("{width} x {height} pixels"));
    }
    if let Some(page) = facts
        .pdf
        .as_ref()
        .map(|pdf| pdf.trim_box.unwrap_or(pdf.media_box))
    {
        known.push(format!("{} x {} mm", page.width, page.height));
    }
    known.extend(facts.colour.map(|colour| colour.as_str().to_owned()));
    known
}

fn problem_line(problem: &FileProblem) -> String {
    let severity = problem.severity().as_str();
    format!("  {severity:<7}  {}: {}", problem.code, problem.message)
}

//! Puts a report into `docs/PERFORMANCE.md`, between two marks, and its plots next to it.

use std::fs;
use std::path::Path;

use crate::BenchError;
use crate::report::Report;

const BEGIN: &str = "<!-- bench: begin -->\n";
const END: &str = "<!-- bench: end -->\n";

/// Replaces the figures of the document, and the plots.
pub(crate) fn update(report: &Report) -> Result<(), BenchError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let file = folder.join("PERFORMANCE.md");
    let text = fs::read_to_string(&file)?;
    let mut figures = report.markdown();
    for (name, plot) in &report.plots {
        let image = format!("performance-{name}.svg");
        fs::write(folder.join(&image), plot.svg()?)?;
        figures.push_str(&format!("\n![{}]({image})\n", plot.title));
    }
    let replaced =
        replace(&text, &figures).ok_or("docs/PERFORMANCE.md lacks the marks of the bench")?;
    Ok(fs::write(file, replaced)?)
}

fn replace(text: &str, figures: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{figures}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_between_the_marks_is_replaced() {
        let text = format!("# A\n{BEGIN}old\n{END}rest\n");
        assert_eq!(
            replace(&text, "new\n"),
            Some(format!("# A\n{BEGIN}new\n{END}rest\n"))
        );
        assert_eq!(replace("# A\n", "new\n"), None);
    }

    #[test]
    fn the_document_has_the_marks() {
        let text = include_str!("../../../docs/PERFORMANCE.md");
        assert!(replace(text, "").is_some());
    }
}

//! Rules for documents: the files that they mention exist, and every operation is described.

use serde_json::Value;

/// File endings of relative paths in backticks.
const ENDINGS: [&str; 8] = [
    ".rs", ".md", ".sql", ".toml", ".json", ".html", ".sh", ".snap",
];

/// OpenAPI documents with their path prefix and the guides that must mention each operation.
const OPERATIONS: [(&str, &str, &[&str]); 2] = [
    (
        "docs/openapi.json",
        "/app/v1/",
        &["docs/API.md", "docs/EVENTS.md", "docs/guides/"],
    ),
    (
        "docs/openapi-operators.json",
        "/admin/v1/",
        &["docs/guides/"],
    ),
];

/// Finds paths in backticks in `text` that match neither a path in `files` nor the end of such a
/// path.
pub(crate) fn missing_files(path: &str, text: &str, files: &[String]) -> Vec<String> {
    let lines = text.lines().enumerate();
    let spans = lines.flat_map(|(index, line)| {
        let spans = line.split('`').skip(1).step_by(2);
        spans.map(move |span| (index + 1, span))
    });
    spans
        .filter(|(_, span)| names_file(span) && !exists(span, files))
        .map(|(line, span)| {
            format!("{path}:{line}: `{span}` is no file or folder of the repository")
        })
        .collect()
}

fn names_file(span: &str) -> bool {
    let is_path = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let top = ["crates/", "docs/", "xtask/", "deploy/"];
    // Absolute paths belong to the machine on which the service runs.
    span.chars().all(is_path)
        && !span.starts_with('/')
        && (top.iter().any(|top| span.starts_with(top))
            || span.contains('/') && ENDINGS.iter().any(|ending| span.ends_with(ending)))
}

fn exists(span: &str, files: &[String]) -> bool {
    let name = span.trim_start_matches("../").trim_end_matches('/');
    files.iter().any(|file| {
        let starts = file.strip_prefix(name);
        let ends = file.strip_suffix(name);
        starts.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            || ends.is_some_and(|before| before.ends_with('/'))
    })
}

/// Finds operations that no guide mentions. `read` returns the content of a file.
pub(crate) fn undescribed_operations(
    files: &[String],
    read: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let findings = OPERATIONS.iter().flat_map(|(document, prefix, places)| {
        let named = |file: &&String| places.iter().any(|place| file.starts_with(place));
        let guides: String = files
            .iter()
            .filter(named)
            .filter_map(|file| read(file))
            .collect();
        let described = read(document).and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let Some(paths) = described
            .as_ref()
            .and_then(|value| value["paths"].as_object())
        else {
            return vec![format!("{document}: has no `paths`")];
        };
        let operations = paths.keys().filter_map(|path| path.strip_prefix(prefix));
        operations
            .filter(|operation| !guides.contains(*operation))
            .map(|operation| format!("{document}: no guide names `{operation}`"))
            .collect()
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<String> {
        ["crates/domain/src/order/port.rs", "docs/API.md"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn paths_match_whole_as_a_folder_or_by_their_end() {
        let text = "`crates/domain/src/order/port.rs`, `crates/domain/`, `order/port.rs`, `../docs/API.md`, `a/b`";
        assert_eq!(missing_files("x.md", text, &files()), Vec::<String>::new());
    }

    #[test]
    fn missing_paths_are_reported_with_their_line() {
        let text = "\n`order/ports.rs` and `crates/domains`";
        let found = missing_files("x.md", text, &files());
        assert_eq!(
            found,
            [
                "x.md:2: `order/ports.rs` is no file or folder of the repository",
                "x.md:2: `crates/domains` is no file or folder of the repository"
            ]
        );
    }

    #[test]
    fn an_operation_that_no_guide_names_is_found() {
        let read = |file: &str| {
            let paths = match file {
                "docs/API.md" => return Some("`orders/get`".to_owned()),
                "docs/openapi.json" => {
                    r#"{"paths":{"/app/v1/orders/get":{},"/app/v1/orders/hold":{}}}"#
                }
                _ => r#"{"paths":{"/livez":{}}}"#,
            };
            Some(paths.to_owned())
        };
        assert_eq!(
            undescribed_operations(&files(), read),
            ["docs/openapi.json: no guide names `orders/hold`"]
        );
    }
}

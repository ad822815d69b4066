//! Rules for documents: the files that they mention exist, and every operation is described.

use serde_json::Value;

/// File endings of relative paths in backticks.
const ENDINGS: [&str; 8] = [
    ".rs", ".md", ".sql", ".toml", ".json", ".html", ".sh", ".snap",
];

/// Markers around a block of a document that a test generates.
const GENERATED_BEGIN: &str = "<!-- generated: ";
const GENERATED_END: &str = "<!-- end of ";

/// OpenAPI documents with their path prefix and the guides that must name each operation.
const OPERATIONS: [(&str, &str, &[&str]); 2] = [
    (
        "docs/openapi.json",
        "/app/v1/",
        &["docs/API.md", "docs/EVENTS.md", "docs/guides/"],
    ),
    (
        "docs/openapi-operators.json",
        "/admin/v1/",
        &["docs/EVENTS.md", "docs/guides/"],
    ),
];

/// Finds paths and names of Rust files in backticks in `text` that match neither a path in `files`
/// nor the end of such a path.
pub(crate) fn missing_files(path: &str, text: &str, files: &[String]) -> Vec<String> {
    let lines = text.lines().enumerate();
    let spans = lines.flat_map(|(index, line)| {
        let spans = line.split('`').skip(1).step_by(2);
        spans.map(move |span| (index + 1, span))
    });
    spans
        .filter(|(_, span)| names_file(span) && !exists(span, files))
        .map(|(line, span)| {
            format!("{path}:{line}: `{span}` is not a file or folder of the repository")
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
            || span.contains('/') && ENDINGS.iter().any(|ending| span.ends_with(ending))
            || is_rust_file_name(span))
}

/// Returns whether `span` is a bare file name such as `port.rs`. Bare names with other endings can
/// be files outside the repository.
fn is_rust_file_name(span: &str) -> bool {
    let stem = span.strip_suffix(".rs");
    stem.is_some_and(|stem| !stem.is_empty() && !stem.contains('/'))
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

/// Finds operations whose full path no guide contains outside generated blocks. `read` returns the
/// content of a file.
pub(crate) fn undescribed_operations(
    files: &[String],
    read: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let findings = OPERATIONS.iter().flat_map(|(document, prefix, places)| {
        let is_named = |file: &&String| places.iter().any(|place| file.starts_with(place));
        let guides: String = files
            .iter()
            .filter(is_named)
            .filter_map(|file| read(file))
            .map(|text| without_generated_blocks(&text))
            .collect();
        let described = read(document).and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let Some(paths) = described
            .as_ref()
            .and_then(|value| value["paths"].as_object())
        else {
            return vec![format!("{document}: has no `paths`")];
        };
        let operations = paths.keys().filter(|path| path.starts_with(prefix));
        operations
            .filter(|path| !contains_path(&guides, path))
            .map(|path| format!("{document}: no guide names `{path}` outside generated blocks"))
            .collect()
    });
    findings.collect()
}

fn without_generated_blocks(text: &str) -> String {
    let mut is_generated = false;
    let mut written = String::new();
    for line in text.lines() {
        is_generated |= line.starts_with(GENERATED_BEGIN);
        if !is_generated {
            written.push_str(line);
            written.push('\n');
        }
        is_generated &= !line.starts_with(GENERATED_END);
    }
    written
}

/// Returns whether `text` contains `path`, and not only as the beginning of a longer path.
fn contains_path(text: &str, path: &str) -> bool {
    let continues = |c: char| c.is_ascii_alphanumeric() || "/_-".contains(c);
    let mut after = text.split(path).skip(1);
    after.any(|rest| !rest.starts_with(continues))
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
                "x.md:2: `order/ports.rs` is not a file or folder of the repository",
                "x.md:2: `crates/domains` is not a file or folder of the repository"
            ]
        );
    }

    #[test]
    fn bare_names_of_rust_files_are_checked() {
        let text = "`port.rs`, `ports.rs`, `rt.rs`, `.rs`, `*.rs` and `notes.txt`";
        let found = missing_files("x.md", text, &files());
        assert_eq!(
            found,
            [
                "x.md:1: `ports.rs` is not a file or folder of the repository",
                "x.md:1: `rt.rs` is not a file or folder of the repository"
            ]
        );
    }

    /// Returns findings for the operations `orders/get` and `orders/hold`, and `guide` as the only
    /// guide.
    fn undescribed(guide: &str) -> Vec<String> {
        let read = |file: &str| {
            let text = match file {
                "docs/API.md" => guide,
                "docs/openapi.json" => {
                    r#"{"paths":{"/app/v1/orders/get":{},"/app/v1/orders/hold":{}}}"#
                }
                _ => r#"{"paths":{"/livez":{}}}"#,
            };
            Some(text.to_owned())
        };
        undescribed_operations(&files(), read)
    }

    const NO_GUIDE_NAMES_HOLD: [&str; 1] =
        ["docs/openapi.json: no guide names `/app/v1/orders/hold` outside generated blocks"];

    #[test]
    fn an_operation_that_no_guide_names_is_found() {
        assert_eq!(undescribed("`/app/v1/orders/get`"), NO_GUIDE_NAMES_HOLD);
    }

    #[test]
    fn a_short_or_longer_path_does_not_name_an_operation() {
        for other in ["`orders/hold`", "/app/v1/orders/hold-all"] {
            let guide = format!("`/app/v1/orders/get`, {other}");
            assert_eq!(undescribed(&guide), NO_GUIDE_NAMES_HOLD, "{other}");
        }
    }

    #[test]
    fn a_generated_block_does_not_name_an_operation() {
        let block = "<!-- generated: table -->\n/app/v1/orders/hold\n<!-- end of table -->";
        let guide = format!("{block}\n/app/v1/orders/get");
        assert_eq!(undescribed(&guide), NO_GUIDE_NAMES_HOLD);
    }
}

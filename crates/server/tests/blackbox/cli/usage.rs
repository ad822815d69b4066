//! Usage errors, the help, and the OpenAPI document.

use super::UNKNOWN;
use crate::common::{Finished, PATHS, Site, clean_command};

#[test]
fn wrong_usage_exits_with_2() {
    let site = Site::sqlite();
    for arguments in [
        vec!["frobnicate"],
        vec!["--frobnicate"],
        vec!["store"],
        vec!["store", "create"],
        vec!["store", "show"],
        vec!["store", "show", "no-id"],
        vec!["store", "create", "--name", "x", "--prefix", "lower-case"],
        vec!["store", "create", "--name", "x", "--currency", "XXQ"],
        vec!["store", "set", UNKNOWN],
        vec!["catalog", "import"],
        vec!["catalog", "show"],
        vec!["prices", "import"],
        vec!["shipping", "import"],
        vec!["fees", "import"],
        vec!["sign", "--timestamp", "1"],
        vec!["sign", "--path", "/x"],
    ] {
        let ended = site.run(&arguments);
        ended.fails(2, &[]);
        assert!(!ended.err.is_empty() && ended.out.is_empty(), "{ended:?}");
    }
    site.run(&["serv"]).fails(2, &["serve"]);
    let help = site.run(&["--help"]).ok().out;
    for word in [
        "serve",
        "migrate",
        "store",
        "catalog",
        "prices",
        "shipping",
        "fees",
        "sign",
        "config",
        "openapi",
        "Exit codes",
    ] {
        assert!(help.contains(word), "{word} is not in the help");
    }
    assert!(site.run(&["--version"]).ok().out.starts_with("pressline "));
}

#[test]
fn errors_are_json_with_the_json_option() {
    let site = Site::sqlite();
    for (arguments, exit_code, text) in [
        (
            vec!["--json", "store", "list", "--nope"],
            2,
            "unexpected argument '--nope'",
        ),
        (vec!["--json", "store", "show", UNKNOWN], 4, UNKNOWN),
        (
            vec!["--config", "missing.toml", "store", "list", "--json"],
            2,
            "missing.toml",
        ),
    ] {
        let ended = site.run(&arguments);
        ended.fails(exit_code, &[]);
        assert!(ended.out.is_empty(), "{ended:?}");
        let error: serde_json::Value = serde_json::from_str(&ended.err).unwrap();
        assert_eq!(error["error"]["exitCode"], exit_code, "{error}");
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(text), "{message}");
    }
    // Help exits with 0.
    site.run(&["--json", "--help"]).ok();
}

#[test]
fn the_openapi_document_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let ended = Finished::from(
        clean_command(folder.path())
            .arg("openapi")
            .output()
            .unwrap(),
    );
    let document = ended.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    let paths = document["paths"].as_object().unwrap();
    let operations: Vec<&String> = paths.keys().filter(|path| path.contains("/v1/")).collect();
    assert_eq!(operations.len(), PATHS.len(), "{operations:?}");
    assert!(
        PATHS.iter().all(|path| paths.contains_key(*path)),
        "{operations:?}"
    );
}

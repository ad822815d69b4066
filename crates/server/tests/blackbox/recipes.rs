//! Runs the signing programs of the README and of the guide to signing, unchanged.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use pressline_testkit::tool;
use serde_json::Value;

use crate::common::{Finished, workspace};
use crate::first_run::{demo, has_shell_tools};

/// Tool group, program and file name of each recipe.
const RUNTIMES: [(&str, &str, &str); 4] = [
    ("curl", "bash", "recipe.sh"),
    ("python", "python3", "recipe.py"),
    ("node", "node", "recipe.cjs"),
    ("php", "php", "recipe.php"),
];

/// Returns the fenced blocks after `<!-- recipe: NAME -->`, by name.
pub(crate) fn recipes(text: &str) -> BTreeMap<&str, &str> {
    let marked: Vec<&str> = text.split("<!-- recipe: ").skip(1).collect();
    let recipes: BTreeMap<&str, &str> = marked
        .iter()
        .map(|part| {
            let (name, rest) = part.split_once(" -->").unwrap();
            let fenced = rest
                .trim_start()
                .strip_prefix("```")
                .unwrap_or_else(|| panic!("{name}: no block follows"));
            let (_, code) = fenced.split_once('\n').unwrap();
            (name, code.split_once("\n```").unwrap().0)
        })
        .collect();
    assert_eq!(
        recipes.len(),
        marked.len(),
        "two recipes have the same name"
    );
    recipes
}

#[test]
fn every_recipe_creates_its_order() {
    let documents = ["README.md", "docs/guides/signing.md"];
    let text = documents.map(|name| fs::read_to_string(workspace().join(name)).unwrap());
    let text = text.concat();
    let recipes = recipes(&text);
    let names: Vec<&str> = recipes.keys().copied().collect();
    let mut known = RUNTIMES.map(|(_, name, _)| name);
    known.sort_unstable();
    assert_eq!(
        names, known,
        "each recipe has a runtime here, and the other way round"
    );

    let folder = tempfile::tempdir().unwrap();
    let (_server, variables) = demo(folder.path());
    for (group, name, file) in RUNTIMES {
        if tool(group, name).is_none() || (name == "bash" && !has_shell_tools()) {
            continue;
        }
        let path = folder.path().join(file);
        fs::write(&path, recipes[name]).unwrap();
        let run = || -> Value {
            let mut command = Command::new(name);
            command
                .arg(&path)
                .envs(variables.iter().map(|(name, value)| (name, value)));
            let ended = Finished::from(command.output().unwrap()).ok();
            serde_json::from_str(&ended.out)
                .unwrap_or_else(|error| panic!("{name}: {error}: {ended:?}"))
        };
        let made = run();
        assert_eq!(
            (&made["success"], &made["message"]),
            (&true.into(), &"OK".into()),
            "{name}: {made}"
        );
        assert!(made.get("warnings").is_none(), "{name}: {made}");
        assert!(
            made["data"]["orderId"]
                .as_str()
                .unwrap()
                .starts_with("readme-"),
            "{name}: {made}"
        );
        assert_eq!(made["data"]["productCost"], 5.2, "{name}: {made}");
        let again = run();
        assert_eq!(
            (&again["message"], &again["data"]["id"]),
            (&"Already exists".into(), &made["data"]["id"])
        );
    }
}

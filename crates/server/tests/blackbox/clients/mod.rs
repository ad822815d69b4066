//! Clients that standard generators make of the OpenAPI document: they compile, place an order, a
//! label order and a search, and lose nothing of the responses.
//!
//! The generators are installed into the folder for temporary files of the build, once. Without
//! Node or Python, or without their registries, a test says so and ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::common::{Finished, workspace};
use crate::first_run::{at_hand, demo};

const TYPESCRIPT: [&str; 4] = [
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "typescript@5.9.3",
    "@types/node@20.19.43",
];
const PYTHON: &str = "openapi-python-client==0.29.1";

#[test]
fn a_typescript_client_compiles_and_loses_nothing() {
    if !at_hand("node") || !at_hand("npm") {
        println!("skipped: Node.js is not installed");
        return;
    }
    let Some(tools) = installed("typescript", install_typescript) else {
        println!("skipped: the packages of npm cannot be installed");
        return;
    };
    let program = |name: &str| tools.join("node_modules/.bin").join(name);
    let folder = tools.join("client");
    fs::create_dir_all(&folder).unwrap();
    copy("client.mts", &folder);
    let mut generate = Command::new(program("openapi-typescript"));
    run(generate
        .arg(document())
        .arg("--output")
        .arg(folder.join("schema.d.ts")));
    let mut compile = Command::new(program("tsc"));
    compile.args(["--strict", "--target", "es2022", "--module", "nodenext"]);
    run(compile
        .args(["--skipLibCheck", "client.mts"])
        .current_dir(&folder));
    loses_nothing(Command::new("node").arg(folder.join("client.mjs")));
}

#[test]
fn a_python_client_compiles_and_loses_nothing() {
    if !at_hand("python3") {
        println!("skipped: Python is not installed");
        return;
    }
    let Some(tools) = installed("python", install_python) else {
        println!("skipped: the package of PyPI cannot be installed");
        return;
    };
    let folder = tools.join("client");
    let mut generate = Command::new(tools.join("bin/openapi-python-client"));
    run(generate
        .args(["generate", "--overwrite", "--path"])
        .arg(document())
        .arg("--output-path")
        .arg(&folder));
    copy("client.py", &tools);
    let python = tools.join("bin/python");
    run(Command::new(&python)
        .args(["-m", "compileall", "-q"])
        .arg(&folder));
    loses_nothing(
        Command::new(&python)
            .arg(tools.join("client.py"))
            .env("PYTHONPATH", &folder),
    );
}

/// Returns a folder with tools, which it installs where that was not done before; `None` where they
/// cannot be installed.
fn installed(name: &str, install: fn(&Path) -> bool) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("clients")
        .join(name);
    // Written last, so that an installation that was interrupted is done again; so is one that was moved, because its programs name
    // the folder.
    let complete = folder.join("complete");
    let wanted = format!("{TYPESCRIPT:?} {PYTHON} in {}", folder.display());
    if fs::read_to_string(&complete).is_ok_and(|versions| versions == wanted) {
        return Some(folder);
    }
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    if !install(&folder) {
        return None;
    }
    fs::write(complete, wanted).unwrap();
    Some(folder)
}

fn install_typescript(folder: &Path) -> bool {
    fs::write(folder.join("package.json"), r#"{ "type": "module" }"#).unwrap();
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
        .args(["--fetch-retries=0", "--fetch-timeout=20000"])
        .args(TYPESCRIPT)
        .current_dir(folder);
    Finished::from(npm.output().unwrap()).code == 0
}

fn install_python(folder: &Path) -> bool {
    let mut environment = Command::new("python3");
    environment.args(["-m", "venv"]).arg(folder);
    if Finished::from(environment.output().unwrap()).code != 0 {
        return false;
    }
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet", "--retries", "0", "--timeout", "20"])
        .arg(PYTHON);
    Finished::from(pip.output().unwrap()).code == 0
}

fn document() -> PathBuf {
    workspace().join("docs/openapi.json")
}

fn copy(file: &str, folder: &Path) {
    let source = workspace()
        .join("crates/server/tests/blackbox/clients")
        .join(file);
    fs::copy(source, folder.join(file)).unwrap();
}

fn run(command: &mut Command) -> Finished {
    Finished::from(command.output().unwrap()).ok()
}

/// Lets a client call a service with the demo's catalog.
fn loses_nothing(client: &mut Command) {
    let folder = tempfile::tempdir().unwrap();
    let (_server, variables) = demo(folder.path());
    let client = client.args(variables.iter().map(|(_, value)| value));
    let received: Value = serde_json::from_str(&run(client).out).unwrap();
    let read = |pointer: &str| received.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!(read("/postcode"), "10118");
    assert_eq!(read("/zip"), "10118");
    assert_eq!(read("/created/shippingAddress/provinceCode"), "US-NY");
    assert_eq!(read("/label/shippingAddress/province_code"), "US-NY");
    assert_eq!(read("/label/shippingAddress/name"), "Ana Reyes");
    assert_eq!(read("/label/handleFee"), 2.5);
    assert_eq!(read("/total"), read("/created/totalCost"));
    assert_eq!(
        read("/created/childDetails/0/files/0/requirement"),
        "base_belongs"
    );
    let found: Vec<Value> = read("/found").as_array().unwrap().clone();
    let ids: Vec<&Value> = found.iter().map(|order| &order["id"]).collect();
    assert_eq!(ids, [&read("/label/id"), &read("/created/id")]);
    assert_eq!(found[1]["feeLines"], read("/created/feeLines"));
    assert_ne!(read("/created/feeLines"), json!([]));
}

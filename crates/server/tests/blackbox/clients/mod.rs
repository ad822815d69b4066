//! Clients that standard generators make from the OpenAPI document: they must compile, place an
//! order and a label order, estimate, search, and preserve all fields of responses.
//!
//! `.ci/client-tools` installs the generators into the folder that `PRESSLINE_TEST_CLIENT_TOOLS`
//! names. Without it, the tests are skipped with a message.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use pressline_testkit::skip;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{Finished, workspace};
use crate::first_run::demo;

const TOOLS: &str = "PRESSLINE_TEST_CLIENT_TOOLS";

#[test]
fn a_typescript_client_compiles_and_loses_nothing() {
    let Some(work) = Workplace::new("client.mts") else {
        return;
    };
    let mut generate = work.command("node_modules/.bin/openapi-typescript");
    run(generate.arg(document()).args(["--output", "schema.d.ts"]));
    work.compile_typescript();
    loses_nothing(work.program("node").arg("client.mjs"));
}

#[test]
fn a_python_client_compiles_and_loses_nothing() {
    let Some(work) = Workplace::new("client.py") else {
        return;
    };
    let mut generate = work.command("bin/openapi-python-client");
    run(generate
        .args(["generate", "--output-path", "generated", "--path"])
        .arg(document()));
    work.run_python();
}

#[test]
fn a_python_client_of_openapi_generator_compiles_and_loses_nothing() {
    let Some(work) = Workplace::new("generator.py") else {
        return;
    };
    work.generate("python", "packageName=pressline_generated");
    work.run_python();
}

#[test]
fn a_typescript_client_of_openapi_generator_compiles_and_loses_nothing() {
    let Some(work) = Workplace::new("generator.mts") else {
        return;
    };
    work.generate("typescript-fetch", "supportsES6=true");
    work.compile_typescript();
    loses_nothing(work.program("node").arg("generator.mjs"));
}

struct Workplace {
    folder: TempDir,
    tools: PathBuf,
    source: &'static str,
}

impl Workplace {
    /// Creates a folder with a copy of `source`; `None` if the tools are not installed.
    fn new(source: &'static str) -> Option<Self> {
        let Some(tools) = std::env::var_os(TOOLS).map(PathBuf::from) else {
            skip("clients", format!("{TOOLS} is not set"));
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let programs = workspace().join("crates/server/tests/blackbox/clients");
        fs::copy(programs.join(source), folder.path().join(source)).unwrap();
        // The client looks for its packages here.
        let packages = folder.path().join("node_modules");
        std::os::unix::fs::symlink(tools.join("node_modules"), packages).unwrap();
        Some(Self {
            folder,
            tools,
            source,
        })
    }

    /// Returns a command that runs `tool` in the folder.
    fn command(&self, tool: &str) -> Command {
        self.program(self.tools.join(tool))
    }

    fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder);
        command
    }

    /// Generates a client with openapi-generator into the folder `generated`.
    fn generate(&self, generator: &str, property: &str) {
        let mut generate = self.command("bin/openapi-generator-cli");
        run(generate
            .args(["generate", "--output", "generated", "--generator-name"])
            .args([generator, "--additional-properties", property])
            .arg("--input-spec")
            .arg(document()));
    }

    fn compile_typescript(&self) {
        let mut compile = self.command("node_modules/.bin/tsc");
        compile.args(["--strict", "--target", "es2022", "--module", "nodenext"]);
        run(compile.args(["--skipLibCheck", self.source]));
    }

    fn run_python(&self) {
        let python = || self.command("bin/python");
        run(python().args(["-m", "compileall", "-q", "generated"]));
        loses_nothing(python().arg(self.source).env("PYTHONPATH", "generated"));
    }
}

fn document() -> PathBuf {
    workspace().join("docs/openapi.json")
}

fn run(command: &mut Command) -> Finished {
    Finished::from(command.output().unwrap()).ok()
}

/// Runs `client` against a service with the demo catalog. Asserts that the client received all
/// fields.
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
    // An estimate for a label order has the fields of responses, and its fees.
    assert_eq!(read("/estimated/shippingAddress/provinceCode"), "US-NY");
    assert_eq!(read("/estimated/shippingAddress/fullName"), "Ana Reyes");
    assert_eq!(read("/estimated/handleFee"), 2.5);
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

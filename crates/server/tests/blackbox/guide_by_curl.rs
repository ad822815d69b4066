//! The steps of docs/guides/orders-by-curl.md, first-order.md and sandbox.md, run unchanged by a
//! shell.

use std::fs;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::common::{Finished, Server, Site, on_both_databases, workspace};
use crate::first_run::{FirstRunOutput, has_shell_tools};
use crate::operators::Operator;

on_both_databases!(
    the_guide_shows_what_the_service_responds,
    the_guide_for_a_new_machine_ends_with_an_order,
    the_guide_to_the_sandbox_shows_what_the_service_responds,
    the_commands_of_a_new_test_store_deliver_an_order
);

/// A step of the guide: a shell script, and the part of its response that the guide shows, if any.
struct Step<'a> {
    script: &'a str,
    shown: Option<Value>,
}

/// Returns the content of the fenced `language` block at the beginning of `text`, and the rest.
fn fenced<'a>(text: &'a str, language: &str) -> Option<(&'a str, &'a str)> {
    let block = text
        .trim_start()
        .strip_prefix("```")?
        .strip_prefix(language)?;
    block.strip_prefix('\n')?.split_once("\n```\n")
}

fn steps(guide: &str) -> Vec<Step<'_>> {
    let marked = guide.split("<!-- step -->").skip(1);
    let step = |text| {
        let (script, rest) = fenced(text, "sh").expect("a block of shell follows the mark");
        let shown = fenced(rest, "json").map(|(json, _)| serde_json::from_str(json).unwrap());
        Step { script, shown }
    };
    marked.map(step).collect()
}

/// Asserts that `response` contains everything in `shown`. Lists must be shown with all their
/// entries.
#[track_caller]
fn assert_has(response: &Value, shown: &Value, path: &str) {
    match shown {
        Value::Object(members) => {
            for (name, value) in members {
                assert_has(&response[name], value, &format!("{path}.{name}"));
            }
        }
        Value::Array(entries) => {
            let found = response.as_array().map_or(0, Vec::len);
            assert_eq!(found, entries.len(), "{path}: {response}");
            for (index, value) in entries.iter().enumerate() {
                assert_has(&response[index], value, &format!("{path}[{index}]"));
            }
        }
        _ => assert_eq!(response, shown, "{path}"),
    }
}

/// Imports the demo catalog and starts the server.
fn serve(site: &Site) -> Server {
    let catalog = workspace().join("crates/cli/src/demo/catalog.csv");
    site.run(&["catalog", "import", catalog.to_str().unwrap()])
        .ok();
    site.serve()
}

/// Runs the steps of the guide `name` with `variables`. Each response must contain the response
/// shown.
fn run_guide(name: &str, variables: &[(&str, &str)]) {
    let guide = fs::read_to_string(workspace().join("docs/guides").join(name)).unwrap();
    let steps = steps(&guide);
    assert!(!steps.is_empty(), "the guide has steps");
    let script: Vec<&str> = steps.iter().map(|step| step.script).collect();
    let mut shell = Command::new("sh");
    shell
        .args(["-euc", &script.join("\n")])
        .envs(variables.iter().copied());
    let ended = Finished::from(shell.output().unwrap()).ok();
    let shown: Vec<&Value> = steps
        .iter()
        .filter_map(|step| step.shown.as_ref())
        .collect();
    let responses: Vec<Value> = ended
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (response, shown) in responses.iter().zip(&shown) {
        assert_has(response, shown, "$");
    }
    assert_eq!(responses.len(), shown.len(), "{ended:?}");
}

fn the_guide_shows_what_the_service_responds(site: &Site) {
    if !has_shell_tools() {
        return;
    }
    let server = serve(site);
    let client = site.store(&server, &["--prefix", "DEMO"]);
    let operator = Operator::create(site, &server, "operator", &[]);
    let variables = [
        ("PRESSLINE", &*format!("http://{}", server.address)),
        ("OPERATORS", &*format!("http://{}", server.for_operators())),
        ("STORE", &client.store),
        ("KEY", &client.key),
        ("TOKEN", &operator.token),
    ];
    run_guide("orders-by-curl.md", &variables);
}

/// The steps before the order install the package; [`crate::deploy`] tests them.
fn the_guide_for_a_new_machine_ends_with_an_order(site: &Site) {
    if !has_shell_tools() {
        return;
    }
    let guide = fs::read_to_string(workspace().join("docs/guides/first-order.md")).unwrap();
    let (_, catalog) = guide.split_once("catalog.csv <<END\n").unwrap();
    let (catalog, _) = catalog.split_once("END\n").unwrap();
    site.import("catalog", catalog, &[]).ok();
    let server = site.serve();
    let client = site.store(&server, &["--prefix", "MYSHOP"]);
    let variables = [
        ("PRESSLINE", &*format!("http://{}", server.address)),
        ("STORE", &client.store),
        ("KEY", &client.key),
    ];
    run_guide("first-order.md", &variables);
}

fn the_guide_to_the_sandbox_shows_what_the_service_responds(site: &Site) {
    if !has_shell_tools() {
        return;
    }
    let server = serve(site);
    let client = site.store(&server, &["--test"]);
    let variables = [
        ("PRESSLINE", &*format!("http://{}", server.address)),
        ("STORE", &client.store),
        ("KEY", &client.key),
    ];
    run_guide("sandbox.md", &variables);
}

fn the_commands_of_a_new_test_store_deliver_an_order(site: &Site) {
    if !has_shell_tools() {
        return;
    }
    let server = serve(site);
    let made = site
        .run(&["store", "create", "--name", "Try", "--test"])
        .ok();
    let begin = made.out.find("PRESSLINE=http://").unwrap();
    // The command does not know the port of a test server.
    let (_, calls) = made.out[begin..].split_once('\n').unwrap();
    let script = format!("PRESSLINE=http://{}\n{calls}", server.address);
    let begun = Instant::now();
    let output = Command::new("sh").args(["-euc", &script]).output().unwrap();
    let took = begun.elapsed();
    let ended = Finished::from(output).ok();
    let responses = FirstRunOutput::read(&ended.out);
    assert_eq!(responses.len(), 7, "{ended:?}");
    for response in &responses {
        let (called, fields) = (&response.called, &response.fields);
        assert!(called.ends_with(" 200") && fields.len() == 3, "{ended:?}");
    }
    assert_eq!(responses[5].fields[1], r#""itemStatuses":["delivered"]"#);
    eprintln!("the walk took {took:?}");
}

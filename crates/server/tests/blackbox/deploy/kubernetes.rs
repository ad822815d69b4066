//! `deploy/kubernetes`: both overlays, rendered and validated by the Kubernetes schemas.

use std::process::Command;

use pressline_testkit::tool;
use serde_json::{Value, json};

use super::run;
use crate::common::workspace;

/// Returns the manifests of `overlay` after `kubernetes-validate` has accepted them; `None` without
/// the tools.
fn manifests(overlay: &str) -> Option<Vec<Value>> {
    let python = tool("deploy", "deploy-python")?;
    let validate = tool("deploy", "kubernetes-validate")?;
    let script = workspace().join("crates/server/tests/blackbox/deploy/kustomize.py");
    let folder = workspace().join("deploy/kubernetes/overlays").join(overlay);
    let rendered = run(Command::new(python).args([script, folder])).ok().out;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manifests.yaml");
    std::fs::write(&file, &rendered).unwrap();
    run(Command::new(validate).arg("--strict").arg(file)).ok();
    let documents = rendered.lines().filter(|line| *line != "---");
    Some(
        documents
            .map(|text| serde_json::from_str(text).unwrap())
            .collect(),
    )
}

/// Returns the containers of all pods in `manifests`.
fn containers(manifests: &[Value]) -> Vec<&Value> {
    let pods = manifests
        .iter()
        .map(|manifest| &manifest["spec"]["template"]["spec"]);
    pods.flat_map(|pod| ["initContainers", "containers"].map(|field| &pod[field]))
        .filter_map(Value::as_array)
        .flatten()
        .collect()
}

fn kinds(manifests: &[Value]) -> Vec<&str> {
    let kinds = manifests
        .iter()
        .map(|manifest| manifest["kind"].as_str().unwrap());
    kinds.collect()
}

#[test]
fn every_overlay_fits_the_schemas_and_confines_its_containers() {
    for overlay in ["sqlite", "postgres"] {
        let Some(manifests) = manifests(overlay) else {
            return;
        };
        let containers = containers(&manifests);
        assert_eq!(containers.len(), 2, "{overlay}: serve and migrate");
        for container in containers {
            let confined = json!({
                "allowPrivilegeEscalation": false,
                "readOnlyRootFilesystem": true,
                "capabilities": {"drop": ["ALL"]},
            });
            assert_eq!(container["securityContext"], confined, "{container}");
            assert!(
                container["resources"]["limits"]["memory"].is_string(),
                "{container}"
            );
        }
        let text = json!(manifests).to_string();
        assert!(
            !text.contains("LoadBalancer") && !text.contains("NodePort"),
            "{text}"
        );
        for manifest in &manifests {
            assert_eq!(manifest["metadata"]["namespace"], "pressline", "{manifest}");
            assert_ne!(manifest["kind"], "Secret", "secrets are referred to");
        }
    }
}

#[test]
fn the_overlay_for_sqlite_has_one_server_and_a_volume() {
    let Some(manifests) = manifests("sqlite") else {
        return;
    };
    let shared = ["Deployment", "Service", "Service", "NetworkPolicy"];
    assert_eq!(
        kinds(&manifests),
        [&shared[..], &["PersistentVolumeClaim"]].concat()
    );
    let server = &manifests[0]["spec"];
    assert_eq!(server["replicas"], 1);
    assert_eq!(server["strategy"], json!({"type": "Recreate"}));
    let container = &server["template"]["spec"]["containers"][0];
    assert_eq!(container["readinessProbe"]["httpGet"]["path"], "/readyz");
    assert_eq!(container["livenessProbe"]["httpGet"]["path"], "/livez");
    // Entries of the base, and one entry of the overlay.
    assert_eq!(container["env"].as_array().unwrap().len(), 2, "{container}");
    assert_eq!(
        container["volumeMounts"].as_array().unwrap().len(),
        3,
        "{container}"
    );
}

#[test]
fn the_overlay_for_postgres_scales_and_migrates() {
    let Some(manifests) = manifests("postgres") else {
        return;
    };
    let own = ["PodDisruptionBudget", "HorizontalPodAutoscaler", "Job"];
    assert!(kinds(&manifests).ends_with(&own), "{:?}", kinds(&manifests));
    // A number of replicas would override the autoscaler's.
    assert_eq!(manifests[0]["spec"]["replicas"], Value::Null);
    for container in containers(&manifests) {
        let environment = container["env"].as_array().unwrap().iter();
        let mut urls = environment.filter(|entry| entry["name"] == "PRESSLINE__DATABASE__URL");
        let secret = json!({"name": "pressline", "key": "database-url"});
        assert_eq!(urls.next().unwrap()["valueFrom"]["secretKeyRef"], secret);
    }
}

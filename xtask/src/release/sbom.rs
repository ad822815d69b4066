//! The software bill of materials in CycloneDX 1.5 format.

use cargo_metadata::{Metadata, Package};
use serde_json::{Value, json};

use crate::licences::shipped;

/// Returns the packages that are linked into the binary, with their licences.
pub(super) fn document(metadata: &Metadata, version: &str) -> Value {
    let binary = metadata
        .packages
        .iter()
        .filter(|one| *one.name == "pressline");
    let shipped = shipped(metadata, binary.map(|package| &package.id));
    let mut packages: Vec<&Package> = metadata
        .packages
        .iter()
        .filter(|package| shipped.contains(&package.id))
        .collect();
    // A stable order, so that two releases can be compared.
    packages.sort_by_key(|package| (&package.name, &package.version));
    let components: Vec<Value> = packages.into_iter().map(component).collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application",
            "bom-ref": "pressline",
            "name": "pressline",
            "version": version,
            "licenses": [{ "expression": "MIT OR Apache-2.0" }],
        } },
        "components": components,
    })
}

fn component(package: &Package) -> Value {
    let purl = format!("pkg:cargo/{}@{}", package.name, package.version);
    // Some old packages separate alternative licences by a slash, which is not SPDX.
    let licence = package
        .license
        .as_deref()
        .unwrap_or("NOASSERTION")
        .replace('/', " OR ");
    json!({
        "type": "library",
        "bom-ref": purl,
        "name": package.name.as_str(),
        "version": package.version.to_string(),
        "licenses": [{ "expression": licence }],
        "purl": purl,
    })
}

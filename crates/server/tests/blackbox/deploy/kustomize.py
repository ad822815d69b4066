"""kustomize.py FOLDER: prints the manifests of a kustomization, each in a line of JSON. Of kustomize it supports `resources`, `namespace` and
`patches` with the path of a strategic merge patch; another field is an error."""

import json
import pathlib
import sys

import yaml

# Lists whose entries are merged by a key; other lists are replaced.
KEYS = {"containers": "name", "initContainers": "name", "env": "name", "volumes": "name", "volumeMounts": "mountPath"}


def read(file):
    return [document for document in yaml.safe_load_all(file.read_text()) if document]


def merge(below, patch, field=None):
    if isinstance(below, dict) and isinstance(patch, dict):
        merged = below | {name: merge(below.get(name), value, name) for name, value in patch.items()}
        return {name: value for name, value in merged.items() if value is not None}
    if isinstance(below, list) and field in KEYS:
        key = KEYS[field]
        patches = {entry[key]: entry for entry in patch}
        return [merge(entry, patches.pop(entry[key], {})) for entry in below] + list(patches.values())
    return patch


def identity(manifest):
    return manifest["apiVersion"], manifest["kind"], manifest["metadata"]["name"]


def render(folder):
    (kustomization,) = read(folder / "kustomization.yaml")
    unknown = set(kustomization) - {"apiVersion", "kind", "namespace", "resources", "patches"}
    assert not unknown, f"not supported: {unknown}"
    manifests = []
    for name in kustomization["resources"]:
        path = folder / name
        manifests += render(path) if path.is_dir() else read(path)
    for entry in kustomization.get("patches", []):
        assert set(entry) == {"path"}, f"not supported: {entry}"
        for patch in read(folder / entry["path"]):
            (index,) = [at for at, below in enumerate(manifests) if identity(below) == identity(patch)]
            manifests[index] = merge(manifests[index], patch)
    if "namespace" in kustomization:
        for manifest in manifests:
            manifest["metadata"]["namespace"] = kustomization["namespace"]
    return manifests


for manifest in render(pathlib.Path(sys.argv[1])):
    print("---", json.dumps(manifest), sep="\n")

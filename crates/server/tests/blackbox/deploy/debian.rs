//! The Debian package and the other artefacts of a release.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use pressline_testkit::{runs_as_root, skip, tool};
use serde_json::Value;
use tempfile::TempDir;

use super::{free_port, replaced, run, text};
use crate::common::workspace;
use crate::first_run::has_shell_tools;

/// Folder with the release artefacts of the tested binary.
static ARTEFACTS: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    let binary = folder.path().join("pressline");
    let tested = Path::new(env!("CARGO_BIN_EXE_pressline"));
    run(Command::new("strip").arg("-o").args([&binary, tested])).ok();
    let target = tested.ancestors().nth(2).unwrap();
    let mut release = Command::new(env!("CARGO"));
    release
        .current_dir(workspace())
        .env("CARGO_TARGET_DIR", target)
        .args(["run", "--quiet", "--locked", "-p", "xtask"])
        .args(["--", "release", "--dry-run", "--binary"])
        .arg(&binary);
    run(&mut release).ok();
    target.join("release-artefacts")
});

/// Returns the path of the artefact with this `ending`.
#[track_caller]
fn artefact(ending: &str) -> PathBuf {
    let files = fs::read_dir(&*ARTEFACTS).unwrap();
    let mut files = files.map(|entry| entry.unwrap().path());
    let found = files.find(|file| file.to_str().unwrap().ends_with(ending));
    found.unwrap_or_else(|| panic!("no artefact {ending}"))
}

#[test]
fn a_release_has_packages_a_component_list_and_checksums() {
    let (Some(dpkg), Some(lintian)) = (tool("deploy", "dpkg-deb"), tool("deploy", "lintian"))
    else {
        return;
    };
    let mut sums = Command::new("sha256sum");
    sums.current_dir(&*ARTEFACTS)
        .args(["--check", "SHA256SUMS"]);
    run(&mut sums).ok();
    let deb = artefact(".deb");
    let mut contents = Command::new(dpkg);
    let installed = run(contents.arg("--contents").arg(&deb)).ok().out;
    let mut list = Command::new("tar");
    list.args(["--list", "--file"]).arg(artefact(".tar.gz"));
    let packed = run(&mut list).ok().out;
    for (list, file) in [
        (&installed, "./usr/bin/pressline\n"),
        (&installed, "./lib/systemd/system/pressline.service\n"),
        (&installed, "./lib/systemd/system/pressline.socket\n"),
        (&installed, "./etc/pressline/pressline.toml\n"),
        (
            &installed,
            "./usr/share/man/man1/pressline-store-create.1.gz\n",
        ),
        (
            &installed,
            "./usr/share/bash-completion/completions/pressline\n",
        ),
        (&installed, "./usr/share/doc/pressline/copyright\n"),
        (&installed, "./usr/share/doc/pressline/changelog.gz\n"),
        (&packed, "/bin/pressline\n"),
        (&packed, "/share/man/man1/pressline.1.gz\n"),
        (&packed, "/LICENSE-APACHE\n"),
    ] {
        assert!(list.contains(file), "{file}: {list}");
    }
    let mut judge = Command::new(lintian);
    judge.args(["--allow-root", "--fail-on", "error"]);
    run(judge.arg(deb)).ok();
}

#[test]
fn the_list_of_components_fits_the_schema_of_cyclonedx() {
    let Some(python) = tool("deploy", "deploy-python") else {
        return;
    };
    const VALIDATE: &str = "
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(sys.stdin.read())
sys.exit(error and f'{error.data.json_path}: {error.data.message}')
";
    let file = artefact(".cdx.json");
    let mut validate = Command::new(python);
    validate
        .args(["-c", VALIDATE])
        .stdin(File::open(&file).unwrap());
    run(&mut validate).ok();

    let components: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let listed = components["components"].as_array().unwrap();
    let has = |name: &str| listed.iter().any(|component| component["name"] == name);
    assert!(has("actix-web") && has("pq-sys") && !has("cargo_metadata"));
}

/// Repacks `deb` as an older version with another default configuration.
fn older(deb: &Path, folder: &Path) -> PathBuf {
    let (tree, old) = (folder.join("tree"), folder.join("old.deb"));
    let pack = |option: &str, from: &Path, to: &Path| {
        let mut command = Command::new("dpkg-deb");
        command.args(["-Zgzip", "-z1", "--root-owner-group", option]);
        run(command.args([from, to])).ok();
    };
    pack("--raw-extract", deb, &tree);
    let change = |file: &str, from: &str, to: &str| {
        let file = tree.join(file);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(file, replaced(&text, &[(from, to)])).unwrap();
    };
    change("DEBIAN/control", "\nVersion: ", "\nVersion: 0.0~");
    change(
        "etc/pressline/pressline.toml",
        "[database]",
        "# Older.\n[database]",
    );
    pack("--build", &tree, &old);
    old
}

#[test]
fn the_package_preserves_configuration_data_and_state() {
    if tool("deploy", "dpkg-deb").is_none() {
        return;
    }
    let isolated = || {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--kill-child"]);
        command
    };
    if run(isolated().arg("true")).code != 0 {
        skip(
            "deploy",
            "`unshare --mount` needs root, and containers that permit it",
        );
        return;
    }
    let folder = TempDir::new().unwrap();
    let new = artefact(".deb");
    let mut install = isolated();
    install
        .args(["sh", "-eu"])
        .arg(workspace().join("crates/server/tests/blackbox/deploy/package.sh"))
        .args([older(&new, folder.path()), new])
        .arg(free_port().to_string());
    let ended = run(&mut install).ok();
    assert!(ended.out.ends_with("== done\n"), "{ended:?}");
    assert!(
        ended.err.contains("/var/lib/pressline is kept"),
        "{ended:?}"
    );
}

/// Returns the code name of this machine's distribution. The package requires its C library.
fn suite() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap();
    let name = release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    name.expect("/etc/os-release has a code name").to_owned()
}

/// Runs `clean_debian.sh` in a minimal Debian that mmdebstrap makes for it and removes.
#[test]
fn the_package_takes_an_order_on_a_minimal_debian() {
    let Some(mmdebstrap) = tool("deploy", "mmdebstrap") else {
        return;
    };
    if !has_shell_tools() {
        return;
    }
    if !runs_as_root("mmdebstrap mounts file systems of its Debian") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let order = folder.path().join("order.sh");
    let guide = text("docs/guides/first-order.md");
    let (_, step) = guide.split_once("<!-- step -->\n```sh\n").unwrap();
    fs::write(&order, step.split_once("```").unwrap().0).unwrap();
    let script = workspace().join("crates/server/tests/blackbox/deploy/clean_debian.sh");
    let port = free_port().to_string();
    let mut install = Command::new(mmdebstrap);
    install
        .args(["--variant=minbase", "--mode=root", "--format=null"])
        // Otherwise the lists of packages are removed before the hook installs packages.
        .arg("--skip=cleanup/apt/lists")
        .arg(r#"--customize-hook=sh "$SCRIPT" "$1" "$DEB" "$PORT" "$ORDER""#)
        .env("SCRIPT", script)
        .env("DEB", artefact(".deb"))
        .env("PORT", port)
        .env("ORDER", order)
        .env("TMPDIR", folder.path())
        .args([&suite(), "/dev/null"]);
    // mmdebstrap prints the output of hooks on standard error.
    let ended = run(&mut install);
    if !ended.err.contains("== install") {
        let mut errors = ended.err.lines().filter(|line| line.starts_with("E: "));
        let first = errors.next().unwrap_or(&ended.err);
        skip(
            "deploy",
            format!("mmdebstrap cannot make a Debian ({first})"),
        );
        return;
    }
    let ended = ended.ok();
    for text in [
        "MYSHOP-1  first-1",
        "/var/lib/pressline is kept",
        "== done\n",
    ] {
        assert!(ended.err.contains(text), "{ended:?}");
    }
}

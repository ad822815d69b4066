//! The Debian package and the other artefacts of a release.

use std::fs;
use std::path::Path;
use std::process::Command;

use pressline_testkit::tool;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Finished, workspace};

/// Packs the tested binary, and returns the folder of the artefacts.
fn artefacts(folder: &Path) -> std::path::PathBuf {
    let binary = folder.join("pressline");
    let mut strip = Command::new("strip");
    strip
        .arg("-o")
        .arg(&binary)
        .arg(env!("CARGO_BIN_EXE_pressline"));
    Finished::from(strip.output().unwrap()).ok();
    let target = Path::new(env!("CARGO_BIN_EXE_pressline"))
        .ancestors()
        .nth(2)
        .unwrap();
    let mut release = Command::new(env!("CARGO"));
    release
        .current_dir(workspace())
        .env("CARGO_TARGET_DIR", target)
        .args([
            "run",
            "--quiet",
            "--locked",
            "-p",
            "xtask",
            "--",
            "release",
            "--dry-run",
            "--binary",
        ])
        .arg(&binary);
    Finished::from(release.output().unwrap()).ok();
    target.join("release-artefacts")
}

#[test]
fn a_release_consists_of_packages_components_and_checksums() {
    let (Some(dpkg), Some(lintian)) = (tool("deploy", "dpkg-deb"), tool("deploy", "lintian"))
    else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let artefacts = artefacts(folder.path());
    let run = |program: &Path, arguments: &[&str]| -> Finished {
        let mut command = Command::new(program);
        command.current_dir(&artefacts).args(arguments);
        command.output().unwrap().into()
    };
    run(Path::new("sha256sum"), &["--check", "SHA256SUMS"]).ok();
    let names: Vec<String> = fs::read_dir(&artefacts)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let one = |ending: &str| {
        names
            .iter()
            .find(|name| name.ends_with(ending))
            .unwrap()
            .as_str()
    };

    let deb = one(".deb");
    let installed = run(&dpkg, &["--contents", deb]).ok().out;
    let packed = run(Path::new("tar"), &["--list", "--file", one(".tar.gz")])
        .ok()
        .out;
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
    let judged = run(&lintian, &["--allow-root", "--fail-on", "error", deb]);
    assert_eq!(judged.code, 0, "{judged:?}");

    let components = fs::read_to_string(artefacts.join(one(".cdx.json"))).unwrap();
    let components: Value = serde_json::from_str(&components).unwrap();
    let listed = components["components"].as_array().unwrap();
    let has = |name: &str| listed.iter().any(|component| component["name"] == name);
    assert!(has("actix-web") && has("pq-sys") && !has("cargo_metadata"));
}

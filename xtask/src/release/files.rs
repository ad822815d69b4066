//! The tarball, and files that the Debian package contains too.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::inputs::Release;
use crate::cargo::{output, root, run};
use crate::error::TaskError;

/// Creates the tarball: binary, completions, manual pages, units and licences.
pub(super) fn tarball(release: &Release, staging: &Path) -> Result<(), TaskError> {
    let name = format!(
        "pressline-{}-{}-linux",
        release.version,
        std::env::consts::ARCH
    );
    let folder = staging.join(&name);
    copy(&release.portable, &folder.join("bin/pressline"), 0o755)?;
    completions(release, &folder, "share/zsh/site-functions")?;
    manual(release, &folder.join("share/man/man1"))?;
    for file in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "README.md",
        "docs/CHANGELOG.md",
    ] {
        let name = Path::new(file).file_name().unwrap_or_default();
        copy(&root().join(file), &folder.join(name), 0o644)?;
    }
    for unit in fs::read_dir(root().join("deploy/systemd"))? {
        let unit = unit?;
        copy(
            &unit.path(),
            &folder.join("systemd").join(unit.file_name()),
            0o644,
        )?;
    }
    let archive = release.folder.join(format!("{name}.tar.gz"));
    // Fixed order, owner and times, so that equal sources make an equal tarball.
    run(Command::new("tar")
        .current_dir(staging)
        .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
        .arg(format!("--mtime=@{}", release.epoch))
        .args([
            "--use-compress-program",
            if release.small {
                "gzip --no-name -9"
            } else {
                "gzip --no-name -1"
            },
            "--create",
            "--file",
        ])
        .args([archive.as_os_str(), name.as_ref()]))
}

/// Writes the completions of three shells below `prefix`.
pub(super) fn completions(release: &Release, prefix: &Path, zsh: &str) -> Result<(), TaskError> {
    for (shell, file) in [
        (
            "bash",
            "share/bash-completion/completions/pressline".to_owned(),
        ),
        ("zsh", format!("{zsh}/_pressline")),
        (
            "fish",
            "share/fish/vendor_completions.d/pressline.fish".to_owned(),
        ),
    ] {
        let text = output(Command::new(&release.binary).args(["completions", shell]))?;
        write(&prefix.join(file), &format!("{text}\n"), 0o644)?;
    }
    Ok(())
}

/// Writes the compressed manual pages to `folder`.
pub(super) fn manual(release: &Release, folder: &Path) -> Result<(), TaskError> {
    fs::create_dir_all(folder)?;
    run(Command::new(&release.binary)
        .args(["man", "--dir"])
        .arg(folder))?;
    for page in fs::read_dir(folder)? {
        compress(&page?.path())?;
    }
    Ok(())
}

pub(super) fn compress(file: &Path) -> Result<(), TaskError> {
    run(Command::new("gzip").args(["--no-name", "-9"]).arg(file))
}

/// Copies the file `from` to `to` and creates missing parent folders.
pub(super) fn copy(from: &Path, to: &Path, mode: u32) -> Result<(), TaskError> {
    let create = || -> io::Result<()> {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        fs::copy(from, to)?;
        fs::set_permissions(to, fs::Permissions::from_mode(mode))
    };
    create().map_err(|error| format!("{}: {error}", from.display()).into())
}

/// Writes `text` to the file `to` and creates missing parent folders.
pub(super) fn write(to: &Path, text: &str, mode: u32) -> Result<(), TaskError> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::write(to, text)?;
    Ok(fs::set_permissions(to, fs::Permissions::from_mode(mode))?)
}

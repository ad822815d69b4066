//! The Debian package, built by `dpkg-deb` from the files in `deploy/debian` and `deploy/systemd`.
//! cargo-deb would do no more for a single binary, and would have to be built first.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::files::{completions, compress, copy, manual, write};
use super::inputs::Release;
use crate::cargo::{output, root, run};
use crate::error::TaskError;

pub(super) fn package(release: &Release, staging: &Path) -> Result<(), TaskError> {
    let tree = staging.join("debian");
    let binary = tree.join("usr/bin/pressline");
    copy(&release.binary, &binary, 0o755)?;
    // Debian packages contain stripped binaries.
    run(Command::new("strip")
        .args(["--remove-section=.comment", "--remove-section=.note"])
        .arg(&binary))?;
    completions(release, &tree.join("usr"), "share/zsh/vendor-completions")?;
    manual(release, &tree.join("usr/share/man/man1"))?;
    let source = root().join("deploy");
    for unit in ["pressline.service", "pressline.socket"] {
        let installed = tree.join("lib/systemd/system").join(unit);
        copy(&source.join("systemd").join(unit), &installed, 0o644)?;
    }
    let settings = source.join("debian/pressline.toml");
    copy(&settings, &tree.join("etc/pressline/pressline.toml"), 0o644)?;
    documents(release, &source, &tree.join("usr/share/doc/pressline"))?;
    let architecture = output(Command::new("dpkg").arg("--print-architecture"))?;
    control(release, &source.join("debian"), &tree, &architecture)?;
    let file = format!("pressline_{}_{architecture}.deb", release.version);
    // `dpkg-deb` limits file times to `SOURCE_DATE_EPOCH`.
    run(Command::new("dpkg-deb")
        .env("SOURCE_DATE_EPOCH", &release.epoch)
        .args(if release.small {
            ["-Zxz", "-z6"]
        } else {
            ["-Zgzip", "-z1"]
        })
        .args(["--root-owner-group", "--build"])
        .args([tree, release.folder.join(file)]))
}

fn documents(release: &Release, source: &Path, folder: &Path) -> Result<(), TaskError> {
    let template = fs::read_to_string(source.join("debian/copyright"))?;
    let licence_text = fs::read_to_string(root().join("LICENSE-MIT"))?;
    // Debian's copyright format: each line is indented, and an empty line is a dot.
    let paragraph = |line: &str| {
        if line.is_empty() {
            " .".to_owned()
        } else {
            format!(" {line}")
        }
    };
    let licence: Vec<String> = licence_text.trim().lines().map(paragraph).collect();
    let copyright = template.replace("@MIT@", &licence.join("\n"));
    write(&folder.join("copyright"), &copyright, 0o644)?;
    let installed = folder.join("examples/postgres.conf");
    copy(&source.join("systemd/postgres.conf"), &installed, 0o644)?;
    copy(
        &source.join("systemd/README.md"),
        &folder.join("README.md"),
        0o644,
    )?;
    let changes = root().join("docs/CHANGELOG.md");
    copy(&changes, &folder.join("NEWS.md"), 0o644)?;
    compress(&folder.join("NEWS.md"))?;
    let options = ["-R", "-u", "-d"];
    let date = output(
        Command::new("date")
            .args(options)
            .arg(format!("@{}", release.epoch)),
    )?;
    let version = &release.version;
    // Debian's changelog format; the project's own changelog is NEWS.md.
    let entry = format!(
        "pressline ({version}) unstable; urgency=medium\n\n  * NEWS.md.gz lists the changes.\n\n \
         -- The Pressline authors <maintainers@pressline.invalid>  {date}\n"
    );
    write(&folder.join("changelog"), &entry, 0o644)?;
    compress(&folder.join("changelog"))
}

fn control(
    release: &Release,
    source: &Path,
    tree: &Path,
    architecture: &str,
) -> Result<(), TaskError> {
    let output_of_du = output(
        Command::new("du")
            .args(["--summarize", "--apparent-size", "--block-size=1024"])
            .arg(tree),
    )?;
    let size = output_of_du.split_whitespace().next().unwrap_or("1");
    // The newest glibc symbol becomes the package's dependency.
    let version = glibc(&fs::read(&release.binary)?);
    let glibc = version.ok_or("the binary of the Debian package does not name glibc")?;
    let fields = fs::read_to_string(source.join("control"))?
        .replace("@VERSION@", &release.version)
        .replace("@ARCHITECTURE@", architecture)
        .replace("@SIZE@", size)
        .replace("@GLIBC@", &glibc);
    let folder = tree.join("DEBIAN");
    write(&folder.join("control"), &fields, 0o644)?;
    for (name, mode) in [
        ("conffiles", 0o644),
        ("postinst", 0o755),
        ("prerm", 0o755),
        ("postrm", 0o755),
    ] {
        copy(&source.join(name), &folder.join(name), mode)?;
    }
    Ok(())
}

/// Returns the newest glibc version among the symbols of a binary, such as `2.34`; `None` if it is
/// static.
pub(super) fn glibc(binary: &[u8]) -> Option<String> {
    const PREFIX: &[u8] = b"GLIBC_2.";
    /// Required by packed relocations, which glibc 2.36 introduced.
    const PACKED: &[u8] = b"GLIBC_ABI_DT_RELR";
    let packed = binary.windows(PACKED.len()).any(|window| window == PACKED);
    let windows = binary.windows(PREFIX.len()).enumerate();
    let starts = windows.filter(|(_, window)| *window == PREFIX);
    let symbol_versions = starts.filter_map(|(start, _)| {
        let rest = binary.get(start + PREFIX.len()..)?;
        let leading_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).take(3);
        let digits: String = leading_digits.map(|byte| char::from(*byte)).collect();
        digits.parse::<u32>().ok()
    });
    let minor = symbol_versions.chain(packed.then_some(36));
    minor.max().map(|minor| format!("2.{minor}"))
}

#[cfg(test)]
mod tests {
    use super::glibc;

    #[test]
    fn the_newest_symbol_decides_the_version() {
        let newest = glibc(b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE");
        assert_eq!(newest.as_deref(), Some("2.34"));
        let newest = glibc(b"\0GLIBC_2.34\0GLIBC_ABI_DT_RELR\0");
        assert_eq!(newest.as_deref(), Some("2.36"));
        assert_eq!(glibc(b"\0GLIBC_PRIVATE"), None);
    }
}

//! `deploy/container`: the Dockerfile, checked by hadolint, and its last stage, built and run by
//! buildah.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pressline_testkit::{runs_as_root, tool};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::{free_port, run, text};
use crate::common::{Server, workspace};
use crate::first_run::{assert_block_works, block, has_shell_tools};

const DOCKERFILE: &str = "deploy/container/Dockerfile";

#[test]
fn hadolint_accepts_the_dockerfile() {
    let Some(program) = tool("deploy", "hadolint") else {
        return;
    };
    run(Command::new(program).arg(workspace().join(DOCKERFILE))).ok();
}

/// Makes the stage `manifests` without an engine: in a copy of the build context, runs the command
/// of this stage. Cargo must be able to plan the build of the dependencies there.
#[test]
fn the_layer_of_dependencies_has_all_files_that_their_build_needs() {
    let folder = tempfile::tempdir().unwrap();
    let context = folder.path().join("context");
    fs::create_dir(&context).unwrap();
    let ignored = text(".dockerignore");
    let included = ignored.lines().filter_map(|line| line.strip_prefix('!'));
    for pattern in included {
        let copy = format!("cp -r --parents {pattern} {}", context.display());
        run(Command::new("sh")
            .args(["-c", &copy])
            .current_dir(workspace()))
        .ok();
    }
    let dockerfile = text(DOCKERFILE);
    let (_, command) = dockerfile.split_once("COPY . .\nRUN ").unwrap();
    let (command, _) = command.split_once("\n\n").unwrap();
    run(Command::new("sh")
        .args(["-c", command])
        .current_dir(&context))
    .ok();

    let mut plan = Command::new(env!("CARGO"));
    plan.current_dir(&context)
        // Unstable, but without it only a build checks that all targets have files.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", folder.path())
        .args(["build", "--unit-graph", "-Zunstable-options"])
        .args([
            "--offline",
            "--locked",
            "--profile",
            "dist",
            "--package",
            "pressline",
        ]);
    run(&mut plan).ok();
    let settings = text(".cargo/config.toml");
    let paths: Vec<&str> = settings
        .lines()
        .filter(|line| line.contains("relative = true"))
        .filter_map(|line| line.split('"').nth(1))
        .collect();
    assert_eq!(paths.len(), 2, "{paths:?}");
    for path in paths {
        assert!(context.join(path).exists(), "{path} must be kept");
    }
}

/// Buildah with its own storage.
struct Engine {
    program: PathBuf,
    folder: TempDir,
}

impl Engine {
    fn new() -> Option<Self> {
        let program = tool("deploy", "buildah")?;
        if !runs_as_root("buildah with the isolation `chroot` needs it") {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        Some(Self { program, folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["--storage-driver", "vfs", "--root"])
            .arg(self.path("storage"));
        command
            .arg("--runroot")
            .arg(self.path("run"))
            .args(arguments);
        command
    }

    /// Builds the image `name` from a `dockerfile` and the folder `context`.
    fn build(&self, name: &str, context: &Path, dockerfile: &Path, arguments: &[&str]) {
        let mut command = self.command(&[
            "build",
            "--isolation",
            "chroot",
            "--format",
            "docker",
            "--tag",
            name,
        ]);
        command
            .args(arguments)
            .arg("--file")
            .arg(dockerfile)
            .arg(context);
        run(&mut command).ok();
    }

    /// Makes an image from the files in the folder `name`.
    fn image_of_folder(&self, name: &str) {
        let dockerfile = self.path(&format!("{name}.Dockerfile"));
        fs::write(&dockerfile, "FROM scratch\nCOPY . /\n").unwrap();
        self.build(
            &format!("localhost/{name}"),
            &self.path(name),
            &dockerfile,
            &[],
        );
    }

    /// Builds the last stage of the Dockerfile. Returns the name of a container.
    fn container(&self) -> String {
        let binary = Path::new(env!("CARGO_BIN_EXE_pressline"));
        fs::create_dir_all(self.path("binary/out/data")).unwrap();
        let stripped = self.path("binary/out/pressline");
        run(Command::new("strip").arg("-o").arg(stripped).arg(binary)).ok();
        let libraries = run(Command::new("ldd").arg(binary)).ok().out;
        for library in libraries
            .split_whitespace()
            .filter(|word| word.starts_with('/'))
        {
            let to = self.path(&format!("base{library}"));
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(library, to).unwrap();
        }
        self.image_of_folder("base");
        let binary = format!("build={}", self.path("binary").display());
        let arguments = [
            "--build-arg",
            "BASE=localhost/base",
            "--build-context",
            &binary,
        ];
        let dockerfile = workspace().join(DOCKERFILE);
        self.build(
            "localhost/pressline",
            &self.path("base"),
            &dockerfile,
            &arguments,
        );
        let made = run(&mut self.command(&["from", "localhost/pressline"])).ok();
        made.out.trim().to_owned()
    }

    fn inside(&self, container: &str, listen: &str, arguments: &[&str]) -> Command {
        let environment = format!("PRESSLINE__HTTP__LISTEN={listen}");
        let mut command = self.command(&["run", "--isolation", "chroot"]);
        command.args([
            "--env",
            &environment,
            "--env",
            "PRESSLINE__OPERATOR__LISTEN=127.0.0.1:0",
        ]);
        command
            .args([container, "--", "/usr/bin/pressline"])
            .args(arguments);
        command
    }
}

/// The service in the container. It would outlive buildah, so dropping this value kills it.
struct Service(Pid);

impl Service {
    fn for_server(server: &Server) -> Self {
        let process = last_descendant(server.pid().as_raw_nonzero().get());
        Self(Pid::from_raw(process).unwrap())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = kill_process(self.0, Signal::KILL);
    }
}

/// Returns the most recently started descendant of `parent`.
fn last_descendant(parent: i32) -> i32 {
    let tasks = fs::read_dir(format!("/proc/{parent}/task")).unwrap();
    let children =
        tasks.map(|task| fs::read_to_string(task.unwrap().path().join("children")).unwrap());
    let children: String = children.collect();
    let child = children.split_whitespace().last();
    child.map_or(parent, |child| last_descendant(child.parse().unwrap()))
}

#[test]
fn the_image_serves_as_an_unprivileged_user() {
    let Some(engine) = Engine::new() else { return };
    if !has_shell_tools() {
        return;
    }
    let container = engine.container();
    let listen = format!("127.0.0.1:{}", free_port());

    let mut server = Server::start_as_set(engine.inside(&container, &listen, &["serve"]));
    let service = Service::for_server(&server);
    assert_block_works(&block(&server));
    run(&mut engine.inside(&container, &listen, &["healthcheck"])).ok();
    assert_only_data_is_writable(&engine, &container);

    kill_process(service.0, Signal::TERM).unwrap();
    assert_eq!(server.wait().code(), Some(0));
    let unhealthy = run(&mut engine.inside(&container, &listen, &["healthcheck"]));
    assert_ne!(unhealthy.code, 0, "{unhealthy:?}");
}

/// Asserts that the image's user owns and may write nothing but the volume.
#[track_caller]
fn assert_only_data_is_writable(engine: &Engine, container: &str) {
    let root = run(&mut engine.command(&["mount", container])).ok().out;
    let mut find = Command::new("find");
    find.args([
        root.trim(),
        "-mindepth",
        "1",
        "-name",
        "data",
        "-prune",
        "-o",
        "!",
        "-type",
        "l",
    ]);
    find.args(["(", "-perm", "/022", "-o", "-uid", "65532", ")", "-print"]);
    assert_eq!(run(&mut find).ok().out, "");
}

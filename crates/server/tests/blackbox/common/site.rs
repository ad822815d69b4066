//! An environment for the service: a folder, a database and settings.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pressline_testkit::{Database, Postgres, Tables, TestkitError};
use tempfile::TempDir;

use super::{CATALOG, Client, Finished, Server};

pub(crate) const MASTER_KEY: &str =
    "7b1f0c3a9d2e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8";

pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
}

/// Returns a command of the binary, without the `PRESSLINE_` variables of this process.
pub(crate) fn clean_command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pressline"));
    command.current_dir(folder);
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PRESSLINE_"))
    {
        command.env_remove(name);
    }
    command
}

pub(crate) struct Site {
    folder: TempDir,
    url: String,
    /// Dropped with the site; `None` with SQLite.
    database: Option<Database>,
}

impl Site {
    pub(crate) fn sqlite() -> Self {
        let site = Self::without_database();
        site.run(&["migrate"]).ok();
        site
    }

    /// A site before its SQLite file exists.
    pub(crate) fn without_database() -> Self {
        Self::at("sqlite://pressline.db".to_owned(), None)
    }

    /// A site with a migrated PostgreSQL database, in the variant of the test run.
    pub(crate) fn postgres() -> Self {
        let cluster = Postgres::shared().unwrap();
        let prepare = |database: &Database| {
            let site = Self::elsewhere(database.url());
            match cluster.variant().tables() {
                Tables::OfService => {
                    site.run(&["migrate"]).ok();
                    Ok(())
                }
                Tables::Changed(statements) => {
                    site.run(&["migrate"]).ok();
                    database.execute(statements)
                }
                Tables::Citus => {
                    site.run(&["migrate", "--distribute"]).ok();
                    Ok(())
                }
            }
        };
        let database = cluster.create_prepared::<TestkitError>(prepare).unwrap();
        Self::at(database.url().to_owned(), Some(database))
    }

    /// A site with an empty PostgreSQL database in the shared cluster.
    pub(crate) fn empty_postgres() -> Self {
        Self::in_cluster(Postgres::shared().unwrap())
    }

    /// A site with an empty database in `cluster`.
    pub(crate) fn in_cluster(cluster: &Postgres) -> Self {
        let database = cluster.create_database().unwrap();
        Self::at(database.url().to_owned(), Some(database))
    }

    /// A site with a database that belongs to the caller.
    pub(crate) fn elsewhere(url: &str) -> Self {
        Self::at(url.to_owned(), None)
    }

    fn at(url: String, database: Option<Database>) -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            url,
            database,
        }
    }

    /// Copies the database, as a backup does. The copy is a site of its own. No server may run.
    pub(crate) fn copy(&self) -> Self {
        match &self.database {
            Some(database) => {
                let cluster = Postgres::shared().unwrap();
                let copy = Database::from_template(cluster, database).unwrap();
                Self::at(copy.url().to_owned(), Some(copy))
            }
            None => {
                let copy = Self::without_database();
                for name in ["pressline.db", "pressline.db-wal"] {
                    let file = self.folder().join(name);
                    if file.exists() {
                        fs::copy(file, copy.folder().join(name)).unwrap();
                    }
                }
                copy
            }
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    #[track_caller]
    pub(crate) fn sql(&self, statements: &str) {
        self.database
            .as_ref()
            .expect("a site with PostgreSQL")
            .execute(statements)
            .unwrap();
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// Returns a command with `PRESSLINE__DATABASE__URL` as its only setting.
    pub(crate) fn bare(&self) -> Command {
        let mut command = clean_command(self.folder());
        command.env("PRESSLINE__DATABASE__URL", &self.url);
        command
    }

    /// Returns a command with the settings of most tests.
    pub(crate) fn command(&self) -> Command {
        let mut command = self.bare();
        command
            .env("PRESSLINE__DATABASE__MIGRATE", "true")
            .env("PRESSLINE__AUTH__MASTER_KEY", MASTER_KEY)
            .env("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0")
            .env("PRESSLINE__HTTP__WORKERS", "2")
            .env("PRESSLINE__RATE_LIMIT__ENABLED", "false");
        command
    }

    #[track_caller]
    pub(crate) fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Finished {
        self.command().args(arguments).output().unwrap().into()
    }

    #[track_caller]
    pub(crate) fn serve(&self) -> Server {
        self.serve_with(&[])
    }

    /// Starts a server with further `settings`.
    #[track_caller]
    pub(crate) fn serve_with(&self, settings: &[(&str, &str)]) -> Server {
        let mut command = self.command();
        command.arg("serve").envs(settings.iter().copied());
        Server::start(command)
    }

    /// Imports [`CATALOG`], used by most tests.
    #[track_caller]
    pub(crate) fn import_catalog(&self) {
        self.import("catalog", CATALOG, &[]).ok();
    }

    /// Imports `content` as a CSV file, or as a JSON file if it is a list.
    #[track_caller]
    pub(crate) fn import(&self, kind: &str, content: &str, options: &[&str]) -> Finished {
        let name = if content.starts_with('[') {
            "file.json"
        } else {
            "file.csv"
        };
        self.import_as(name, kind, content, options)
    }

    /// Imports `content` as a file with the given `name`.
    #[track_caller]
    pub(crate) fn import_as(
        &self,
        name: &str,
        kind: &str,
        content: &str,
        options: &[&str],
    ) -> Finished {
        let file = self.file(name, content);
        let arguments = ["--json", kind, "import", file.to_str().unwrap()];
        self.run(&[&arguments, options].concat())
    }

    /// Returns an export of `kind` as CSV.
    #[track_caller]
    pub(crate) fn export(&self, kind: &str) -> String {
        self.run(&[kind, "export"]).ok().out
    }

    #[track_caller]
    pub(crate) fn prefix(&self, store: &str) -> String {
        let shown = self.run(&["--json", "store", "show", store]).json();
        shown["prefix"].as_str().unwrap().to_owned()
    }

    /// Creates a store. Returns its client.
    #[track_caller]
    pub(crate) fn store(&self, server: &Server, options: &[&str]) -> Client {
        let arguments = ["--json", "store", "create", "--name", "Printery"];
        let made = self.run(&[&arguments, options].concat()).json();
        let text = |key: &str| {
            made[key]
                .as_str()
                .unwrap_or_else(|| panic!("no {key} in {made}"))
                .to_owned()
        };
        Client {
            address: server.address,
            store: text("storeId"),
            key: text("secretKey"),
        }
    }

    /// Starts a server with the catalog, and creates a store.
    #[track_caller]
    pub(crate) fn open(&self) -> (Server, Client) {
        self.import_catalog();
        let server = self.serve();
        let client = self.store(&server, &[]);
        (server, client)
    }
}

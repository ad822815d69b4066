//! The Fastify peer: installs it under the target folder and runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::BenchError;
use crate::catalog;
use crate::context::Context;
use crate::process;
use crate::progress::say;
use crate::request::{self, Account};
use crate::service::{Server, free_address};

const FILES: [&str; 5] = [
    "package.json",
    "package-lock.json",
    "cluster.js",
    "server.js",
    "words.js",
];

/// The peer, installed.
pub(crate) struct Peer {
    folder: PathBuf,
}

impl Peer {
    /// Installs it in a folder below `work`, without a network only if npm's cache has all of it.
    /// Returns nothing, and says why, where that cannot be.
    pub(crate) fn install(work: &Path, offline: bool) -> Result<Option<Self>, BenchError> {
        if let Some(missing) = ["node", "npm"]
            .into_iter()
            .find(|program| !process::runs(program))
        {
            say(&format!("no {missing}: the Fastify peer is left out"));
            return Ok(None);
        }
        let (source, folder) = (
            Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/fastify"),
            work.join("fastify"),
        );
        fs::create_dir_all(&folder)?;
        let lock = "package-lock.json";
        let unchanged = fs::read(folder.join(lock))
            .is_ok_and(|known| fs::read(source.join(lock)).is_ok_and(|l| l == known));
        for file in FILES {
            fs::copy(source.join(file), folder.join(file))?;
        }
        let installed = unchanged && folder.join("node_modules/.package-lock.json").exists();
        if !installed && !install_packages(&folder, offline)? {
            say("npm ci failed: the Fastify peer is left out");
            return Ok(None);
        }
        Ok(Some(Self { folder }))
    }

    /// Starts it with an empty database of its own in the cluster, for one store; with so many
    /// connections to the database for each of its processes.
    pub(crate) fn serve(
        &self,
        context: &Context,
        account: &Account,
        words: bool,
        pool: usize,
    ) -> Result<Server, BenchError> {
        let cluster = &context.cluster;
        let database = if words { "fastify_words" } else { "fastify" };
        cluster.run("postgres", &format!("DROP DATABASE IF EXISTS {database}"))?;
        cluster.create(database, None)?;
        cluster.run(database, include_str!("../peers/fastify/schema.sql"))?;
        if words {
            cluster.run(database, include_str!("../peers/fastify/words.sql"))?;
        }
        let catalog = self.folder.join("catalog.json");
        let products = catalog::json(context.samples.products());
        fs::write(&catalog, products.to_string())?;
        let address = free_address()?;
        let child = Command::new("node")
            .arg("cluster.js")
            .current_dir(&self.folder)
            // It ends with this pipe, and so with the bench.
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .env("NODE_ENV", "production")
            .env("WORKERS", "2")
            .env("POOL_SIZE", pool.to_string())
            .env("SEARCH_WORDS", if words { "yes" } else { "no" })
            .env("PORT", address.port().to_string())
            .env("DATABASE_URL", cluster.url(database))
            .env("STORE_ID", &account.store_id)
            .env("SECRET_KEY", &account.secret)
            .env("CATALOG", &catalog)
            .spawn()?;
        Server::adopt(
            child,
            address,
            &cluster.url(database),
            &request::get("/readyz"),
        )
    }
}

/// Installs the packages that the lock file names; returns whether that worked.
fn install_packages(folder: &Path, offline: bool) -> Result<bool, BenchError> {
    say("npm ci for the Fastify peer");
    let mut npm = Command::new("npm");
    npm.args([
        "ci",
        "--omit=dev",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]);
    if offline {
        npm.arg("--offline");
    }
    let status = npm.current_dir(folder).stdout(Stdio::null()).status()?;
    Ok(status.success())
}

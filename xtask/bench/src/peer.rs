//! The Fastify peer: installs it under the target folder and runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::catalog;
use crate::context::Context;
use crate::error::{BenchError, say};
use crate::request::{self, Orders};
use crate::service::{Server, free_address};

const FILES: [&str; 5] = [
    "package.json",
    "package-lock.json",
    "cluster.js",
    "server.js",
    "words.js",
];

const NPM: &str = "ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error";

pub(crate) struct Peer {
    folder: PathBuf,
}

impl Peer {
    /// Installs the peer in a folder below `work`. Works offline if npm's cache is complete.
    /// Returns `None` and prints the reason if it cannot be installed.
    pub(crate) fn install(work: &Path, is_offline: bool) -> Result<Option<Self>, BenchError> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/fastify");
        let folder = work.join("fastify");
        fs::create_dir_all(&folder)?;
        for file in FILES {
            fs::copy(source.join(file), folder.join(file))?;
        }
        let mut npm = Command::new("npm");
        npm.args(NPM.split(' ')).current_dir(&folder);
        if is_offline {
            npm.arg("--offline");
        }
        match npm.stdout(Stdio::null()).status() {
            Ok(status) if status.success() => Ok(Some(Self { folder })),
            failure => {
                say(&format!(
                    "npm ci: {failure:?}: the Fastify peer is left out"
                ));
                Ok(None)
            }
        }
    }

    /// Starts the peer with an empty database for a single store, and `pool` connections per
    /// process.
    pub(crate) fn serve(
        &self,
        context: &Context,
        orders: &Orders,
        words: bool,
        pool: usize,
    ) -> Result<Server, BenchError> {
        let account = orders.accounts.first().ok_or("there is no store")?;
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
            // The peer ends when this pipe is closed, and so with the bench.
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .env("NODE_ENV", "production")
            // As many processes as the service has workers.
            .env("WORKERS", "2")
            .env("POOL_SIZE", pool.to_string())
            .env("SEARCH_WORDS", if words { "yes" } else { "no" })
            .env("PORT", address.port().to_string())
            .env("DATABASE_URL", cluster.url(database))
            .env("STORE_ID", &account.store_id)
            .env("SECRET_KEY", &account.secret)
            .env("CATALOG", &catalog)
            .spawn()?;
        Server::adopt(child, address, &request::get("/readyz"))
    }
}

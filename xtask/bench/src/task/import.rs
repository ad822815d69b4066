//! Orders that are created while a large catalog is imported.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use crate::BenchError;
use crate::catalog;
use crate::contest::CREATED;
use crate::context::Context;
use crate::figures::{Latencies, Spread};
use crate::goals::Goal;
use crate::load::Load;
use crate::options::StoreKind;
use crate::progress::say;
use crate::report::{Table, number, spread};
use crate::service::{Server, Service, Store};

/// Orders that are due each second: far below the capacity, so that the import is what is felt.
const RATE: f64 = 200.0;
/// Connections of the open loop.
const CONNECTIONS: usize = 32;
/// The load is sent in windows of this length until the import ends.
const WINDOW: Duration = Duration::from_secs(1);

/// A service with a store, on one of the databases.
struct Setup {
    name: &'static str,
    service: Service,
    server: Server,
    store: Store,
}

/// Measures, and adds the figures to the report.
pub(crate) fn run(context: &mut Context) -> Result<(), BenchError> {
    let folder = tempfile::tempdir_in(&context.options.output)?;
    let skus = context.options.scale().skus;
    let file = folder.path().join("catalog.csv");
    fs::write(&file, catalog::csv(&catalog::products(skus)))?;
    let head = ["", "orders", "p50 ms", "p99 ms", "longest ms", "import, s"];
    let title = format!("create, {RATE} orders a second, while {skus} products are imported");
    let mut table = Table::new(title, head);
    if context.options.wants_store(StoreKind::Postgres) {
        // A database has no second first import, so that another one is taken each time.
        let measured = context.repeats.measure(|again| {
            let setup = postgres(context, &format!("import{again}"))?;
            measure(context, &setup, &file)
        })?;
        note(context, &mut table, &measured, Goal::ImportTail);
    }
    if context.options.wants_store(StoreKind::Sqlite) {
        context.cluster.stop()?;
        let measured = context.repeats.measure(|again| {
            let database = folder.path().join(format!("import{again}.db"));
            measure(context, &sqlite(context, &database)?, &file)
        })?;
        note(context, &mut table, &measured, Goal::ImportTailSqlite);
        context.cluster.restart()?;
    }
    context.report.tables.push(table);
    Ok(())
}

fn postgres(context: &Context, database: &str) -> Result<Setup, BenchError> {
    let filled = context.filled(database, context.options.scale().few)?;
    let service = context.limited_service(&filled.database);
    Ok(Setup {
        name: "PostgreSQL",
        server: service.serve()?,
        service,
        store: filled.hot,
    })
}

fn sqlite(context: &Context, file: &Path) -> Result<Setup, BenchError> {
    let service = context.service_at(&format!("sqlite://{}", file.display()));
    service.prepare(context.catalog())?;
    let store = service.create_store("Hot", "HOT")?;
    Ok(Setup {
        name: "SQLite",
        server: service.serve()?,
        service,
        store,
    })
}

/// What was measured during an import.
struct Measured {
    name: &'static str,
    latencies: Latencies,
    seconds: f64,
}

/// Measures the windows within one import.
fn measure(context: &Context, setup: &Setup, file: &Path) -> Result<Measured, BenchError> {
    say(&format!("import: {}", setup.name));
    context.cluster.settle()?;
    let begin = std::time::Instant::now();
    let mut import = Import(setup.service.start_import(file)?);
    let (mut all, mut window) = (Latencies::default(), 0);
    while import.runs()? {
        let series = format!("IMPORT{window}-");
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the rate is a small constant"
        )]
        let count = (RATE * WINDOW.as_secs_f64()) as u64;
        let requests = context.creates(&setup.store.account, &series, count)?;
        let connections = context.options.allowed(CONNECTIONS);
        let load = Load::once(setup.server.address, connections, WINDOW, &requests).paced(RATE);
        all.append(load.run()?.all(CREATED)?.of(CREATED));
        window += 1;
    }
    Ok(Measured {
        name: setup.name,
        latencies: all,
        seconds: begin.elapsed().as_secs_f64(),
    })
}

/// Adds the figures to the report.
fn note(context: &mut Context, table: &mut Table, measured: &Measured, goal: Goal) {
    let all = &measured.latencies;
    let p99 = all.percentile(99);
    table.rows.push(vec![
        measured.name.to_owned(),
        all.count().to_string(),
        number(all.percentile(50)),
        spread(Spread::of([p99])),
        number(all.percentile(100)),
        number(measured.seconds),
    ]);
    let note = format!("{} orders", all.count());
    context.report.find(goal, Spread::of([p99]), note);
}

/// A running import; it ends with this value.
struct Import(Child);

impl Import {
    /// Whether it still runs.
    ///
    /// # Errors
    /// It has failed.
    fn runs(&mut self) -> Result<bool, BenchError> {
        match self.0.try_wait()? {
            None => Ok(true),
            Some(status) if status.success() => Ok(false),
            Some(status) => Err(format!("the import failed: {status}").into()),
        }
    }
}

impl Drop for Import {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing left to do then.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

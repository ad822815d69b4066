//! Runs the contract suite of the ports against the PostgreSQL store, with the tables of the test
//! run's variant.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

#[path = "../../store-kit/tests/fixtures/changes.rs"]
mod changes;
#[path = "../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;
#[path = "statements/samples.rs"]
mod samples;
#[path = "../../store-kit/tests/fixtures/adapters.rs"]
mod shared;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;

use diesel::debug_query;
use diesel::pg::Pg;
use pressline_contract::{Adapters, CaseError, lives, order_searches, repositories, run, webhooks};
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::{
    RecordedTexts, add_endpoint_event, patient, recording, text_of, with_chunks,
};
use pressline_testkit::{Database, Postgres, Tables};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

fn main() -> ExitCode {
    let texts = RecordedTexts::default();
    let (recorded, of_lives) = (Arc::clone(&texts), Arc::clone(&texts));
    let usual = repositories("postgres", move || {
        let recorded = Arc::clone(&recorded);
        async move { fresh(&recorded) }
    });
    let lives = lives("postgres", move || {
        let recorded = Arc::clone(&of_lives);
        async move { fresh(&recorded) }
    });
    let small_chunks = order_searches("postgres::small_chunks", || async {
        let database = migrated_database()?;
        let store = with_chunks(database.url(), &patient(), ORDERS_OF_CHUNK)?;
        Ok(adapters(store, database))
    });
    let of_webhooks = Arc::clone(&texts);
    let webhooks = webhooks("postgres", move || {
        let recorded = Arc::clone(&of_webhooks);
        async move {
            let database = migrated_database()?;
            let store = recording(database.url(), &patient(), &recorded)?;
            let cold = store.cold();
            Ok(shared::with_webhooks(adapters(store, database), cold))
        }
    });
    let others = lives.into_iter().chain(webhooks).chain(small_chunks);
    let result = run(usual.into_iter().chain(others));
    let unlisted = unlisted(&texts.lock().unwrap());
    if unlisted.is_empty() {
        return result;
    }
    eprintln!(
        "these statements are not listed in tests/support/statements.rs:\n{}",
        unlisted.join("\n")
    );
    ExitCode::FAILURE
}

fn fresh(recorded: &RecordedTexts) -> Result<Adapters, CaseError> {
    let database = migrated_database()?;
    let store = recording(database.url(), &patient(), recorded)?;
    Ok(adapters(store, database))
}

/// Chunk size in orders: small, so that the orders of a case belong to several chunks.
const ORDERS_OF_CHUNK: i64 = 9;

fn migrated_database() -> Result<Database, CaseError> {
    Postgres::shared()?.create_prepared(|database| {
        let store = PostgresStore::connect(database.url(), &patient())?;
        // `prepare` runs on the runtime, and this thread, which runs the cases, blocks until it is
        // done.
        block_in_place(|| Handle::current().block_on(prepare(&store, database)))
    })
}

async fn prepare(store: &PostgresStore, database: &Database) -> Result<(), CaseError> {
    store.migrate().await?;
    match database.variant().tables() {
        Tables::OfService => {}
        Tables::Changed(statements) => database.execute(statements)?,
        Tables::Citus => drop(store.distribute().await?),
    }
    Ok(())
}

fn adapters(store: PostgresStore, database: Database) -> Adapters {
    let cold = store.cold();
    let add = |store: Arc<PostgresStore>, of, event| async move {
        add_endpoint_event(&store, of, event).await
    };
    shared::adapters(Arc::new(store), cold, add, database)
}

/// Tables whose rows belong to stores. Statements about other tables need not be listed: with
/// Citus, every node has a copy of them.
const TABLES_OF_STORES: [&str; 7] = [
    "store_counters",
    "orders",
    "order_words",
    "word_segments",
    "word_lists",
    "changed_words",
    "line_items",
];

/// Statements about these tables that [`samples::samples`] does not contain: the beginning of each,
/// and the reason.
const OTHERS: [(&str, &str); 3] = [
    (
        "WITH orders_are_writable",
        "a probe of writes, which reads no row of a store",
    ),
    (
        "INSERT INTO store_counters",
        "adding a store, whose id is the only value",
    ),
    (
        "UPDATE store_counters SET last_number = last_number +",
        "skipping the counters of a store by its id, after a restore",
    ),
];

/// Returns the statements in `texts` that must be listed but are not.
fn unlisted(texts: &BTreeSet<String>) -> Vec<String> {
    let mut listed = BTreeSet::new();
    samples::samples().for_each(|_, statement| {
        let shown = debug_query::<Pg, _>(&statement).to_string();
        listed.insert(text_of(&shown).to_owned());
    });
    let is_of_stores = |text: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_lowercase() && c != '_');
        words.any(|word| TABLES_OF_STORES.contains(&word))
    };
    let is_other = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        OTHERS.iter().any(|(start, _)| text.starts_with(start))
    };
    let unlisted = texts.difference(&listed);
    let unlisted = unlisted.filter(|text| is_of_stores(text) && !is_other(text));
    unlisted.cloned().collect()
}

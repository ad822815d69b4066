//! Counts the statements that connections send, so that tests can pin the number of statements per
//! operation.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use diesel::connection::{Instrumentation, InstrumentationEvent};
use pressline_kit::lock;

/// Counter of statements, shared by all connections to a database. `BEGIN` and `COMMIT` count too.
#[derive(Debug, Clone, Default)]
pub struct StatementCounter {
    total: Arc<AtomicU64>,
    texts: Option<RecordedTexts>,
}

/// Distinct SQL texts of statements, without parameter values.
pub type RecordedTexts = Arc<Mutex<BTreeSet<String>>>;

impl StatementCounter {
    /// Creates a counter that also adds the text of each statement to `texts`. For tests.
    pub fn recording(texts: &RecordedTexts) -> Self {
        Self {
            total: Arc::default(),
            texts: Some(Arc::clone(texts)),
        }
    }

    /// Returns the number of statements that the connections have sent so far.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }
}

impl Instrumentation for StatementCounter {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        let InstrumentationEvent::StartQuery { query, .. } = event else {
            return;
        };
        self.total.fetch_add(1, Ordering::Relaxed);
        if let Some(texts) = &self.texts {
            let mut texts = lock(texts);
            texts.insert(text_of(&query.to_string()).to_owned());
        }
    }
}

/// Returns the SQL text without parameter values. `shown` is diesel's `Display` output.
pub fn text_of(shown: &str) -> &str {
    let (text, _) = shown.split_once(" -- binds: ").unwrap_or((shown, ""));
    text
}

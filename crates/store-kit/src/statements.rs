//! Counts the statements that connections send, so that tests can pin how many an operation takes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use diesel::connection::{Instrumentation, InstrumentationEvent};

/// A counter that the connections of one store share. `BEGIN` and `COMMIT` are statements too.
#[derive(Debug, Clone, Default)]
pub struct StatementCounter {
    total: Arc<AtomicU64>,
    texts: Option<RecordedTexts>,
}

/// The different texts of statements, without the values of their parameters.
pub type RecordedTexts = Arc<Mutex<BTreeSet<String>>>;

impl StatementCounter {
    /// A counter that also adds the text of each statement to these, for tests.
    pub fn recording(texts: &RecordedTexts) -> Self {
        Self {
            total: Arc::default(),
            texts: Some(Arc::clone(texts)),
        }
    }

    /// Statements sent so far.
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
            let mut texts = texts.lock().unwrap_or_else(PoisonError::into_inner);
            texts.insert(text_of(&query.to_string()).to_owned());
        }
    }
}

/// The text of a statement as diesel shows it, without the values of its parameters.
pub fn text_of(shown: &str) -> &str {
    let (text, _) = shown.split_once(" -- binds: ").unwrap_or((shown, ""));
    text
}

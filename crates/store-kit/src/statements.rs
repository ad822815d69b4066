//! Counts the statements that connections send, so that tests can pin how many an operation takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use diesel::connection::{Instrumentation, InstrumentationEvent};

/// A counter that the connections of one store share. `BEGIN` and `COMMIT` are statements too.
#[derive(Debug, Clone, Default)]
pub struct StatementCounter(Arc<AtomicU64>);

impl StatementCounter {
    /// Statements sent so far.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Instrumentation for StatementCounter {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        if matches!(event, InstrumentationEvent::StartQuery { .. }) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

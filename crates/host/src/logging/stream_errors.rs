//! Drops log errors that any unknown client can cause.

use std::fmt::{self, Write};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

/// Module of actix that logs, at `ERROR`, each malformed request head and each broken connection.
const TARGET: &str = "actix_http::h1::dispatcher";
/// Prefix of the messages to drop. Other errors of the module concern the service and are kept.
const MESSAGE: &str = "stream error:";

pub(crate) struct StreamErrors {
    /// True if `log.level` names `actix_http`. The lines then help to find the client.
    shown: bool,
}

impl StreamErrors {
    pub(crate) fn for_level(level: &str) -> Self {
        Self {
            shown: level.contains("actix_http"),
        }
    }
}

impl<S: Subscriber> Layer<S> for StreamErrors {
    fn event_enabled(&self, event: &Event<'_>, _context: Context<'_, S>) -> bool {
        if self.shown || event.metadata().target() != TARGET {
            return true;
        }
        let mut message = Message::default();
        event.record(&mut message);
        !message.0.starts_with(MESSAGE)
    }
}

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            // Writing to a string cannot fail.
            let _ = write!(self.0, "{value:?}");
        }
    }
}

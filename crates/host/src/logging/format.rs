//! Formats of the log. No text of a request or file can steer a terminal or begin a line.
//!
//! tracing-subscriber escapes only messages and errors; its JSON contains C1 and format characters.

use std::fmt;

use tracing::field::Field;
use tracing::{Event, Subscriber};
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer, debug_fn};
use tracing_subscriber::registry::LookupSpan;

use crate::terminal::{escape, escape_json};

/// Formats an event's message, then `name=value` for each other field.
pub(crate) fn text_fields() -> impl for<'w> FormatFields<'w> + 'static {
    debug_fn(write_field).delimited(" ")
}

fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    let value = format!("{value:?}");
    match field.name() {
        "message" => write!(writer, "{}", escape(&value)),
        name => write!(writer, "{name}={}", escape(&value)),
    }
}

pub(crate) struct EscapedJson<F>(pub(crate) F);

impl<F, S, N> FormatEvent<S, N> for EscapedJson<F>
where
    F: FormatEvent<S, N>,
    S: Subscriber + for<'s> LookupSpan<'s>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = String::new();
        self.0
            .format_event(context, Writer::new(&mut line), event)?;
        writer.write_str(&escape_json(&line))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    const EVIL: &str = "a\u{1b}[2J\n2026 INFO fine\r\u{9b}\u{202e}";

    fn logged(subscriber: impl Subscriber + Send + Sync + 'static, lines: &Lines) -> String {
        let error = std::io::Error::other(EVIL);
        tracing::subscriber::with_default(subscriber, || {
            tracing::info!(shown = %EVIL, debugged = ?EVIL, text = EVIL, error = &error as &dyn std::error::Error, "{EVIL}");
        });
        String::from_utf8(lines.0.lock().unwrap().clone()).unwrap()
    }

    #[track_caller]
    fn assert_one_line(logged: &str) {
        let line = logged.strip_suffix('\n').unwrap();
        assert_eq!(escape(line), line);
        assert_eq!(line.matches("INFO fine").count(), 5, "{line}");
    }

    #[test]
    fn text_cannot_steer_a_terminal_or_begin_a_line() {
        let lines = Lines::default();
        let writer = lines.clone();
        let builder = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_ansi(false);
        let logged = logged(builder.fmt_fields(text_fields()).finish(), &lines);
        assert_one_line(&logged);
        assert!(
            logged.contains(" shown=a\\u{1b}[2J\\u{a}2026 INFO fine\\u{d}\\u{9b}\\u{202e} "),
            "{logged}"
        );
    }

    #[test]
    fn json_cannot_steer_a_terminal_either() {
        let lines = Lines::default();
        let writer = lines.clone();
        let builder = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .json();
        let logged = logged(
            builder
                .flatten_event(true)
                .map_event_format(EscapedJson)
                .finish(),
            &lines,
        );
        assert_one_line(&logged);
        let event: serde_json::Value = serde_json::from_str(&logged).unwrap();
        assert_eq!(
            (&event["shown"], &event["text"], &event["message"]),
            (&EVIL.into(), &EVIL.into(), &EVIL.into())
        );
    }
}

//! The log: readable text on a terminal, JSON elsewhere; always on standard error.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{Log, LogFormat};
use crate::failure::Failure;
use crate::log_format::{EscapedJson, text_fields};
use crate::stream_errors::StreamErrors;

/// Begins to log as the settings say.
pub(crate) fn start(log: &Log) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&log.level)
        .map_err(|error| Failure::Usage(format!("configuration: log.level: `{}`: {error}", log.level)))?;
    let json = match log.format {
        LogFormat::Auto => !stderr().is_terminal(),
        LogFormat::Text => false,
        LogFormat::Json => true,
    };
    let stream_errors = StreamErrors::for_level(&log.level);
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    // A second start in one process keeps the first log, which says the same.
    let _ = if json {
        let json = builder.json().flatten_event(true).with_current_span(false).with_span_list(false);
        json.map_event_format(EscapedJson).finish().with(stream_errors).try_init()
    } else {
        let text = builder.with_ansi(stderr().is_terminal()).fmt_fields(text_fields());
        text.finish().with(stream_errors).try_init()
    };
    Ok(())
}

//! Messages and a progress bar on standard error.

use indicatif::{ProgressBar, ProgressStyle};

/// Prints a line.
pub(crate) fn say(message: &str) {
    eprintln!("bench: {message}");
}

/// Returns a bar for so many orders, which is drawn on terminals only.
pub(crate) fn bar(orders: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("[{bar:40}] {pos}/{len} orders").map_or_else(
        |_| ProgressStyle::default_bar(),
        |style| style.progress_chars("#."),
    );
    ProgressBar::new(orders).with_style(style)
}

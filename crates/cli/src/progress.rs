//! Progress bar on standard error, shown on terminals only.

use std::io::stderr;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::color;

const TEMPLATE: &str = "{prefix} [{bar:40}] {percent:>3} % {pos}/{len}";

/// Returns a progress bar, drawn from its first position on. Clones draw the same bar.
///
/// It is hidden if `NO_COLOR` is set: indicatif clears lines with escape sequences in any case.
pub(crate) fn bar(title: &'static str) -> ProgressBar {
    let target = if color::is_wanted(&stderr()) {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template(TEMPLATE).map_or_else(
        |_| ProgressStyle::default_bar(),
        |style| style.progress_chars("#."),
    );
    ProgressBar::with_draw_target(None, target)
        .with_style(style)
        .with_prefix(title)
}

pub(crate) fn show(bar: &ProgressBar, done: usize, total: usize) {
    bar.set_length(total as u64);
    bar.set_position(done as u64);
}

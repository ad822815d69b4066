//! Progress bar on standard error, shown on terminals only.

use std::io::stderr;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pressline_backoffice::import::catalog::Progress;
use pressline_host::color;

const TEMPLATE: &str = "{prefix} [{bar:40}] {percent:>3} % {pos}/{len}";

/// Hides the bar unless [`color::is_wanted`], because indicatif clears lines with escape sequences
/// in any case. The bar is drawn at the first report.
pub(crate) fn bar(title: &'static str) -> (ProgressBar, Progress) {
    let target = if color::is_wanted(&stderr()) {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template(TEMPLATE).map_or_else(
        |_| ProgressStyle::default_bar(),
        |style| style.progress_chars("#."),
    );
    let bar = ProgressBar::with_draw_target(None, target)
        .with_style(style)
        .with_prefix(title);
    let moved = bar.clone();
    let follow = move |count, total| {
        moved.set_length(total as u64);
        moved.set_position(count as u64);
    };
    (bar, Arc::new(follow))
}

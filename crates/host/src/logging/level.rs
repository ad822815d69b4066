//! The filter of the log, `log.level`.

use tracing_subscriber::EnvFilter;

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Returns the error in `filter`, such as `info,pressline_http=debug`; `None` if it is valid.
///
/// The filter's parser reads an unknown word such as `loud` as a module name, and a server with
/// this filter would log nothing. Therefore a word without `=` must be a level.
pub fn problem(filter: &str) -> Option<String> {
    let right = format!(
        "use one of {}, or a filter such as info,pressline_http=debug",
        LEVELS.join(", ")
    );
    let is_level = |word: &str| LEVELS.iter().any(|level| word.eq_ignore_ascii_case(level));
    // Only the parser knows the syntax of directives for spans.
    if !filter.contains('[') {
        for directive in filter.split(',') {
            let level = directive
                .rsplit_once('=')
                .map_or(directive, |(_, level)| level)
                .trim();
            if !is_level(level) {
                return Some(format!("`{level}` is not a level; {right}"));
            }
        }
    }
    EnvFilter::try_new(filter)
        .err()
        .map(|error| format!("`{filter}` is not a filter ({error}); {right}"))
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn a_filter_has_known_levels() {
        for filter in [
            "info",
            "OFF",
            "warn,actix_server=error",
            "info,pressline_http[request]=debug",
        ] {
            assert_eq!(problem(filter), None, "{filter}");
        }
        for filter in [
            "",
            "loud",
            "info,loud",
            "pressline_http",
            "pressline_http=loud",
            "info,",
            "[x",
        ] {
            let problem = problem(filter).unwrap_or_else(|| panic!("{filter} is accepted"));
            assert!(
                problem.contains("off, error, warn, info, debug, trace"),
                "{problem}"
            );
        }
    }
}

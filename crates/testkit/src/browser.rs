//! Finds a browser and its WebDriver; installs both if the environment permits it.

use std::env;
use std::path::PathBuf;
use std::sync::LazyLock;

use crate::fetch;
use crate::tool::find_program;

/// Environment variable that permits to install the browser: `system`.
const FETCH_VARIABLE: &str = "PRESSLINE_TEST_BROWSER_FETCH";
const DRIVER: &str = "chromedriver";
/// Programs that the driver can start on Linux.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
/// Debian's packages of both.
const PACKAGES: &[&str] = &["chromium", "chromium-driver"];

/// Returns the driver of Chromium, if `PATH` has both. With `PRESSLINE_TEST_BROWSER_FETCH=system`, and as root
/// on Debian and its like, `apt-get` installs them, once for a program.
///
/// # Errors
/// The reason why one of them is missing.
pub fn browser_driver() -> Result<PathBuf, String> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(find);
    FOUND.clone()
}

fn find() -> Result<PathBuf, String> {
    let found = find_both();
    if found.is_ok() || env::var_os(FETCH_VARIABLE).is_none_or(|value| value != "system") {
        return found;
    }
    fetch::apt_get("browser", PACKAGES)?;
    find_both()
}

fn find_both() -> Result<PathBuf, String> {
    let missing = |program| format!("there is no `{program}` in PATH");
    let driver = find_program(DRIVER).ok_or_else(|| missing(DRIVER))?;
    // Browsers of macOS are not in PATH; the driver knows their folders.
    if cfg!(target_os = "linux") && !BROWSERS.iter().any(|name| find_program(name).is_some()) {
        return Err(missing(BROWSERS[0]));
    }
    Ok(driver)
}

//! Finds the driver of a browser, and installs both where that is allowed.

use std::env;
use std::path::PathBuf;
use std::sync::LazyLock;

use crate::fetch;
use crate::tool::find_program;

/// Says whether the browser may be installed: `system`.
const FETCH_VARIABLE: &str = "PRESSLINE_TEST_BROWSER_FETCH";
/// The program of the driver.
const DRIVER: &str = "chromedriver";
/// The packages of Debian and its like: the driver depends on the browser.
const PACKAGES: &[&str] = &["chromium-driver"];

/// Returns the driver of Chromium, in `PATH`. With `PRESSLINE_TEST_BROWSER_FETCH=system`, and as root
/// on Debian and its like, `apt-get` installs it, once for a program.
///
/// # Errors
/// The reason why there is none.
pub fn browser_driver() -> Result<PathBuf, String> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(find);
    FOUND.clone()
}

fn find() -> Result<PathBuf, String> {
    if let Some(driver) = find_program(DRIVER) {
        return Ok(driver);
    }
    if env::var_os(FETCH_VARIABLE).is_none_or(|value| value != "system") {
        return Err(format!("there is no `{DRIVER}` in PATH"));
    }
    fetch::apt_get("browser", PACKAGES)?;
    find_program(DRIVER)
        .ok_or_else(|| format!("chromium-driver is installed, but has no `{DRIVER}`"))
}

//! Finds the WebDriver of a browser; installs both if the environment permits it.

use std::env;
use std::path::PathBuf;
use std::sync::LazyLock;

use crate::fetch;
use crate::tool::find_program;

/// Environment variable that permits to install the browser: `system`.
const FETCH_VARIABLE: &str = "PRESSLINE_TEST_BROWSER_FETCH";
const DRIVER: &str = "chromedriver";
/// Debian packages; the driver depends on the browser.
const PACKAGES: &[&str] = &["chromium-driver"];

/// Returns the driver of Chromium from `PATH`. With `PRESSLINE_TEST_BROWSER_FETCH=system`, and as
/// root on Debian or a derivative, `apt-get` installs it, once per process.
///
/// # Errors
/// A message that says why there is no driver.
pub fn browser_driver() -> Result<PathBuf, String> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(find);
    FOUND.clone()
}

fn find() -> Result<PathBuf, String> {
    if let Some(driver) = find_program(DRIVER) {
        return Ok(driver);
    }
    // Only on request, because the installation changes the machine.
    if env::var_os(FETCH_VARIABLE).is_none_or(|value| value != "system") {
        return Err(format!("there is no `{DRIVER}` in PATH"));
    }
    fetch::apt_get("browser", PACKAGES)?;
    find_program(DRIVER)
        .ok_or_else(|| format!("chromium-driver is installed, but has no `{DRIVER}`"))
}

//! The settings of production.

use pressline_backoffice::production::Steps;
use serde::{Deserialize, Serialize};

use super::problem::{ConfigError, wrong};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Production {
    pub(crate) steps: Vec<String>,
}

impl Production {
    pub(crate) fn steps(&self) -> Result<Steps, ConfigError> {
        Steps::parse(&self.steps).map_err(|error| wrong("production.steps", error))
    }
}

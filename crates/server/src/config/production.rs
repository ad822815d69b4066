//! The settings of production.

use pressline_backoffice::production::Steps;
use serde::{Deserialize, Serialize};

use super::{ConfigError, Settings, wrong};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Production {
    pub(crate) steps: Vec<String>,
}

impl Settings {
    pub(crate) fn steps(&self) -> Result<Steps, ConfigError> {
        Steps::parse(&self.production.steps).map_err(|error| wrong("production.steps", error))
    }
}

//! Event contents as short JSON.

use pressline_domain::error::Source;
use pressline_domain::event::{EventBodies, EventToWrite};

pub(crate) struct ShortBodies;

impl EventBodies for ShortBodies {
    fn write(&self, event: &EventToWrite<'_>) -> Result<Vec<u8>, Source> {
        let sequence = event.content.sequence();
        let order = event
            .content
            .identity()
            .map(|identity| identity.id.to_string());
        let order = order.unwrap_or_default();
        Ok(format!(r#"{{"sequence":{sequence},"order":"{order}"}}"#).into_bytes())
    }
}

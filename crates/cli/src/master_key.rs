//! `pressline master-key`: replaces the master key.

use std::path::PathBuf;

use pressline_domain::store::KeyOwner;
use pressline_domain::value::KeyId;
use serde::Serialize;

use crate::arguments::MasterKeyCommand;
use crate::error::Result;
use crate::output::Output;
use crate::services::{ConfiguredProgram, Rotation};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rotated {
    master_key_id: String,
    resealed: u64,
    unchanged: u64,
    unreadable: u64,
    unreadable_keys: Vec<UnreadableKey>,
    /// `None` if the master key is in the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_key_file: Option<PathBuf>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UnreadableKey {
    #[serde(skip_serializing_if = "Option::is_none")]
    store_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_id: Option<String>,
    key_id: String,
    reason: String,
    // Only for the text: in JSON, the ids above name the owner.
    #[serde(skip)]
    owner: String,
}

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    command: &MasterKeyCommand,
    output: &Output,
) -> Result {
    let MasterKeyCommand::Rotate = command;
    let rotation = program.rotate_master_key().await?;
    let rotated = Rotated::from(rotation);
    output.print(&rotated, || rotated.text())
}

impl From<Rotation> for Rotated {
    fn from(rotation: Rotation) -> Self {
        let report = rotation.report;
        let unreadable = report.examples.into_iter();
        Self {
            master_key_id: rotation.master_key.to_string(),
            resealed: report.resealed,
            unchanged: report.unchanged,
            unreadable: report.unreadable,
            unreadable_keys: unreadable
                .map(|(owner, key, reason)| UnreadableKey::new(owner, key, reason))
                .collect(),
            previous_key_file: rotation.previous_key_file,
        }
    }
}

impl UnreadableKey {
    fn new(owner: KeyOwner, key: KeyId, reason: String) -> Self {
        let (store, endpoint) = match owner {
            KeyOwner::Store(store) => (Some(store), None),
            KeyOwner::Endpoint(endpoint) => (None, Some(endpoint)),
        };
        Self {
            store_id: store.map(|id| id.to_string()),
            webhook_id: endpoint.map(|id| id.to_string()),
            key_id: key.to_string(),
            reason,
            owner: owner.to_string(),
        }
    }
}

impl Rotated {
    fn text(&self) -> String {
        let (id, resealed, unchanged) = (&self.master_key_id, self.resealed, self.unchanged);
        let mut lines = vec![format!(
            "The master key {id} seals now. Keys sealed with it: {resealed}; sealed with it before: {unchanged}."
        )];
        // Nothing was rotated: probably no new key is configured.
        if resealed == 0 && unchanged > 0 && self.previous_key_file.is_none() {
            lines.push(
                "To replace it, set auth.master_key to a new key and auth.previous_master_key to this one."
                    .to_owned(),
            );
        }
        if let Some(path) = &self.previous_key_file {
            lines.push(format!(
                "The previous key is in {}. Older backups need it; remove it when none of them is left.",
                path.display()
            ));
        }
        if self.unreadable > 0 {
            lines.push(format!(
                "Keys that cannot be opened and were left as they are: {}.",
                self.unreadable
            ));
        }
        for key in &self.unreadable_keys {
            let (owner, id, reason) = (&key.owner, &key.key_id, &key.reason);
            lines.push(format!("  {owner}, key {id}: {reason}"));
        }
        lines.join("\n")
    }
}

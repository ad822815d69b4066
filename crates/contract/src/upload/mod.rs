//! Cases about uploaded files that wait for their import.

use pressline_backoffice::operator::{Upload, UploadKey};
use pressline_domain::value::{OperatorId, UploadId};

use crate::check::same;
use crate::random::Random;
use crate::samples::at;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_kept_file_is_found_as_given,
    files_of_operators_are_apart,
    an_operator_keeps_its_newest_files,
    a_removed_file_is_gone,
    only_old_files_are_pruned,
];

fn key(random: &mut Random) -> UploadKey {
    UploadKey {
        operator: OperatorId::new(random.uuid()),
        upload: UploadId::new(random.uuid()),
    }
}

/// Returns the key of another file of the same operator.
fn another(key: UploadKey, random: &mut Random) -> UploadKey {
    UploadKey {
        upload: UploadId::new(random.uuid()),
        ..key
    }
}

fn file(name: &str) -> Upload {
    Upload {
        kind: "/console/shipments/import".to_owned(),
        name: name.to_owned(),
        // Bytes that are not valid UTF-8.
        bytes: (0..=255).cycle().take(3000).collect(),
    }
}

async fn a_kept_file_is_found_as_given(adapters: Adapters) -> CaseResult {
    let key = key(&mut Random::new());
    let uploads = &adapters.uploads;
    same("before", &uploads.upload(key).await?, &None)?;
    let given = file("ä 'parcels' %.csv");
    uploads.keep_upload(key, &given, at(0), 3).await?;
    same("kept", &uploads.upload(key).await?, &Some(given))
}

async fn files_of_operators_are_apart(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let own = key(random);
    let other = UploadKey {
        operator: OperatorId::new(random.uuid()),
        ..own
    };
    let uploads = &adapters.uploads;
    uploads.keep_upload(own, &file("own"), at(0), 1).await?;
    same("the other's", &uploads.upload(other).await?, &None)?;
    uploads.keep_upload(other, &file("other"), at(1), 1).await?;
    uploads.remove_upload(other).await?;
    same("own", &uploads.upload(own).await?, &Some(file("own")))
}

async fn an_operator_keeps_its_newest_files(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let uploads = &adapters.uploads;
    let first = key(random);
    let keys = [first, another(first, random), another(first, random)];
    for (millis, key) in (0..).zip(keys) {
        uploads.keep_upload(key, &file("x"), at(millis), 2).await?;
    }
    let mut found = Vec::new();
    for key in keys {
        found.push(uploads.upload(key).await?.is_some());
    }
    same("the newest two", &found, &vec![false, true, true])
}

async fn a_removed_file_is_gone(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let uploads = &adapters.uploads;
    let removed = key(random);
    let kept = another(removed, random);
    for key in [removed, kept] {
        uploads.keep_upload(key, &file("x"), at(0), 3).await?;
    }
    // Removing a file twice is not an error.
    for _ in 0..2 {
        uploads.remove_upload(removed).await?;
    }
    same("removed", &uploads.upload(removed).await?, &None)?;
    same("kept", &uploads.upload(kept).await?, &Some(file("x")))
}

async fn only_old_files_are_pruned(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let uploads = &adapters.uploads;
    let mut keys = Vec::new();
    for millis in 0..5 {
        let key = key(random);
        uploads.keep_upload(key, &file("x"), at(millis), 3).await?;
        keys.push(key);
    }
    same("at most two", &uploads.prune_uploads(at(3), 2).await?, &2)?;
    same("the rest", &uploads.prune_uploads(at(3), 10).await?, &1)?;
    for key in keys.split_off(3) {
        let found = uploads.upload(key).await?;
        same("not before the moment", &found, &Some(file("x")))?;
    }
    Ok(())
}

//! Decodes bytes in a child process.

use std::io::{Error, Seek, Write};

use libtest_mimic::Failed;
use pressline_backoffice::media::{Decoded, FileDecoder};
use pressline_domain::media::FileHash;
use pressline_media::{Bounds, ChildDecoder};
use sha2::{Digest, Sha256};

/// Decodes `bytes` with little processor time, so that endless files end soon.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, Failed> {
    let bounds = Bounds {
        seconds: 2,
        ..Bounds::default()
    };
    decode_within(bounds, bytes)
}

pub(crate) fn decode_within(bounds: Bounds, bytes: &[u8]) -> Result<Decoded, Failed> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    let hash = FileHash::new(Sha256::digest(bytes).into());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let decoded = runtime.block_on(async {
        // Within the runtime, because it observes the child's end.
        let decoder = ChildDecoder::of_this_program(bounds, 1)?;
        decoder.decode(file, hash).await.map_err(Error::other)
    })?;
    if decoded.facts.sha256 != hash {
        return Err("the facts belong to another file".into());
    }
    Ok(decoded)
}

//! Unique names and passwords.

use std::fs::File;
use std::io::Read;

use crate::TestkitError;

/// Returns 32 hexadecimal digits from the operating system's generator.
pub(crate) fn hex() -> Result<String, TestkitError> {
    let mut bytes = [0_u8; 16];
    File::open("/dev/urandom")
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(TestkitError::io("reading /dev/urandom"))?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

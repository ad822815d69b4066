//! Telling an honest retry of a create request from another request under the same order id.

use sha2::{Digest, Sha256};

/// The version of the canonical form, which stands in front of every fingerprint. Whoever changes
/// the form gives it a new number, and keeps the way to make the old one for orders that have it.
///
/// Form 2: texts without the white space around them, with tabs and line breaks as spaces.
pub const FORM: u8 = 2;

/// A digest of the canonical form of a create request.
///
/// The canonical form lists the path and the value of every known field that has one, in a fixed
/// order; it does not depend on white space around texts or between tokens, order of keys, `null`
/// and blank texts against absent fields, or `20.0` against `20`. Beside the digest of the whole, a
/// short hash of each path and value shows which of them differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<u8>", into = "Vec<u8>"))]
pub struct Fingerprint {
    digest: [u8; 32],
    leaves: Vec<(u16, u16)>,
}

/// The stored bytes are no fingerprint of a known form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a request fingerprint of form {FORM}")]
pub struct InvalidFingerprint;

/// Room for the canonical form of an order with a few items, in bytes.
const USUAL_FORM: usize = 8 * 1024;
const USUAL_LEAVES: usize = 64;

pub(crate) struct Builder {
    /// The canonical form, hashed in one call: hashing about 60 leaves one by one takes longer.
    form: Vec<u8>,
    leaves: Vec<(u16, u16)>,
    paths: Option<Vec<String>>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            form: Vec::with_capacity(USUAL_FORM),
            leaves: Vec::with_capacity(USUAL_LEAVES),
            paths: None,
        }
    }
}

impl Builder {
    pub(crate) fn with_paths() -> Self {
        Self {
            paths: Some(Vec::new()),
            ..Self::default()
        }
    }

    pub(crate) fn leaf(&mut self, path: &str, value: &str) {
        for part in [path, value] {
            // The length in front keeps two neighbouring parts from being read as two others.
            self.form.extend((part.len() as u64).to_be_bytes());
            self.form.extend(part.as_bytes());
        }
        self.leaves.push((short_hash(path), short_hash(value)));
        if let Some(paths) = &mut self.paths {
            paths.push(path.to_owned());
        }
    }

    pub(crate) fn finish(self) -> Fingerprint {
        Fingerprint {
            digest: Sha256::digest(&self.form).into(),
            leaves: self.leaves,
        }
    }

    /// Returns the remembered paths and `candidates` with other values than in `stored`.
    pub(crate) fn differing(
        self,
        stored: &Fingerprint,
        candidates: impl IntoIterator<Item = String>,
    ) -> Vec<String> {
        let paths = self.paths.unwrap_or_default();
        let differing = paths.into_iter().zip(&self.leaves);
        let differing = differing.filter(|(_, leaf)| !stored.leaves.contains(leaf));
        let mut differing: Vec<String> = differing.map(|(path, _)| path).collect();
        let mut gone: Vec<u16> = stored.leaves.iter().map(|leaf| leaf.0).collect();
        gone.retain(|path| !self.leaves.iter().any(|leaf| leaf.0 == *path));
        let candidates = candidates.into_iter();
        differing.extend(candidates.filter(|path| gone.contains(&short_hash(path))));
        differing
    }
}

impl Fingerprint {
    /// The bytes to keep: the version of the form, the digest, the short hashes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.byte_len());
        bytes.push(FORM);
        bytes.extend(self.digest);
        for (path, value) in &self.leaves {
            bytes.extend(path.to_be_bytes());
            bytes.extend(value.to_be_bytes());
        }
        bytes
    }

    pub(crate) fn byte_len(&self) -> usize {
        33 + self.leaves.len() * 4
    }

    /// Reads what [`Fingerprint::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`InvalidFingerprint`] for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidFingerprint> {
        let rest = bytes.strip_prefix(&[FORM]).ok_or(InvalidFingerprint)?;
        let (digest, rest) = rest.split_first_chunk::<32>().ok_or(InvalidFingerprint)?;
        let (pairs, []) = rest.as_chunks::<4>() else {
            return Err(InvalidFingerprint);
        };
        let leaves = pairs
            .iter()
            .map(|[a, b, c, d]| (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d])))
            .collect();
        Ok(Self {
            digest: *digest,
            leaves,
        })
    }

    pub(crate) fn same_request(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

/// FNV-1a of 32 bits, folded to 16: stable for ever, and no more than a hint, as the digest decides. An
/// order has about 60 leaves, so that each byte of a hash is more than a hundred bytes of every order.
///
/// Source: RFC 9923.
fn short_hash(text: &str) -> u16 {
    let hash = text.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let [a, b, c, d] = hash.to_be_bytes();
    u16::from_be_bytes([a ^ c, b ^ d])
}

#[cfg(test)]
mod tests {
    use crate::order::fingerprint::*;

    fn built(leaves: &[(&str, &str)]) -> Builder {
        let mut builder = Builder::with_paths();
        for (path, value) in leaves {
            builder.leaf(path, value);
        }
        builder
    }

    #[test]
    fn kept_bytes_are_read_back() {
        let fingerprint = built(&[("order_id", "A"), ("email", "a@example.com")]).finish();
        let bytes = fingerprint.to_bytes();
        assert_eq!(bytes.len(), 33 + 8);
        assert_eq!(Fingerprint::from_bytes(&bytes), Ok(fingerprint));
        assert_eq!(
            Fingerprint::from_bytes(&bytes[..40]),
            Err(InvalidFingerprint)
        );
        assert_eq!(Fingerprint::from_bytes(&[9; 49]), Err(InvalidFingerprint));
        assert_eq!(Fingerprint::from_bytes(&[]), Err(InvalidFingerprint));
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        let one = built(&[("ab", "c")]).finish();
        assert!(!one.same_request(&built(&[("a", "bc")]).finish()));
    }

    #[test]
    fn differing_paths_are_changed_added_and_removed() {
        let stored = built(&[("order_id", "A"), ("email", "x"), ("zip", "1")]).finish();
        let now = built(&[("order_id", "A"), ("zip", "2"), ("city", "B")]);
        let candidates = ["order_id", "email", "zip", "city"].map(str::to_owned);
        assert_eq!(now.differing(&stored, candidates), ["zip", "city", "email"]);
    }
}

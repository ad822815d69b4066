//! Distinguishes a retry of a create request from another request with the same order id.

use sha2::{Digest, Sha256};

/// Version of the canonical form of create requests, the first byte of every fingerprint. A change
/// of the form needs a new version; orders with the old form must still be compared by it. Form 2:
/// texts without surrounding white space, with tabs and line breaks as spaces.
pub const FORM: u8 = 2;

/// A digest of the canonical form of a create request.
///
/// The canonical form lists path and value of every known field that has a value, in a fixed order.
/// It does not change with white space around texts or between tokens, with the order of keys, with
/// `null` or blank texts instead of absent fields, or with `20.0` instead of `20`. In addition to
/// the digest, a short hash of each path and value shows the fields that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Vec<u8>", into = "Vec<u8>"))]
pub struct Fingerprint {
    digest: [u8; 32],
    leaves: Vec<(u16, u16)>,
}

/// Error for bytes that do not have the form and length of a fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a request fingerprint of form {FORM}")]
pub struct InvalidFingerprint;

/// Initial capacity for the canonical form of an order with a few items, in bytes.
const USUAL_FORM: usize = 8 * 1024;
// An order has about 60 fields with a value.
const USUAL_LEAVES: usize = 64;

pub(crate) struct Builder {
    /// Hashed in a single call instead of a call for each value.
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
            // Without the length in front, `ab` and `c` would equal `a` and `bc`.
            self.form.extend((part.len() as u64).to_be_bytes());
            self.form.extend(part.as_bytes());
        }
        self.leaves.push((short_hash(path), short_hash(value)));
        // Only needed to name the differences between two requests.
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

    /// Fields that only `stored` has are found among the paths `candidates`.
    pub(crate) fn differing(
        self,
        stored: &Fingerprint,
        candidates: impl IntoIterator<Item = String>,
    ) -> Vec<String> {
        let paths = self.paths.unwrap_or_default();
        let mut differing: Vec<String> = paths
            .into_iter()
            .zip(&self.leaves)
            .filter(|(_, leaf)| !stored.leaves.contains(leaf))
            .map(|(path, _)| path)
            .collect();
        // Only hashes of the stored paths are known.
        let mut gone: Vec<u16> = stored.leaves.iter().map(|leaf| leaf.0).collect();
        gone.retain(|path| !self.leaves.iter().any(|leaf| leaf.0 == *path));
        let candidates = candidates.into_iter();
        differing.extend(candidates.filter(|path| gone.contains(&short_hash(path))));
        differing
    }
}

impl Fingerprint {
    /// Returns the bytes to store: version of the form, digest, short hashes.
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
        // A byte of the version, 32 bytes of the digest, and two hashes of 2 bytes for each leaf.
        33 + self.leaves.len() * 4
    }

    /// Parses `bytes` from [`Fingerprint::to_bytes`].
    ///
    /// # Errors
    /// [`InvalidFingerprint`] if `bytes` have another form or length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidFingerprint> {
        let content = bytes.strip_prefix(&[FORM]).ok_or(InvalidFingerprint)?;
        let (digest, rest) = content
            .split_first_chunk::<32>()
            .ok_or(InvalidFingerprint)?;
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

/// Returns the 32-bit FNV-1a hash (RFC 9923) of `text`, folded to 16 bits. Must never change,
/// because short hashes are stored. They only show fields that differ; the digest decides whether
/// requests are equal. An order has two hashes for each of about 60 fields, so each further byte of
/// a hash would cost more than a hundred bytes per order.
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

//! Signatures, keys and their sealing: the HMAC signer and the authenticator.

//! Keys, signatures, passwords and authenticators, beyond the contract suite.

#[cfg(test)]
mod authenticator;
#[cfg(test)]
mod master_key;
#[cfg(test)]
mod passwords;
#[cfg(test)]
mod sealing;
#[cfg(test)]
mod signer;
#[cfg(test)]
mod tokens;
#[cfg(test)]
mod watch;

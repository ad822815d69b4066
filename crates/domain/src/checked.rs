//! Values whose rules are checked once, when they are made.

use std::error::Error;
use std::fmt;
use std::ops::Deref;

/// Parts that break no rule. They can be read, but not changed in place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Checked<P>(P);

/// The rules of some parts.
pub trait Rules {
    /// A rule that parts can break.
    type Broken: Error;

    /// Returns the rules that these parts break, in the order of the parts.
    fn broken(&self) -> Vec<Self::Broken>;
}

pub(crate) fn rules_broken<B>(checks: impl IntoIterator<Item = (bool, B)>) -> Vec<B> {
    let broken = checks.into_iter().filter(|(is_broken, _)| *is_broken);
    broken.map(|(_, rule)| rule).collect()
}

/// All rules that some parts break; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid<B>(pub Vec<B>);

impl<B: fmt::Display> fmt::Display for Invalid<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, broken) in self.0.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(f, "{separator}{broken}")?;
        }
        Ok(())
    }
}

impl<B: Error> Error for Invalid<B> {}

impl<P: Rules> Checked<P> {
    /// Makes a value of its parts.
    ///
    /// # Errors
    /// [`Invalid`] has every rule that the parts break.
    pub fn new(parts: P) -> Result<Self, Invalid<P::Broken>> {
        let broken = parts.broken();
        if broken.is_empty() {
            Ok(Self(parts))
        } else {
            Err(Invalid(broken))
        }
    }

    /// Returns the value with some of its parts changed.
    ///
    /// # Errors
    /// [`Invalid`] has every rule that the parts then break.
    pub fn changed(&self, change: impl FnOnce(&mut P)) -> Result<Self, Invalid<P::Broken>>
    where
        P: Clone,
    {
        let mut parts = self.0.clone();
        change(&mut parts);
        Self::new(parts)
    }
}

impl<P> Checked<P> {
    /// Makes a value of parts that are known to break no rule, such as constants.
    pub(crate) fn constant(parts: P) -> Self {
        Self(parts)
    }
}

impl<P> Deref for Checked<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.0
    }
}

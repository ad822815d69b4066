//! Values that are checked once, when they are created.

use std::error::Error;
use std::fmt;
use std::ops::Deref;

/// A value that breaks none of the [`Rules`] of `P`. Its fields cannot be changed in place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Checked<P>(P);

/// Type with public fields and with rules for their values. [`Checked::new`] checks the rules.
pub trait Rules {
    /// Error that describes a broken rule of the type.
    type Broken: Error;

    /// Returns the rules that the value breaks; empty if the value is valid.
    fn broken(&self) -> Vec<Self::Broken>;
}

pub(crate) fn rules_broken<B>(checks: impl IntoIterator<Item = (bool, B)>) -> Vec<B> {
    let broken = checks.into_iter().filter(|(is_broken, _)| *is_broken);
    broken.map(|(_, rule)| rule).collect()
}

/// All rules that a value breaks; at least one.
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
    /// Checks `parts` and wraps them.
    ///
    /// # Errors
    /// [`Invalid`] lists all rules that `parts` breaks.
    pub fn new(parts: P) -> Result<Self, Invalid<P::Broken>> {
        let broken = parts.broken();
        if broken.is_empty() {
            Ok(Self(parts))
        } else {
            Err(Invalid(broken))
        }
    }

    /// Returns a copy with the changes that `change` makes.
    ///
    /// # Errors
    /// [`Invalid`] lists all rules that the changed value breaks.
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
    /// Makes no check. Only for values that certainly break no rule, such as constants.
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

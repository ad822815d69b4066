//! The fees of an order and their sum.

use crate::money::{Amount, MoneyError};

/// The fees of an order. `None` is a fee that does not apply or is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fees {
    /// For handling a prepared label.
    pub handle: Option<Amount>,
    /// Extra fees of the print areas in use.
    pub surcharge: Option<Amount>,
    /// Anything else.
    pub other: Option<Amount>,
    /// Anything else about shipping.
    pub other_shipping: Option<Amount>,
    /// Unit costs times quantities.
    pub product: Option<Amount>,
    /// Shipping by the rate table.
    pub shipping: Option<Amount>,
}

impl Fees {
    /// The sum of the fees that are not `None`.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] where it does not fit.
    pub fn total(&self) -> Result<Amount, MoneyError> {
        [self.handle, self.surcharge, self.other, self.other_shipping, self.product, self.shipping]
            .into_iter()
            .flatten()
            .try_fold(Amount::ZERO, Amount::plus)
    }
}

//! The fees of an order and their sum.

use crate::money::{Amount, MoneyError};
use crate::order::OrderKind;

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
    /// The fees that belong into the total of an order of this kind but are not known, by their names in answers.
    pub fn missing(&self, kind: &OrderKind) -> impl Iterator<Item = &'static str> {
        let needed = match kind {
            OrderKind::Manual => [
                Some(("productCost", self.product)),
                Some(("shippingFee", self.shipping)),
                Some(("surchargeFee", self.surcharge)),
            ],
            OrderKind::Label { .. } => [Some(("handleFee", self.handle)), None, None],
        };
        needed.into_iter().flatten().filter(|(_, fee)| fee.is_none()).map(|(name, _)| name)
    }

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

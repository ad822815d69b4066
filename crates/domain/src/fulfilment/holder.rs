//! The party that put an item on hold.

pressline_kit::named! {
    /// The party that put an item on hold.
    pub enum Holder {
        /// The store, also if an operator approved the store's request for the hold.
        Store = "store",
        /// An operator of the print shop.
        Operator = "operator",
    }
}

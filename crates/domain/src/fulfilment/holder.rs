//! The party that holds an item.

pressline_kit::named! {
    /// The party that holds an item.
    pub enum Holder {
        /// The store, also if an operator approved the hold that the store had requested.
        Store = "store",
        /// An operator of the print shop.
        Operator = "operator",
    }
}

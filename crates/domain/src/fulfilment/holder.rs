//! Who holds an item.

pressline_kit::named! {
    /// Who holds an item.
    pub enum Holder {
        /// The store, also where the shop approved the hold that the store had asked for.
        Store = "store",
        /// An operator.
        Operator = "operator",
    }
}

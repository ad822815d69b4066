//! Tables of products and prices, with a row for each time that they have changed.

/// `until` of a row whose end is not known.
pub(super) const FOREVER: i64 = i64::MAX;

diesel::table! {
    product_rows (row_id) {
        row_id -> BigInt,
        /// The first generation that has the row.
        since -> BigInt,
        /// The first generation that no longer has it.
        until -> BigInt,
        /// The row of its search words.
        words_id -> BigInt,
        sku -> Text,
        retired -> Bool,
    }
}

diesel::table! {
    price_rows (store_id, sku, currency, valid_from, since) {
        store_id -> Text,
        sku -> Text,
        currency -> Text,
        valid_from -> BigInt,
        /// The first generation that has the row.
        since -> BigInt,
        /// The first generation that no longer has it.
        until -> BigInt,
    }
}

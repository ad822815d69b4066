//! Tables of products and prices, with one row for each of their versions.

/// Value of `until` in current rows, that is, rows that no import has replaced or removed.
pub(super) const FOREVER: i64 = i64::MAX;

diesel::table! {
    product_rows (row_id) {
        row_id -> BigInt,
        /// First generation of the catalog with the row.
        since -> BigInt,
        /// First generation of the catalog without the row.
        until -> BigInt,
        /// `rowid` of the variant's search words in `product_words`.
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
        /// First generation of the catalog with the row.
        since -> BigInt,
        /// First generation of the catalog without the row.
        until -> BigInt,
    }
}

//! The tables for diesel, without the columns of search words: SQLite and PostgreSQL store search
//! words in different forms.
#![expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]

order_columns!(define_table! orders (store_id, id));

item_columns!(define_table! line_items (store_id, order_uuid, position));

state_columns!(define_table! order_states (store_id, id));

event_columns!(define_table! order_events (store_id, sequence));

shipment_columns!(define_table! shipments (store_id, order_uuid, position));

correction_columns!(define_table! fee_corrections (store_id, order_uuid, position));

variant_columns!(define_table! products (sku));

price_columns!(define_table! prices (store_id, sku, currency, valid_from));

diesel::table! {
    shipping_rates (id) {
        id -> Integer,
        document -> Text,
    }
}

diesel::table! {
    fee_schedules (store_id) {
        store_id -> Text,
        document -> Text,
    }
}

diesel::table! {
    catalog_version (id) {
        id -> Integer,
        version -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(
    orders,
    line_items,
    order_states,
    order_events,
    shipments,
    fee_corrections,
    products,
    prices,
    shipping_rates,
    fee_schedules,
    catalog_version,
);

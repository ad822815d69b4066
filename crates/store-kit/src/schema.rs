//! The tables as diesel sees them in both databases. Search words are missing here,
//! because each database stores them in a form of its own.
#![expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]

store_columns!(define_table! stores (store_id));

key_columns!(define_table! store_keys (store_id, key_id));

diesel::table! {
    sealing_key (id) {
        id -> Integer,
        master_key_id -> Text,
    }
}

diesel::table! {
    store_counters (store_id) {
        store_id -> Text,
        last_number -> BigInt,
    }
}

order_columns!(define_table! orders (store_id, id));

item_columns!(define_table! line_items (store_id, order_uuid, position));

state_columns!(define_table! order_states (store_id, id));

event_columns!(define_table! order_events (store_id, sequence));

shipment_columns!(define_table! shipments (store_id, order_uuid, position));

correction_columns!(define_table! fee_corrections (store_id, order_uuid, position));

note_columns!(define_table! order_notes (store_id, order_uuid, note_id));

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

operator_columns!(define_table! operators (operator_id));

operator_token_columns!(define_table! operator_tokens (token_id));

account_columns!(define_table! operator_accounts (operator_id));

session_columns!(define_table! operator_sessions (session_id));

link_columns!(define_table! sign_in_links (digest));

audit_columns!(define_table! audit_entries (entry_id));

form_columns!(define_table! form_results (operator_id, form_id));

endpoint_columns!(define_table! webhook_endpoints (endpoint_id));

secret_columns!(define_table! webhook_secrets (endpoint_id, key_id));

delivery_columns!(define_table! webhook_deliveries (store_id, delivery_id));

diesel::allow_tables_to_appear_in_same_query!(
    stores,
    store_keys,
    store_counters,
    orders,
    line_items,
    order_states,
    order_events,
    shipments,
    fee_corrections,
    order_notes,
    products,
    prices,
    shipping_rates,
    fee_schedules,
    catalog_version,
    operators,
    operator_tokens,
    operator_accounts,
    operator_sessions,
    sign_in_links,
    audit_entries,
    form_results,
    webhook_endpoints,
    webhook_secrets,
    webhook_deliveries
);

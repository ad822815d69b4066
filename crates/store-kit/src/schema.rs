//! The tables as diesel sees them in both databases. Search words are each store's own and do not
//! stand here.
#![expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]

diesel::table! {
    stores (store_id) {
        store_id -> Text,
        name -> Text,
        prefix -> Text,
        currency -> Text,
        strict_catalog -> Bool,
        require_timestamp -> Bool,
        allow_unsigned_search -> Bool,
        enabled -> Bool,
        created_at -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    store_keys (store_id, key_id) {
        store_id -> Text,
        key_id -> Text,
        position -> Integer,
        sealed -> Binary,
        sealed_with -> Text,
        created_at -> BigInt,
    }
}

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

diesel::table! {
    orders (store_id, id) {
        store_id -> Text,
        id -> Text,
        order_id -> Text,
        prefix -> Text,
        number -> BigInt,
        kind -> Text,
        label_url -> Nullable<Text>,
        source -> Text,
        version -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        currency -> Text,
        email -> Nullable<Text>,
        shipping_address -> Nullable<Text>,
        billing_address -> Nullable<Text>,
        customer_first_name -> Nullable<Text>,
        customer_last_name -> Nullable<Text>,
        production_note -> Nullable<Text>,
        handle_fee -> Nullable<BigInt>,
        surcharge_fee -> Nullable<BigInt>,
        other_fee -> Nullable<BigInt>,
        other_shipping_fee -> Nullable<BigInt>,
        product_cost -> Nullable<BigInt>,
        shipping_fee -> Nullable<BigInt>,
        fingerprint -> Binary,
        fee_lines -> Text,
        priced_at -> BigInt,
        size -> Integer,
    }
}

diesel::table! {
    line_items (store_id, order_uuid, position) {
        store_id -> Text,
        order_uuid -> Text,
        position -> Integer,
        id -> Text,
        ref_id -> Nullable<Text>,
        name -> Nullable<Text>,
        name_given -> Bool,
        sku -> Text,
        quantity -> Integer,
        ship_class -> Nullable<Text>,
        file_urls -> Text,
        mockup_images -> Text,
        areas -> Text,
        status -> Nullable<Text>,
        unit_cost -> Nullable<BigInt>,
    }
}

diesel::table! {
    products (sku) {
        sku -> Text,
        name -> Text,
        price -> Nullable<BigInt>,
        currency -> Text,
        areas -> Text,
        product_id -> Nullable<Text>,
        product_name -> Nullable<Text>,
        options -> Text,
        ship_classes -> Text,
        weight_grams -> BigInt,
        retired -> Bool,
    }
}

diesel::table! {
    prices (store_id, sku, currency, valid_from) {
        store_id -> Text,
        sku -> Text,
        currency -> Text,
        valid_from -> BigInt,
        amount -> BigInt,
    }
}

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
    stores,
    store_keys,
    store_counters,
    orders,
    line_items,
    products,
    prices,
    shipping_rates,
    fee_schedules,
    catalog_version
);

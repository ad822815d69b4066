-- Calls the function of place_orders.sql on the node of the store.
SELECT place, prefix, number, sequence, catalog
FROM place_orders(
    :store_id,
    :orders_store_id::TEXT[], :orders_id::TEXT[], :orders_order_id::TEXT[], :orders_prefix::TEXT[],
    :orders_number::BIGINT[], :orders_label_url::TEXT[], :orders_source::TEXT[],
    :orders_test::BOOLEAN[], :orders_currency::TEXT[], :orders_email::TEXT[],
    :orders_shipping_address::TEXT[], :orders_billing_address::TEXT[],
    :orders_customer_first_name::TEXT[], :orders_customer_last_name::TEXT[],
    :orders_production_note::TEXT[], :orders_fingerprint::BYTEA[], :orders_art::TEXT[],
    :orders_bill::TEXT[], :orders_priced_at::BIGINT[], :orders_size::INTEGER[],
    :states_updated_at::BIGINT[], :states_due_at::BIGINT[], :states_cooling_off_seconds::INTEGER[],
    :states_item_count::INTEGER[], :states_items::TEXT[], :states_status_bitmask::SMALLINT[],
    :states_replaces::TEXT[], :events_actor::TEXT[], :events_actor_id::TEXT[],
    :events_reason::TEXT[], :events_request_id::TEXT[], :events_moves::TEXT[],
    :places_in_store::BIGINT[], :words::TEXT[], :priced_with::BIGINT[],
    :items_position::INTEGER[], :items_id::TEXT[], :items_ref_id::TEXT[], :items_name::TEXT[],
    :items_name_given::BOOLEAN[], :items_sku::TEXT[], :items_quantity::INTEGER[],
    :items_ship_class::TEXT[], :items_unit_cost::BIGINT[], :item_places::BIGINT[]
)

-- A new or changed shipment of an order.
REPLACE INTO shipments (
    store_id, order_uuid, position, id, tracking_number, document
)
VALUES (
    :store_id, :order_uuid, :position, :id, :tracking_number, :document
)

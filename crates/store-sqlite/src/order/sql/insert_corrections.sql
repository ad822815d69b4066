-- A fee line that an operator added to an order.
INSERT INTO fee_corrections (
    store_id, order_uuid, position, document
)
VALUES (
    :store_id, :order_uuid, :position, :document
)

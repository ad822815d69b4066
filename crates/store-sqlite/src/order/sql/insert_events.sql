-- An event of an order.
INSERT INTO order_events (
    store_id, sequence, order_uuid, version, happened_at, endpoint_id, previous_sequence,
    previous_at, kind, actor, actor_id, reason, request_id, moves, changes, shipment
)
VALUES (
    :store_id, :sequence, :order_uuid, :version, :happened_at, :endpoint_id, :previous_sequence,
    :previous_at, :kind, :actor, :actor_id, :reason, :request_id, :moves, :changes, :shipment
)

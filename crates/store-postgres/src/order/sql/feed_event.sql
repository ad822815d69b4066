-- An event of the page, if it fits.
SELECT *
FROM order_events
WHERE order_events.store_id = :store_id
  AND order_events.sequence = page.sequence
  -- The first event is returned whatever its size.
  AND (size_so_far <= :bytes OR place = 1)
-- Keeps the planner from joining in any other way than event by event: it does not know that a page
-- has few events.
OFFSET 0

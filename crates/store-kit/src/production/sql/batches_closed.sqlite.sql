-- Like batches, but only closed batches.
SELECT
    number, name, item_count, created_by, created_at, started_by, started_at, closed_by,
    closed_at
FROM batches
WHERE number < :before
  AND closed_at IS NOT NULL
  AND (
      :all_stores
      OR NOT EXISTS (
          SELECT 1
          FROM batch_stores AS of_batch
          WHERE of_batch.number = batches.number
            AND NOT (of_batch.store_id IN (SELECT value FROM json_each(:stores)))
      )
  )
ORDER BY number DESC
LIMIT :count

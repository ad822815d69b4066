-- Sets the order ids of a segment with built lists. The build number shows searches that they have
-- to start again.
UPDATE word_segments
SET ids = :ids, build = build + 1
WHERE word_segments.store_id = :store_id
  AND word_segments.segment = :segment

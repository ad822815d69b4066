SELECT
    max(found) AS found,
    max(before_id) AS before_id,
    max(segment) AS segment
FROM continued

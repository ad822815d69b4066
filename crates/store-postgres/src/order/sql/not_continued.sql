SELECT
    NULL::BIGINT AS found,
    NULL::TEXT AS before_id,
    NULL::INTEGER AS segment

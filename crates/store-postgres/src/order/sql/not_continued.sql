SELECT
    NULL::TEXT[] AS newer_ids,
    NULL::BIGINT AS found,
    NULL::TEXT AS before_id,
    NULL::INTEGER[] AS words,
    NULL::INTEGER AS segment,
    NULL::INTEGER AS build,
    NULL::INTEGER AS orders,
    NULL::BYTEA AS ids,
    NULL::BIGINT[] AS places,
    NULL::BYTEA[] AS lists,
    NULL::TEXT[] AS changed,
    NULL::TEXT[] AS hits

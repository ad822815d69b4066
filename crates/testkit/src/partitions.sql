-- Partitions the tables of tenants into 16 parts by the hash of store_id: each table whose unique keys all
-- begin with store_id, in the current schema. A service that knows nothing of it has migrated the tables.
DO $$
DECLARE
    tenant record;
    definition text;
    definitions text[];
BEGIN
    FOR tenant IN
        SELECT
            oid,
            relname AS name,
            COALESCE('WITH (' || array_to_string(reloptions, ', ') || ')', '') AS storage
        FROM pg_class
        WHERE relnamespace = current_schema()::text::regnamespace
          AND relkind = 'r'
          AND (
              SELECT bool_and(attname = 'store_id')
              FROM pg_index
              JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
              WHERE indrelid = pg_class.oid
                AND indisunique
          )
    LOOP
        -- In the order in which they were made, which the planner prefers the youngest index by.
        definitions := ARRAY(
            SELECT CASE
                WHEN conname IS NULL THEN pg_get_indexdef(indexrelid)
                ELSE format('ALTER TABLE %I ADD CONSTRAINT %I %s', tenant.name, conname, pg_get_constraintdef(pg_constraint.oid))
            END
            FROM pg_index
            LEFT JOIN pg_constraint ON conindid = indexrelid AND conrelid = indrelid
            WHERE indrelid = tenant.oid
            ORDER BY indexrelid
        ) || ARRAY(
            SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', tenant.name, conname, pg_get_constraintdef(oid))
            FROM pg_constraint
            WHERE conrelid = tenant.oid
              AND contype = 'f'
        );
        EXECUTE format('ALTER TABLE %I RENAME TO whole', tenant.name);
        EXECUTE format(
            'CREATE TABLE %I (LIKE whole INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE) PARTITION BY HASH (store_id)',
            tenant.name
        );
        FOR part IN 0..15 LOOP
            EXECUTE format(
                'CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 16, REMAINDER %s) %s',
                tenant.name || '_' || part, tenant.name, part, tenant.storage
            );
        END LOOP;
        EXECUTE format('INSERT INTO %I SELECT * FROM whole', tenant.name);
        DROP TABLE whole;
        FOREACH definition IN ARRAY definitions LOOP
            EXECUTE definition;
        END LOOP;
    END LOOP;
END $$;

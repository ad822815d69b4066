-- Ids are hyphenated UUIDs, times whole milliseconds since 1970, amounts minor units of the currency beside them.
-- Texts that are compared or sorted have the collation "C", so that the database and the program agree on the order.

-- The directory of stores. It is small, and the one table (with products) that is not a tenant's.
CREATE TABLE stores (
    store_id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT NOT NULL,
    -- Never changes: order numbers and search words carry it.
    prefix TEXT COLLATE "C" NOT NULL CONSTRAINT stores_prefix UNIQUE CHECK (prefix ~ '^[A-Z0-9]{1,12}$'),
    currency TEXT NOT NULL,
    -- Whether it is for trying the API. Never changes: its orders carry it.
    test BOOLEAN NOT NULL,
    strict_catalog BOOLEAN NOT NULL,
    require_timestamp BOOLEAN NOT NULL,
    allow_unsigned_search BOOLEAN NOT NULL,
    -- The window in which the store changes new orders at will, in seconds. NULL for that of the configuration.
    cooling_off_seconds BIGINT CHECK (cooling_off_seconds BETWEEN 0 AND 1209600),
    -- Time, in seconds, in which items are shipped after they have become ready; 0 for no limit, NULL for the default.
    ship_by_seconds BIGINT CHECK (ship_by_seconds BETWEEN 0 AND 7776000),
    -- What is printed on its packing slips.
    slip_note TEXT,
    enabled BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0)
);

CREATE TABLE store_keys (
    store_id TEXT COLLATE "C" NOT NULL REFERENCES stores,
    key_id TEXT COLLATE "C" NOT NULL,
    -- From 0, the oldest.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- The secret key, which only the service's master key opens.
    sealed BYTEA NOT NULL,
    -- The id of that master key.
    sealed_with TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The minute of its latest use that was noted; NULL before the first one.
    last_used_at BIGINT,
    PRIMARY KEY (store_id, key_id)
);

-- One row, or none before the first key: the id of the master key that seals the keys of stores.
CREATE TABLE sealing_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    master_key_id TEXT NOT NULL CHECK (length(master_key_id) = 16)
);

-- Holds one row, which is written to find out whether writes work.
CREATE TABLE write_probe (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    content BYTEA NOT NULL
);
-- Not compressed, so that a large content really takes room.
ALTER TABLE write_probe ALTER COLUMN content SET STORAGE EXTERNAL;
INSERT INTO write_probe (id, content) VALUES (1, '');

-- Apart from stores, as every new order rewrites its store's row: it stays small, and finds room on its own page.
CREATE TABLE store_counters (
    store_id TEXT COLLATE "C" PRIMARY KEY REFERENCES stores,
    last_number BIGINT NOT NULL CHECK (last_number >= 0),
    -- The highest id of the store's orders, or higher.
    newest_id TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- A store's orders are divided into chunks: ranges of ids, numbered from 1. This is the latest one, and where it begins:
    -- it has the ids from this text on.
    chunk INTEGER NOT NULL DEFAULT 1,
    chunk_from TEXT COLLATE "C" NOT NULL DEFAULT '',
    -- The same of all chunks, for orders that come late and for searches. They are in this row, and not in rows of their
    -- own, because only of a row that it locks a statement sees the latest state.
    chunks_from TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY['']
) WITH (fillfactor = 10);

-- How many events each store has. Apart from the other counter, because every change of an order rewrites it. It is locked
-- last in a transaction, so that no transaction which holds it waits for an order.
CREATE TABLE event_counters (
    store_id TEXT COLLATE "C" PRIMARY KEY REFERENCES stores,
    last_sequence BIGINT NOT NULL CHECK (last_sequence >= 0)
) WITH (fillfactor = 10);

-- There is no foreign key to stores: a transaction that adds an order has locked the store's counter before, which
-- proves that the store exists, while a foreign key would lock the one row of the store for every order.
--
-- Search words and items have tables of their own: what changes often is apart from what does not. No foreign keys tie
-- them to their orders: the statement that writes an order also writes these rows, nothing deletes orders, and checking a
-- key for every item takes a fifth of the time that adding an order takes.
CREATE TABLE orders (
    store_id TEXT COLLATE "C" NOT NULL,
    -- A UUIDv7: its first 48 bits are when the order was created. So the primary key, read backwards, is newest first.
    id TEXT COLLATE "C" NOT NULL,
    -- The caller's id.
    order_id TEXT COLLATE "C" NOT NULL CHECK (length(order_id) BETWEEN 1 AND 128),
    -- Together the number that people read: DEMO-17.
    prefix TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL CHECK (number > 0),
    -- The prepared label of a label order. NULL in a manual order.
    label_url TEXT,
    source TEXT NOT NULL CHECK (source IN ('store', 'app')),
    -- Whether its store is a test store.
    test BOOLEAN NOT NULL,
    currency TEXT NOT NULL,
    email TEXT,
    -- JSON.
    shipping_address TEXT CHECK (label_url IS NOT NULL OR shipping_address IS NOT NULL),
    -- JSON.
    billing_address TEXT,
    customer_first_name TEXT,
    customer_last_name TEXT,
    production_note TEXT,
    -- JSON: of each item, by its position, the file URLs, the mockup images, and the print areas as the catalog had them
    -- when the order was last priced. They are not in the items, which a search shows.
    art TEXT NOT NULL,
    -- JSON: the lines that the fees are made of, with the positions of their items, and the fees that are zero without a line.
    bill TEXT NOT NULL,
    -- The time whose prices the fees are of.
    priced_at BIGINT NOT NULL,
    -- Memory that the loaded order takes with its items, in bytes, as the program estimates it. A page is read up to a
    -- bound of them. Four bytes suffice, and their sum costs much less than that of eight, which is of type numeric.
    size INTEGER NOT NULL CHECK (size > 0),
    -- Tells a repeated create request from another one.
    fingerprint BYTEA NOT NULL,
    CONSTRAINT orders_order_id UNIQUE (store_id, order_id),
    CONSTRAINT orders_number UNIQUE (store_id, number)
)
-- Nothing is compressed or moved out of a row that fits into its page: an order is somewhat more than the 2 KB from
-- where that would begin, and then both adding and reading it cost more.
WITH (toast_tuple_target = 8160);

-- After the unique keys: while a table has no statistics all look equally good for a look-up by id, and the planner then
-- takes the youngest one. By the others each look-up would walk all orders of the store.
ALTER TABLE orders ADD PRIMARY KEY (store_id, id);

-- Apart from the orders, so that a search which compares words reads short rows.
-- Form of the words: 2. The program has a test with this number, see pressline_kit::words::FORM.
CREATE TABLE order_words (
    store_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    -- Which of its store's chunks the order belongs to.
    chunk INTEGER NOT NULL,
    -- Each word has four characters before it, a digest of the store and the chunk: +8Nimug. So a search reads the index
    -- chunk by chunk, and new orders only change that part of it which belongs to the latest chunk. Several chunks may have
    -- the same digest, but each byte more before the words makes the log of an order 1 to 2 % longer.
    --
    -- A tsvector holds at most 1 MiB of text, but array_to_tsvector does not check that before PostgreSQL 15.20: beyond
    -- 1 MiB words get lost, and the value breaks pg_dump.
    words TSVECTOR NOT NULL CONSTRAINT order_words_fit CHECK (pg_column_size(words) <= 1048576),
    PRIMARY KEY (store_id, id)
)
-- As orders: the words of a large order are compared without being fetched from elsewhere.
WITH (toast_tuple_target = 8160);

-- The small list keeps an insert from having to work off a large one.
CREATE INDEX order_words_by_word ON order_words USING gin (words) WITH (gin_pending_list_limit = 64);

-- Lists of the orders that have each word, for the older orders of a store, see docs/adr/0018. A segment is a range of
-- ids with about 16,384 orders. The segments of a store are numbered from 1, the oldest, and have no gaps between them.
-- A background task begins them, one after the other, and builds their lists.
CREATE TABLE word_segments (
    store_id TEXT COLLATE "C" NOT NULL,
    segment INTEGER NOT NULL CHECK (segment > 0),
    -- It has the ids from this text on, and below the other one.
    from_id TEXT COLLATE "C" NOT NULL,
    before_id TEXT COLLATE "C" NOT NULL CHECK (before_id > from_id),
    -- How often its lists have been built. 0 where there are none yet.
    build INTEGER NOT NULL DEFAULT 0 CHECK (build >= 0),
    -- The ids of its orders in ascending order, 16 bytes each. Lists name an order by its position here.
    ids BYTEA NOT NULL DEFAULT '',
    PRIMARY KEY (store_id, segment)
);
-- Not compressed, so that a single id is read without the others.
ALTER TABLE word_segments ALTER COLUMN ids SET STORAGE EXTERNAL;

-- The words of a segment in ascending order, in blocks of about 0.5 KB, with the orders that have each of them.
CREATE TABLE word_lists (
    store_id TEXT COLLATE "C" NOT NULL,
    segment INTEGER NOT NULL,
    -- The first word of the block, in UTF-8.
    first_word BYTEA NOT NULL,
    -- As crates/store-postgres/src/order/lists/block.rs writes them.
    lists BYTEA NOT NULL,
    PRIMARY KEY (store_id, segment, first_word)
)
WITH (toast_tuple_target = 8160);
ALTER TABLE word_lists ALTER COLUMN lists SET STORAGE EXTERNAL;

-- Orders that may be missing in a list or differ from it: their words have changed, or they came late. A row is added by
-- the transaction that writes the words, and removed with the one that builds lists of them.
CREATE TABLE changed_words (
    store_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    -- The version that the change replaced. It only makes each row a new one, so that no transaction waits for another.
    replaced BIGINT NOT NULL,
    PRIMARY KEY (store_id, id, replaced)
);

CREATE TABLE line_items (
    store_id TEXT COLLATE "C" NOT NULL,
    -- The id of the order, not the caller's.
    order_uuid TEXT COLLATE "C" NOT NULL,
    -- From 0, in the order of the request.
    position INTEGER NOT NULL CHECK (position >= 0),
    id TEXT COLLATE "C" NOT NULL,
    ref_id TEXT,
    name TEXT,
    -- Whether the store gave the name. One from the catalog follows the SKU.
    name_given BOOLEAN NOT NULL,
    sku TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
    ship_class TEXT,
    unit_cost BIGINT CHECK (unit_cost >= 0),
    PRIMARY KEY (store_id, order_uuid, position)
);

-- An item as statements return it, in an array: without the columns that name its order. Rows without a named
-- type cannot be sent from one node to another.
CREATE TYPE item_row AS (
    position INTEGER,
    id TEXT,
    ref_id TEXT,
    name TEXT,
    name_given BOOLEAN,
    sku TEXT,
    quantity INTEGER,
    ship_class TEXT,
    unit_cost BIGINT
);

-- What moves of an order: a move rewrites this row alone, and neither the order's row nor its words and items. A change of
-- an order locks it first.
CREATE TABLE order_states (
    store_id TEXT COLLATE "C" NOT NULL,
    -- The id of the order.
    id TEXT COLLATE "C" NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    updated_at BIGINT NOT NULL,
    -- The sequence of its latest event.
    last_sequence BIGINT NOT NULL CHECK (last_sequence > 0),
    -- When the service must next look at the order. NULL where nothing of it falls due.
    due_at BIGINT,
    -- The window of its store when the order was placed.
    cooling_off_seconds INTEGER NOT NULL CHECK (cooling_off_seconds >= 0),
    -- Number of items that the order has ever had.
    item_count INTEGER NOT NULL,
    -- JSON: of items with consecutive numbers that are in the same state, the first and the last number, status, end of their
    -- window, when they were first ready, the status that they return to, who holds them, and until when.
    items TEXT NOT NULL,
    -- The statuses that items have, a bit each in their order; the bits after these are whether it is a manual or a label
    -- order, and whether items were removed.
    status_bitmask SMALLINT NOT NULL CHECK (status_bitmask > 0),
    -- JSON: the change that the store has asked for.
    pending TEXT,
    -- JSON: what the shop needs from the store.
    needs TEXT,
    -- The number of the order that this one replaces, and as JSON those of the orders that replace this one.
    replaces TEXT,
    replaced_by TEXT,
    -- How many rows of these tables belong to the order. Most orders have none, and nothing is looked up for them.
    shipments INTEGER NOT NULL DEFAULT 0,
    corrections INTEGER NOT NULL DEFAULT 0
)
-- A row that is rewritten finds room on its page.
WITH (fillfactor = 85);

-- The orders that fall due, by store.
CREATE INDEX order_states_due ON order_states (store_id, due_at) WHERE due_at IS NOT NULL;

-- The orders of a store by the statuses of their items. A store has some dozens of different bitmasks: a search reads the ids of
-- each bitmask that it asks for. Items are counted without reading the orders, but those with items in several statuses.
CREATE INDEX order_states_by_status ON order_states (store_id, status_bitmask, id) INCLUDE (item_count);

-- After the index, as of orders.
ALTER TABLE order_states ADD PRIMARY KEY (store_id, id);

-- Changes of orders with their old values, and events that concern no order. Sequences are in the order of commits. They have
-- no hole, except the ranges in skipped_counters. Sequence and version are checked in the state, as each check costs a statement that
-- writes one order 2 µs.
CREATE TABLE order_events (
    store_id TEXT COLLATE "C" NOT NULL,
    sequence BIGINT NOT NULL,
    -- The id of the order. NULL for an event that concerns none.
    order_uuid TEXT COLLATE "C",
    -- The order's version after the event.
    version INTEGER,
    happened_at BIGINT NOT NULL,
    -- The webhook endpoint that the service has disabled. NULL for events of orders.
    endpoint_id TEXT COLLATE "C",
    -- The order's event before this one. NULL for its first.
    previous_sequence BIGINT,
    previous_at BIGINT,
    kind TEXT NOT NULL,
    -- store, operator, service or carrier, with the id of the key or of the operator.
    actor TEXT NOT NULL,
    actor_id TEXT,
    reason TEXT,
    request_id TEXT,
    -- JSON: lists of items that made the same move, each with the status after and before.
    moves TEXT NOT NULL,
    -- JSON: lists of the path of another value that changed, and the value before and after.
    changes TEXT,
    -- JSON: the shipment that the event is about.
    shipment TEXT,
    PRIMARY KEY (store_id, sequence)
);

CREATE TABLE shipments (
    store_id TEXT COLLATE "C" NOT NULL,
    -- The id of the order.
    order_uuid TEXT COLLATE "C" NOT NULL,
    -- From 0, the oldest.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- The id of the shipment.
    id TEXT COLLATE "C" NOT NULL,
    -- In canonical form, to look it up: capitals, without white space. The document has it as given.
    tracking_number TEXT COLLATE "C",
    -- JSON.
    document TEXT NOT NULL,
    PRIMARY KEY (store_id, order_uuid, position)
);

CREATE UNIQUE INDEX shipments_by_id ON shipments (store_id, id);
-- With the order, because the shipments of the newest orders come first.
CREATE INDEX shipments_by_number ON shipments (store_id, tracking_number, order_uuid, position)
WHERE tracking_number IS NOT NULL;

-- Fee lines that operators added.
CREATE TABLE fee_corrections (
    store_id TEXT COLLATE "C" NOT NULL,
    -- The id of the order.
    order_uuid TEXT COLLATE "C" NOT NULL,
    -- From 0, the oldest.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- JSON.
    document TEXT NOT NULL,
    PRIMARY KEY (store_id, order_uuid, position)
);

-- Notes of operators about orders. Stores do not see them.
CREATE TABLE order_notes (
    store_id TEXT COLLATE "C" NOT NULL,
    -- The id of the order.
    order_uuid TEXT COLLATE "C" NOT NULL,
    -- A UUIDv7: notes are sorted by it.
    note_id TEXT COLLATE "C" NOT NULL,
    operator_id TEXT COLLATE "C" NOT NULL,
    text TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (store_id, order_uuid, note_id)
);

-- A row is a variant.
CREATE TABLE products (
    sku TEXT COLLATE "C" PRIMARY KEY,
    name TEXT NOT NULL,
    price BIGINT CHECK (price >= 0),
    currency TEXT NOT NULL,
    -- JSON.
    areas TEXT NOT NULL,
    -- NULL where the variant is a product by itself: the SKU is then the product's id.
    product_id TEXT COLLATE "C",
    -- The same in all variants of a product. NULL where no import has named the product.
    product_name TEXT,
    -- JSON: a list of lists of a name and a value.
    options TEXT NOT NULL DEFAULT '[]',
    -- JSON: a list of texts.
    ship_classes TEXT NOT NULL DEFAULT '[]',
    weight_grams BIGINT NOT NULL DEFAULT 0 CHECK (weight_grams >= 0),
    retired BOOLEAN NOT NULL DEFAULT false,
    words TSVECTOR NOT NULL CONSTRAINT products_words_fit CHECK (pg_column_size(words) <= 1048576)
);

-- With the columns that the id is made of, so that it is read without the row.
CREATE INDEX products_by_product ON products ((COALESCE(product_id, sku)), sku) INCLUDE (product_id) WHERE NOT retired;
-- For imports, which look at all variants of a product.
CREATE INDEX products_retired ON products ((COALESCE(product_id, sku))) WHERE retired;
-- The small list keeps a search after an import from having to walk a large one.
CREATE INDEX products_words ON products USING gin (words) WITH (gin_pending_list_limit = 64) WHERE NOT retired;

-- Price lists. That of the service has an empty store id. A list may come before the variants that it prices.
CREATE TABLE prices (
    store_id TEXT COLLATE "C" NOT NULL,
    sku TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    -- The price holds from this time on, until that of a later row.
    valid_from BIGINT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (store_id, sku, currency, valid_from)
);

-- One row: all zones and shipping rates as one JSON document.
CREATE TABLE shipping_rates (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    document TEXT NOT NULL
);

-- Schedules of fees, each as one JSON document. That of the service has an empty store id.
CREATE TABLE fee_schedules (
    store_id TEXT COLLATE "C" PRIMARY KEY,
    document TEXT NOT NULL
);

-- One row: how often an import has changed the catalog. An order is written only while the products are those it was
-- priced with.
CREATE TABLE catalog_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL CHECK (version > 0)
);
INSERT INTO catalog_version (id, version) VALUES (1, 1);

-- Operators of the shop. None is ever removed, because the history of orders names them.
CREATE TABLE operators (
    operator_id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL CONSTRAINT operators_name UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'carrier', 'operator', 'admin')),
    -- JSON: the ids of the stores that the operator is bound to. NULL for all stores.
    stores TEXT,
    created_at BIGINT NOT NULL
);

CREATE TABLE operator_tokens (
    token_id TEXT COLLATE "C" PRIMARY KEY,
    operator_id TEXT COLLATE "C" NOT NULL REFERENCES operators,
    -- SHA-256 of the secret, which is not stored.
    digest BYTEA NOT NULL CHECK (length(digest) = 32),
    created_at BIGINT NOT NULL,
    -- NULL: never.
    expires_at BIGINT,
    -- The beginning of a minute. NULL before the first use.
    last_used_at BIGINT
);

-- What operators have set for themselves. A row exists once one has set something.
CREATE TABLE operator_accounts (
    operator_id TEXT COLLATE "C" PRIMARY KEY REFERENCES operators,
    -- Argon2id, in the PHC format. NULL without a password.
    password_hash TEXT,
    -- A name of the IANA database.
    time_zone TEXT NOT NULL,
    paper TEXT NOT NULL CHECK (paper IN ('a4', 'letter', '4x6')),
    theme TEXT NOT NULL CHECK (theme IN ('auto', 'light', 'dark')),
    sounds BOOLEAN NOT NULL,
    keys BOOLEAN NOT NULL
);

CREATE TABLE operator_sessions (
    session_id TEXT COLLATE "C" PRIMARY KEY,
    operator_id TEXT COLLATE "C" NOT NULL REFERENCES operators,
    -- SHA-256 of the text that the browser sends, which is not stored.
    digest BYTEA NOT NULL CONSTRAINT operator_sessions_digest UNIQUE CHECK (length(digest) = 32),
    -- The IP address that signed in.
    client TEXT NOT NULL,
    signed_in_at BIGINT NOT NULL,
    -- To the minute.
    last_used_at BIGINT NOT NULL,
    confirmed_at BIGINT NOT NULL,
    confirmed_by TEXT NOT NULL CHECK (confirmed_by IN ('password', 'link'))
);

CREATE INDEX operator_sessions_of_operator ON operator_sessions (operator_id, signed_in_at);

-- Links by which an operator can sign in once.
CREATE TABLE sign_in_links (
    -- SHA-256 of the text in the link, which is not stored.
    digest BYTEA PRIMARY KEY CHECK (length(digest) = 32),
    operator_id TEXT COLLATE "C" NOT NULL REFERENCES operators,
    expires_at BIGINT NOT NULL
);

CREATE INDEX sign_in_links_of_operator ON sign_in_links (operator_id);

-- What operators and the command line do that the history of no order records.
CREATE TABLE audit_entries (
    -- A UUIDv7: entries are sorted by it.
    entry_id TEXT COLLATE "C" PRIMARY KEY,
    at BIGINT NOT NULL,
    -- NULL for the command line.
    operator_id TEXT COLLATE "C",
    operator_name TEXT,
    -- NULL on the command line.
    request_id TEXT,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    CHECK ((operator_id IS NULL) = (operator_name IS NULL))
);

-- Forms of the console that create something: one that is sent twice gives its first result.
CREATE TABLE form_results (
    operator_id TEXT COLLATE "C" NOT NULL,
    -- What the page has named the form.
    form_id TEXT COLLATE "C" NOT NULL,
    claimed_at BIGINT NOT NULL,
    -- Where the form has led. NULL until it has created something.
    result TEXT,
    PRIMARY KEY (operator_id, form_id)
);

CREATE INDEX form_results_by_age ON form_results (claimed_at);

-- Files that operators have sent for an import, between its check and its confirmation. Few, and for a day at most.
CREATE TABLE operator_uploads (
    operator_id TEXT COLLATE "C" NOT NULL,
    upload_id TEXT COLLATE "C" NOT NULL,
    -- What the file is imported as.
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    content BYTEA NOT NULL,
    kept_at BIGINT NOT NULL,
    PRIMARY KEY (operator_id, upload_id)
);

CREATE INDEX operator_uploads_by_age ON operator_uploads (kept_at);

-- Commands of operators about more orders than one call moves. A row changes once for each hundred orders.
CREATE TABLE tasks (
    task_id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
    operator_id TEXT COLLATE "C" NOT NULL,
    -- JSON: the ids of the stores that the orders can belong to. NULL for all stores.
    stores TEXT,
    command TEXT NOT NULL,
    -- JSON: the values of the command. NULL until the task has begun.
    given TEXT,
    created_at BIGINT NOT NULL,
    all_parts BIGINT NOT NULL,
    all_orders BIGINT NOT NULL,
    all_items BIGINT NOT NULL,
    done_parts BIGINT NOT NULL,
    done_orders BIGINT NOT NULL,
    moved BIGINT NOT NULL,
    unchanged BIGINT NOT NULL,
    refused BIGINT NOT NULL,
    -- The run of a server that has the task until then.
    lease_owner TEXT,
    leased_until BIGINT,
    finished_at BIGINT
);

CREATE INDEX tasks_by_operator ON tasks (operator_id, created_at);
CREATE INDEX tasks_by_age ON tasks (created_at);

-- The orders of tasks, a hundred in a row.
CREATE TABLE task_parts (
    task_id TEXT COLLATE "C" NOT NULL,
    -- From 0.
    position BIGINT NOT NULL,
    -- JSON: orders with their items.
    listed TEXT NOT NULL,
    -- JSON: the items that were refused, and why. NULL if none was.
    refusals TEXT,
    PRIMARY KEY (task_id, position)
);

-- Endpoints of webhooks: of stores, and of the shop. Few rows, which are read far more often than they change.
CREATE TABLE webhook_endpoints (
    endpoint_id TEXT COLLATE "C" PRIMARY KEY,
    -- The store that it belongs to. NULL where it belongs to the shop.
    store_id TEXT COLLATE "C" REFERENCES stores,
    -- JSON: the ids of the stores that an endpoint of the shop hears. NULL for all stores.
    stores TEXT CHECK (store_id IS NULL OR stores IS NULL),
    url TEXT NOT NULL,
    -- JSON: the types of the events that it gets; an empty list for all.
    types TEXT NOT NULL,
    payload TEXT NOT NULL CHECK (payload IN ('full', 'thin')),
    description TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- Why, and since when, nothing is sent to it any more.
    disabled_reason TEXT,
    disabled_at BIGINT CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
    -- Failed attempts since the last one that succeeded, and when the first attempt without success began.
    failures BIGINT NOT NULL CHECK (failures >= 0),
    failing_since BIGINT,
    -- Nothing is sent before this time.
    paused_until BIGINT,
    -- The store by whose events the endpoint is probed after the pause, and how often it was. NULL where the receiver
    -- asked for the pause.
    probing_store TEXT,
    probing_attempts BIGINT CHECK ((probing_attempts IS NULL) = (probing_store IS NULL)),
    -- What happens to the next event, of a test store, and for a delay how many seconds.
    sandbox_action TEXT,
    sandbox_seconds BIGINT,
    version BIGINT NOT NULL CHECK (version > 0)
);

-- Secrets that sign the events of an endpoint.
CREATE TABLE webhook_secrets (
    endpoint_id TEXT COLLATE "C" NOT NULL REFERENCES webhook_endpoints,
    key_id TEXT COLLATE "C" NOT NULL,
    -- From 0, the newest.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- The secret, which only the service's master key opens.
    sealed BYTEA NOT NULL,
    -- The id of that master key.
    sealed_with TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- When it stops signing. NULL for the newest one.
    expires_at BIGINT,
    PRIMARY KEY (endpoint_id, key_id)
);

-- How far the events of a store were sent to an endpoint. An endpoint of all stores has no row for a store that was created
-- after it, before a worker first leases the subscription. A transaction locks these rows before others of webhooks.
CREATE TABLE webhook_subscriptions (
    store_id TEXT COLLATE "C" NOT NULL,
    endpoint_id TEXT COLLATE "C" NOT NULL,
    -- Up to this sequence each event is settled or has a message.
    cursor BIGINT NOT NULL CHECK (cursor >= 0),
    -- Whether the endpoint hears the store. The row of a store that it does not hear any more is kept, because it leads
    -- to the deliveries.
    subscribed BOOLEAN NOT NULL DEFAULT true,
    -- Number of the latest lease, and until when it holds. NULL where it was given back.
    lease BIGINT NOT NULL DEFAULT 0,
    leased_until BIGINT,
    -- When an outcome was last stored. Subscriptions that wait longest are looked at first.
    served_at BIGINT NOT NULL DEFAULT 0,
    -- Number of starts that have found the subscription leased since its cursor was stored, at most 3.
    restarts BIGINT NOT NULL DEFAULT 0,
    -- When the first of its messages is due, or earlier. NULL without messages.
    next_due BIGINT,
    PRIMARY KEY (store_id, endpoint_id)
)
-- A row that is rewritten finds room on its page.
WITH (fillfactor = 50);

-- Events that were not taken yet, at or below the cursor of their subscription. A healthy subscription has none.
CREATE TABLE webhook_messages (
    store_id TEXT COLLATE "C" NOT NULL,
    endpoint_id TEXT COLLATE "C" NOT NULL,
    -- That of the event.
    sequence BIGINT NOT NULL,
    -- The id of the order. NULL for an event that concerns none.
    order_uuid TEXT COLLATE "C",
    attempts BIGINT NOT NULL CHECK (attempts >= 0),
    -- When it is sent next.
    due BIGINT NOT NULL,
    -- Whether it waits for an earlier event of its order.
    waits BOOLEAN NOT NULL,
    PRIMARY KEY (store_id, endpoint_id, sequence)
);

CREATE INDEX webhook_messages_due ON webhook_messages (store_id, endpoint_id, due, sequence);
CREATE INDEX webhook_messages_by_order ON webhook_messages (store_id, endpoint_id, order_uuid, sequence)
WHERE order_uuid IS NOT NULL;

-- The log of attempts. That of a test of the shop's endpoint has the nil UUID as its store. There is no foreign key to
-- endpoints: the rows of a removed one are not found, and removed when they are old.
CREATE TABLE webhook_deliveries (
    store_id TEXT COLLATE "C" NOT NULL,
    -- A UUIDv7 of the time when the attempt began: it sorts attempts, and leads to old ones.
    delivery_id TEXT COLLATE "C" NOT NULL,
    endpoint_id TEXT COLLATE "C" NOT NULL,
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- NULL for a test.
    sequence BIGINT,
    -- The id of the order, and the caller's id of it. NULL for an event that concerns none.
    order_uuid TEXT COLLATE "C",
    order_id TEXT CHECK ((order_id IS NULL) = (order_uuid IS NULL)),
    -- From 1.
    attempt BIGINT NOT NULL CHECK (attempt > 0),
    -- Why it failed. NULL where it succeeded.
    error TEXT,
    http_status BIGINT,
    -- The beginning of the response's body.
    response TEXT,
    started_at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    -- When the event is sent again. NULL where it is not, and where another attempt followed.
    next_attempt_at BIGINT,
    PRIMARY KEY (store_id, delivery_id)
);

-- The newest attempts of a subscription, those for an event, for an order, and those that failed. A search reads the newest ones of
-- each subscription.
CREATE INDEX webhook_deliveries_by_subscription ON webhook_deliveries (store_id, endpoint_id, delivery_id);
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (store_id, endpoint_id, sequence, delivery_id)
WHERE sequence IS NOT NULL;
CREATE INDEX webhook_deliveries_by_order ON webhook_deliveries (store_id, endpoint_id, order_uuid, delivery_id)
WHERE order_uuid IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (store_id, endpoint_id, delivery_id) WHERE error IS NOT NULL;
-- Those that another attempt supersedes.
CREATE INDEX webhook_deliveries_repeated ON webhook_deliveries (store_id, endpoint_id, sequence)
WHERE next_attempt_at IS NOT NULL;

-- How many units of an item are done at each step of production. Not part of the order: stores do not see it.
CREATE TABLE item_progress (
    store_id TEXT COLLATE "C" NOT NULL,
    -- The id of the order.
    order_uuid TEXT COLLATE "C" NOT NULL,
    item_id TEXT COLLATE "C" NOT NULL,
    -- The number of the item's records.
    revision BIGINT NOT NULL CHECK (revision > 0),
    -- JSON: an object of units by the names of steps.
    done TEXT NOT NULL,
    misprints BIGINT NOT NULL CHECK (misprints >= 0),
    PRIMARY KEY (store_id, order_uuid, item_id)
);

-- What operators recorded about items. Rows are never changed.
CREATE TABLE production_records (
    store_id TEXT COLLATE "C" NOT NULL,
    -- The id of the order.
    order_uuid TEXT COLLATE "C" NOT NULL,
    item_id TEXT COLLATE "C" NOT NULL,
    -- The item's revision that the record made.
    revision BIGINT NOT NULL CHECK (revision > 0),
    operator_id TEXT COLLATE "C" NOT NULL,
    recorded_at BIGINT NOT NULL,
    -- NULL of a misprint.
    step TEXT,
    units BIGINT NOT NULL CHECK (units > 0),
    -- Why units were misprinted.
    reason TEXT CHECK ((reason IS NULL) = (step IS NOT NULL)),
    -- The caller's name of the request.
    once TEXT,
    PRIMARY KEY (store_id, order_uuid, item_id, revision)
);

-- Batches of the shop, which can have items of several stores.
CREATE TABLE batches (
    number BIGINT PRIMARY KEY CHECK (number BETWEEN 1 AND 2147483647),
    name TEXT,
    -- JSON: a list of store, order and item of each.
    items TEXT NOT NULL,
    item_count BIGINT NOT NULL CHECK (item_count > 0),
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    started_by TEXT,
    started_at BIGINT CHECK ((started_at IS NULL) = (started_by IS NULL)),
    closed_by TEXT,
    closed_at BIGINT CHECK ((closed_at IS NULL) = (closed_by IS NULL))
);

CREATE INDEX batches_open ON batches (number) WHERE closed_at IS NULL;

-- The stores of a batch's items.
CREATE TABLE batch_stores (
    number BIGINT NOT NULL,
    store_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (number, store_id)
);

-- One row: the number of the latest batch. Making a batch locks it.
CREATE TABLE batch_counter (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_number BIGINT NOT NULL CHECK (last_number >= 0)
);
INSERT INTO batch_counter (id, last_number) VALUES (1, 0);

-- The items of open batches: the key keeps an item from being in two.
CREATE TABLE open_batch_items (
    store_id TEXT COLLATE "C" NOT NULL,
    -- The id of the order.
    order_uuid TEXT COLLATE "C" NOT NULL,
    item_id TEXT COLLATE "C" NOT NULL,
    -- The number of the batch.
    batch BIGINT NOT NULL,
    PRIMARY KEY (store_id, order_uuid, item_id)
);

CREATE INDEX open_batch_items_by_batch ON open_batch_items (store_id, batch);

-- One row: the restore for which counters were skipped last, and the identity of the database.
CREATE TABLE latest_restore (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- When skipping began. NULL before the first restore.
    restored_at BIGINT,
    -- By how much counters are skipped.
    numbers BIGINT NOT NULL CHECK (numbers >= 0),
    sequences BIGINT NOT NULL CHECK (sequences >= 0),
    versions BIGINT NOT NULL CHECK (versions >= 0),
    batches BIGINT NOT NULL CHECK (batches >= 0),
    -- Whether no server has started since.
    open BOOLEAN NOT NULL,
    -- The skipped batch numbers: after `after_batch`, up to `last_batch`. NULL before they are skipped.
    after_batch BIGINT,
    last_batch BIGINT CHECK ((last_batch IS NULL) = (after_batch IS NULL)),
    -- Differs between this database and its restored copies. NULL if it is not known.
    identity TEXT
);
INSERT INTO latest_restore (id, numbers, sequences, versions, batches, open) VALUES (1, 0, 0, 0, 0, false);

-- Numbers and sequences that were skipped after restores: after `after_…`, up to `last_…`. These sequences are the only holes in
-- order_events.
CREATE TABLE skipped_counters (
    store_id TEXT COLLATE "C" NOT NULL,
    restored_at BIGINT NOT NULL,
    after_number BIGINT NOT NULL CHECK (after_number >= 0),
    last_number BIGINT NOT NULL CHECK (last_number >= after_number),
    after_sequence BIGINT NOT NULL CHECK (after_sequence >= 0),
    last_sequence BIGINT NOT NULL CHECK (last_sequence >= after_sequence),
    PRIMARY KEY (store_id, restored_at)
);

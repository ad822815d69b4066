-- Ids are hyphenated UUIDs, times whole milliseconds since 1970, amounts minor units of the currency beside them.

-- The directory of stores. It is small, and the one table (with products) that is not a tenant's.
CREATE TABLE stores (
    store_id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    -- Never changes: order numbers carry it.
    prefix TEXT NOT NULL UNIQUE CHECK (length(prefix) BETWEEN 1 AND 12 AND prefix NOT GLOB '*[^A-Z0-9]*'),
    currency TEXT NOT NULL,
    -- Whether it is for trying the API. Never changes: its orders carry it.
    test INTEGER NOT NULL CHECK (test IN (0, 1)),
    strict_catalog INTEGER NOT NULL CHECK (strict_catalog IN (0, 1)),
    require_timestamp INTEGER NOT NULL CHECK (require_timestamp IN (0, 1)),
    allow_unsigned_search INTEGER NOT NULL CHECK (allow_unsigned_search IN (0, 1)),
    -- The window in which the store changes new orders at will, in seconds. NULL for that of the configuration.
    cooling_off_seconds INTEGER CHECK (cooling_off_seconds BETWEEN 0 AND 1209600),
    -- Time, in seconds, in which items are shipped after they have become ready; 0 for no limit, NULL for the default.
    ship_by_seconds INTEGER CHECK (ship_by_seconds BETWEEN 0 AND 7776000),
    -- What is printed on its packing slips.
    slip_note TEXT,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0)
) STRICT;

CREATE TABLE store_keys (
    store_id TEXT NOT NULL REFERENCES stores (store_id),
    key_id TEXT NOT NULL,
    -- From 0, the oldest.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- The secret key, which only the service's master key opens.
    sealed BLOB NOT NULL,
    -- The id of that master key.
    sealed_with TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- The minute of its latest use that was noted; NULL before the first one.
    last_used_at INTEGER,
    PRIMARY KEY (store_id, key_id)
) STRICT;

-- One row, or none before the first key: the id of the master key that seals the keys of stores.
CREATE TABLE sealing_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    master_key_id TEXT NOT NULL CHECK (length(master_key_id) = 16)
) STRICT;

-- Holds one row, which is replaced to find out whether writes work.
CREATE TABLE write_probe (
    id INTEGER PRIMARY KEY,
    content BLOB NOT NULL
) STRICT;

CREATE TABLE store_counters (
    store_id TEXT PRIMARY KEY NOT NULL REFERENCES stores (store_id),
    last_number INTEGER NOT NULL CHECK (last_number >= 0),
    -- How many events the store has.
    last_sequence INTEGER NOT NULL DEFAULT 0 CHECK (last_sequence >= 0)
) STRICT;

-- The sequence of each store's last event, under the name that PostgreSQL has for it.
CREATE VIEW event_counters AS
SELECT store_id, last_sequence
FROM store_counters;

CREATE TABLE orders (
    -- Ties the row to its search words. Declared, since SQLite may renumber rows whose number is not.
    row_id INTEGER PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (store_id),
    -- A UUIDv7: its first 48 bits are when the order was created. So the index of the key, read backwards, is newest first.
    id TEXT NOT NULL,
    -- The caller's id.
    order_id TEXT NOT NULL CHECK (length(order_id) BETWEEN 1 AND 128),
    -- Together the number that people read: DEMO-17.
    prefix TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    -- The prepared label of a label order. NULL in a manual order.
    label_url TEXT,
    source TEXT NOT NULL CHECK (source IN ('store', 'app')),
    -- Whether its store is a test store.
    test INTEGER NOT NULL CHECK (test IN (0, 1)),
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
    priced_at INTEGER NOT NULL,
    -- Memory that the loaded order takes with its items, in bytes, as the program estimates it. A page is read up to a
    -- bound of them.
    size INTEGER NOT NULL CHECK (size > 0),
    -- Tells a repeated create request from another one.
    fingerprint BLOB NOT NULL,
    UNIQUE (store_id, id),
    UNIQUE (store_id, order_id),
    UNIQUE (store_id, number)
) STRICT;

-- A store's orders are divided into chunks: ranges of ids. A search reads the index of words chunk by chunk.
CREATE TABLE order_chunks (
    chunk INTEGER PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (store_id),
    -- The chunk has the ids from this text on, up to where the store's next chunk begins.
    from_id TEXT NOT NULL,
    UNIQUE (store_id, from_id)
) STRICT;

-- The search words of the order with the same row_id, each after the number of the order's chunk, written so that the
-- tokenizer finds nothing to split or to fold. Of one chunk, a word of one letter has six characters, of up to three
-- letters eight.
-- Form of the words: 2. The program has a test with this number, see pressline_kit::words::FORM.
CREATE VIRTUAL TABLE order_words USING fts5 (
    words,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = 'ascii',
    prefix = '6 8'
);
-- The program merges the index's segments itself, a little with each transaction. By default FTS5 merges more at once,
-- and all orders that wait are delayed by it.
INSERT INTO order_words (order_words, rank) VALUES ('automerge', 0);

-- No foreign key ties items to their order: the transaction that writes an order also writes its items, and nothing
-- deletes orders.
CREATE TABLE line_items (
    store_id TEXT NOT NULL,
    -- The id of the order, not the caller's.
    order_uuid TEXT NOT NULL,
    -- From 0, in the order of the request.
    position INTEGER NOT NULL CHECK (position >= 0),
    id TEXT NOT NULL,
    ref_id TEXT,
    name TEXT,
    -- Whether the store gave the name. One from the catalog follows the SKU.
    name_given INTEGER NOT NULL CHECK (name_given IN (0, 1)),
    sku TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
    ship_class TEXT,
    unit_cost INTEGER CHECK (unit_cost >= 0),
    PRIMARY KEY (store_id, order_uuid, position)
) STRICT, WITHOUT ROWID;

-- What moves of an order: a move rewrites this row alone, and neither the order's row nor its words and items.
CREATE TABLE order_states (
    store_id TEXT NOT NULL,
    -- The id of the order.
    id TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    updated_at INTEGER NOT NULL,
    -- The sequence of its latest event.
    last_sequence INTEGER NOT NULL CHECK (last_sequence > 0),
    -- When the service must next look at the order. NULL where nothing of it falls due.
    due_at INTEGER,
    -- The window of its store when the order was placed.
    cooling_off_seconds INTEGER NOT NULL CHECK (cooling_off_seconds >= 0),
    -- Number of items that the order has ever had.
    item_count INTEGER NOT NULL,
    -- JSON: of items with consecutive numbers that are in the same state, the first and the last number, status, end of their
    -- window, when they were first ready, the status that they return to, who holds them, and until when.
    items TEXT NOT NULL,
    -- The statuses that items have, a bit each in their order; the bits after these are whether it is a manual or a label
    -- order, and whether items were removed.
    status_bitmask INTEGER NOT NULL CHECK (status_bitmask > 0),
    -- JSON: the change that the store has asked for.
    pending TEXT,
    -- JSON: what the shop needs from the store.
    needs TEXT,
    -- The number of the order that this one replaces, and as JSON those of the orders that replace this one.
    replaces TEXT,
    replaced_by TEXT,
    -- How many rows of these tables belong to the order. Most orders have none, and nothing is looked up for them.
    shipments INTEGER NOT NULL DEFAULT 0,
    corrections INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (store_id, id)
) STRICT, WITHOUT ROWID;

-- The orders that fall due, by store.
CREATE INDEX order_states_due ON order_states (store_id, due_at) WHERE due_at IS NOT NULL;

-- The orders of a store by the statuses of their items. A store has some dozens of different bitmasks: a search reads the ids of
-- each bitmask that it asks for. Items are counted without reading the orders, but those with items in several statuses.
CREATE INDEX order_states_by_status ON order_states (store_id, status_bitmask, id, item_count);

-- Changes of orders with their old values, and events that concern no order. Sequences are in the order of commits. They have
-- no hole, except the ranges in skipped_counters.
CREATE TABLE order_events (
    store_id TEXT NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    -- The id of the order. NULL for an event that concerns none.
    order_uuid TEXT,
    -- The order's version after the event.
    version INTEGER CHECK (version > 0),
    happened_at INTEGER NOT NULL,
    -- The webhook endpoint that the service has disabled. NULL for events of orders.
    endpoint_id TEXT,
    -- The order's event before this one. NULL for its first.
    previous_sequence INTEGER,
    previous_at INTEGER,
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
    CHECK ((order_uuid IS NULL) = (version IS NULL) AND (order_uuid IS NULL) <> (endpoint_id IS NULL)),
    PRIMARY KEY (store_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE shipments (
    store_id TEXT NOT NULL,
    -- The id of the order.
    order_uuid TEXT NOT NULL,
    -- From 0, the oldest.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- The id of the shipment.
    id TEXT NOT NULL,
    -- In canonical form, to look it up: capitals, without white space. The document has it as given.
    tracking_number TEXT,
    -- JSON.
    document TEXT NOT NULL,
    PRIMARY KEY (store_id, order_uuid, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX shipments_by_id ON shipments (store_id, id);
-- It also has the columns of the primary key, so that the shipments of the newest orders are found first.
CREATE INDEX shipments_by_number ON shipments (store_id, tracking_number) WHERE tracking_number IS NOT NULL;

-- Fee lines that operators added.
CREATE TABLE fee_corrections (
    store_id TEXT NOT NULL,
    -- The id of the order.
    order_uuid TEXT NOT NULL,
    -- From 0, the oldest.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- JSON.
    document TEXT NOT NULL,
    PRIMARY KEY (store_id, order_uuid, position)
) STRICT, WITHOUT ROWID;

-- Notes of operators about orders. Stores do not see them.
CREATE TABLE order_notes (
    store_id TEXT NOT NULL,
    -- The id of the order.
    order_uuid TEXT NOT NULL,
    -- A UUIDv7: notes are sorted by it.
    note_id TEXT NOT NULL,
    operator_id TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (store_id, order_uuid, note_id)
) STRICT, WITHOUT ROWID;

-- Variants and prices are imported without keeping orders waiting: the new rows are written a few at a time, for the
-- next generation of the catalog, and are in effect once `catalog_version` names it.

-- A row is a variant from one generation of the catalog to another.
CREATE TABLE product_rows (
    row_id INTEGER PRIMARY KEY,
    -- The first generation that has the row.
    since INTEGER NOT NULL DEFAULT 1,
    -- The first generation that no longer has it; the largest number where none is known.
    until INTEGER NOT NULL DEFAULT 9223372036854775807,
    -- The row of its search words, which rows of one variant share as long as the words are the same.
    words_id INTEGER NOT NULL DEFAULT 0,
    sku TEXT NOT NULL,
    name TEXT NOT NULL,
    price INTEGER CHECK (price >= 0),
    currency TEXT NOT NULL,
    -- JSON.
    areas TEXT NOT NULL,
    -- NULL where the variant is a product by itself: the SKU is then the product's id.
    product_id TEXT,
    -- The same in all variants of a product. NULL where no import has named the product.
    product_name TEXT,
    -- JSON: a list of lists of a name and a value.
    options TEXT NOT NULL DEFAULT '[]',
    -- JSON: a list of texts.
    ship_classes TEXT NOT NULL DEFAULT '[]',
    weight_grams INTEGER NOT NULL DEFAULT 0 CHECK (weight_grams >= 0),
    retired INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
    UNIQUE (sku, since)
) STRICT;

-- With all columns that a walk through the ids looks at, so that it reads no row.
CREATE INDEX products_by_product
    ON product_rows (COALESCE(product_id, sku), sku, product_id, retired, since, until, words_id)
    WHERE retired = 0;
-- For imports, which look at all variants of a product.
CREATE INDEX products_retired ON product_rows (COALESCE(product_id, sku)) WHERE retired = 1;
-- With all columns that a search for words looks at.
CREATE INDEX products_by_words ON product_rows (words_id, sku, product_id, retired, since, until);
-- Those to delete.
CREATE INDEX products_ended ON product_rows (until) WHERE until < 9223372036854775807;

-- The variants that are in effect.
CREATE VIEW products AS
SELECT
    words_id, sku, name, price, currency, areas, product_id, product_name, options, ship_classes, weight_grams, retired
FROM product_rows
WHERE since <= (SELECT generation FROM catalog_version)
  AND until > (SELECT generation FROM catalog_version);

-- The search words of the variants with this words_id, written as those of orders.
CREATE VIRTUAL TABLE product_words USING fts5 (
    words,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = 'ascii',
    prefix = '6 8'
);

-- Price lists. That of the service has an empty store id. A list may come before the variants that it prices.
CREATE TABLE price_rows (
    store_id TEXT NOT NULL,
    sku TEXT NOT NULL,
    currency TEXT NOT NULL,
    -- The price holds from this time on, until that of a later row.
    valid_from INTEGER NOT NULL,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    -- The generations of the catalog that have the row, as those of product_rows.
    since INTEGER NOT NULL DEFAULT 1,
    until INTEGER NOT NULL DEFAULT 9223372036854775807,
    PRIMARY KEY (store_id, sku, currency, valid_from, since)
) STRICT, WITHOUT ROWID;

-- Those to delete.
CREATE INDEX prices_ended ON price_rows (until) WHERE until < 9223372036854775807;

-- The prices that are in effect.
CREATE VIEW prices AS
SELECT store_id, sku, currency, valid_from, amount
FROM price_rows
WHERE since <= (SELECT generation FROM catalog_version)
  AND until > (SELECT generation FROM catalog_version);

-- One row: all zones and shipping rates as one JSON document.
CREATE TABLE shipping_rates (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    document TEXT NOT NULL
) STRICT;

-- Schedules of fees, each as one JSON document. That of the service has an empty store id.
CREATE TABLE fee_schedules (
    store_id TEXT PRIMARY KEY NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- One row: how often the catalog has changed. An order is written only while the products are those it was priced with.
CREATE TABLE catalog_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL CHECK (version > 0),
    -- How often variants or prices have changed: which of their rows are in effect.
    generation INTEGER NOT NULL CHECK (generation > 0)
) STRICT;
INSERT INTO catalog_version (id, version, generation) VALUES (1, 1, 1);

-- One row while an import of variants or prices is written, else none.
CREATE TABLE catalog_import (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- A random number that names the import.
    owner INTEGER NOT NULL,
    -- When its latest portion was written, in seconds since 1970.
    renewed_at INTEGER NOT NULL
) STRICT;

-- Operators of the shop. None is ever removed, because the history of orders names them.
CREATE TABLE operators (
    operator_id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'carrier', 'operator', 'admin')),
    -- JSON: the ids of the stores that the operator is bound to. NULL for all stores.
    stores TEXT,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE operator_tokens (
    token_id TEXT PRIMARY KEY NOT NULL,
    operator_id TEXT NOT NULL REFERENCES operators (operator_id),
    -- SHA-256 of the secret, which is not stored.
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    created_at INTEGER NOT NULL,
    -- NULL: never.
    expires_at INTEGER,
    -- The beginning of a minute. NULL before the first use.
    last_used_at INTEGER
) STRICT;

-- What operators have set for themselves. A row exists once one has set something.
CREATE TABLE operator_accounts (
    operator_id TEXT PRIMARY KEY NOT NULL REFERENCES operators (operator_id),
    -- Argon2id, in the PHC format. NULL without a password.
    password_hash TEXT,
    -- A name of the IANA database.
    time_zone TEXT NOT NULL,
    paper TEXT NOT NULL CHECK (paper IN ('a4', 'letter', '4x6')),
    theme TEXT NOT NULL CHECK (theme IN ('auto', 'light', 'dark')),
    sounds INTEGER NOT NULL CHECK (sounds IN (0, 1)),
    keys INTEGER NOT NULL CHECK (keys IN (0, 1))
) STRICT;

CREATE TABLE operator_sessions (
    session_id TEXT PRIMARY KEY NOT NULL,
    operator_id TEXT NOT NULL REFERENCES operators (operator_id),
    -- SHA-256 of the text that the browser sends, which is not stored.
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    -- The IP address that signed in.
    client TEXT NOT NULL,
    signed_in_at INTEGER NOT NULL,
    -- To the minute.
    last_used_at INTEGER NOT NULL,
    confirmed_at INTEGER NOT NULL,
    confirmed_by TEXT NOT NULL CHECK (confirmed_by IN ('password', 'link'))
) STRICT;

CREATE INDEX operator_sessions_of_operator ON operator_sessions (operator_id, signed_in_at);

-- Links by which an operator can sign in once.
CREATE TABLE sign_in_links (
    -- SHA-256 of the text in the link, which is not stored.
    digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
    operator_id TEXT NOT NULL REFERENCES operators (operator_id),
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_in_links_of_operator ON sign_in_links (operator_id);

-- What operators and the command line do that the history of no order records.
CREATE TABLE audit_entries (
    -- A UUIDv7: entries are sorted by it.
    entry_id TEXT PRIMARY KEY NOT NULL,
    at INTEGER NOT NULL,
    -- NULL for the command line.
    operator_id TEXT,
    operator_name TEXT,
    -- NULL on the command line.
    request_id TEXT,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    CHECK ((operator_id IS NULL) = (operator_name IS NULL))
) STRICT;

-- Forms of the console that create something: one that is sent twice gives its first result.
CREATE TABLE form_results (
    operator_id TEXT NOT NULL,
    -- What the page has named the form.
    form_id TEXT NOT NULL,
    claimed_at INTEGER NOT NULL,
    -- Where the form has led. NULL until it has created something.
    result TEXT,
    PRIMARY KEY (operator_id, form_id)
) STRICT;

CREATE INDEX form_results_by_age ON form_results (claimed_at);

-- Files that operators have sent for an import, between its check and its confirmation. Few, and for a day at most.
CREATE TABLE operator_uploads (
    operator_id TEXT NOT NULL,
    upload_id TEXT NOT NULL,
    -- What the file is imported as.
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    kept_at INTEGER NOT NULL,
    PRIMARY KEY (operator_id, upload_id)
) STRICT;

CREATE INDEX operator_uploads_by_age ON operator_uploads (kept_at);

-- Commands of operators about more orders than one call moves. A row changes once for each hundred orders.
CREATE TABLE tasks (
    task_id TEXT PRIMARY KEY NOT NULL,
    operator_id TEXT NOT NULL,
    -- JSON: the ids of the stores that the orders can belong to. NULL for all stores.
    stores TEXT,
    command TEXT NOT NULL,
    -- JSON: the values of the command. NULL until the task has begun.
    given TEXT,
    created_at INTEGER NOT NULL,
    all_parts INTEGER NOT NULL,
    all_orders INTEGER NOT NULL,
    all_items INTEGER NOT NULL,
    done_parts INTEGER NOT NULL,
    done_orders INTEGER NOT NULL,
    moved INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    -- The run of a server that has the task until then.
    lease_owner TEXT,
    leased_until INTEGER,
    finished_at INTEGER
) STRICT;

CREATE INDEX tasks_by_operator ON tasks (operator_id, created_at);
CREATE INDEX tasks_by_age ON tasks (created_at);

-- The orders of tasks, a hundred in a row.
CREATE TABLE task_parts (
    task_id TEXT NOT NULL,
    -- From 0.
    position INTEGER NOT NULL,
    -- JSON: orders with their items.
    listed TEXT NOT NULL,
    -- JSON: the items that were refused, and why. NULL if none was.
    refusals TEXT,
    PRIMARY KEY (task_id, position)
) STRICT;

-- Endpoints of webhooks: of stores, and of the shop. Few rows, which are read far more often than they change.
CREATE TABLE webhook_endpoints (
    endpoint_id TEXT PRIMARY KEY NOT NULL,
    -- The store that it belongs to. NULL where it belongs to the shop.
    store_id TEXT REFERENCES stores (store_id),
    -- JSON: the ids of the stores that an endpoint of the shop hears. NULL for all stores.
    stores TEXT CHECK (store_id IS NULL OR stores IS NULL),
    url TEXT NOT NULL,
    -- JSON: the types of the events that it gets; an empty list for all.
    types TEXT NOT NULL,
    payload TEXT NOT NULL CHECK (payload IN ('full', 'thin')),
    description TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- Why, and since when, nothing is sent to it any more.
    disabled_reason TEXT,
    disabled_at INTEGER CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
    -- Failed attempts since the last one that succeeded, and when the first attempt without success began.
    failures INTEGER NOT NULL CHECK (failures >= 0),
    failing_since INTEGER,
    -- Nothing is sent before this time.
    paused_until INTEGER,
    -- The store by whose events the endpoint is probed after the pause, and how often it was. NULL where the receiver
    -- asked for the pause.
    probing_store TEXT,
    probing_attempts INTEGER CHECK ((probing_attempts IS NULL) = (probing_store IS NULL)),
    -- What happens to the next event, of a test store, and for a delay how many seconds.
    sandbox_action TEXT,
    sandbox_seconds INTEGER,
    version INTEGER NOT NULL CHECK (version > 0)
) STRICT;

-- Secrets that sign the events of an endpoint.
CREATE TABLE webhook_secrets (
    endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (endpoint_id),
    key_id TEXT NOT NULL,
    -- From 0, the newest.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- The secret, which only the service's master key opens.
    sealed BLOB NOT NULL,
    -- The id of that master key.
    sealed_with TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- When it stops signing. NULL for the newest one.
    expires_at INTEGER,
    PRIMARY KEY (endpoint_id, key_id)
) STRICT;

-- How far the events of a store were sent to an endpoint. An endpoint of all stores has no row for a store that was created
-- after it, before a worker first leases the subscription.
CREATE TABLE webhook_subscriptions (
    store_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    -- Up to this sequence each event is settled or has a message.
    cursor INTEGER NOT NULL CHECK (cursor >= 0),
    -- Whether the endpoint hears the store. The row of a store that it does not hear any more is kept, because it leads
    -- to the deliveries.
    subscribed INTEGER NOT NULL DEFAULT 1 CHECK (subscribed IN (0, 1)),
    -- Number of the latest lease, and until when it holds. NULL where it was given back.
    lease INTEGER NOT NULL DEFAULT 0,
    leased_until INTEGER,
    -- When an outcome was last stored. Subscriptions that wait longest are looked at first.
    served_at INTEGER NOT NULL DEFAULT 0,
    -- Number of starts that have found the subscription leased since its cursor was stored, at most 3.
    restarts INTEGER NOT NULL DEFAULT 0,
    -- When the first of its messages is due, or earlier. NULL without messages.
    next_due INTEGER,
    PRIMARY KEY (store_id, endpoint_id)
) STRICT, WITHOUT ROWID;

-- Events that were not taken yet, at or below the cursor of their subscription. A healthy subscription has none.
CREATE TABLE webhook_messages (
    store_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    -- That of the event.
    sequence INTEGER NOT NULL,
    -- The id of the order. NULL for an event that concerns none.
    order_uuid TEXT,
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    -- When it is sent next.
    due INTEGER NOT NULL,
    -- Whether it waits for an earlier event of its order.
    waits INTEGER NOT NULL CHECK (waits IN (0, 1)),
    PRIMARY KEY (store_id, endpoint_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_messages_due ON webhook_messages (store_id, endpoint_id, due, sequence);
CREATE INDEX webhook_messages_by_order ON webhook_messages (store_id, endpoint_id, order_uuid, sequence)
WHERE order_uuid IS NOT NULL;

-- The log of attempts. That of a test of the shop's endpoint has the nil UUID as its store. There is no foreign key to
-- endpoints: the rows of a removed one are not found, and removed when they are old.
CREATE TABLE webhook_deliveries (
    store_id TEXT NOT NULL,
    -- A UUIDv7 of the time when the attempt began: it sorts attempts, and leads to old ones.
    delivery_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- NULL for a test.
    sequence INTEGER,
    -- The id of the order, and the caller's id of it. NULL for an event that concerns none.
    order_uuid TEXT,
    order_id TEXT CHECK ((order_id IS NULL) = (order_uuid IS NULL)),
    -- From 1.
    attempt INTEGER NOT NULL CHECK (attempt > 0),
    -- Why it failed. NULL where it succeeded.
    error TEXT,
    http_status INTEGER,
    -- The beginning of the response's body.
    response TEXT,
    started_at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    -- When the event is sent again. NULL where it is not, and where another attempt followed.
    next_attempt_at INTEGER,
    PRIMARY KEY (store_id, delivery_id)
) STRICT;

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
    store_id TEXT NOT NULL,
    -- The id of the order.
    order_uuid TEXT NOT NULL,
    item_id TEXT NOT NULL,
    -- The number of the item's records.
    revision INTEGER NOT NULL CHECK (revision > 0),
    -- JSON: an object of units by the names of steps.
    done TEXT NOT NULL,
    misprints INTEGER NOT NULL CHECK (misprints >= 0),
    PRIMARY KEY (store_id, order_uuid, item_id)
) STRICT, WITHOUT ROWID;

-- What operators recorded about items. Rows are never changed.
CREATE TABLE production_records (
    store_id TEXT NOT NULL,
    -- The id of the order.
    order_uuid TEXT NOT NULL,
    item_id TEXT NOT NULL,
    -- The item's revision that the record made.
    revision INTEGER NOT NULL CHECK (revision > 0),
    operator_id TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    -- NULL of a misprint.
    step TEXT,
    units INTEGER NOT NULL CHECK (units > 0),
    -- Why units were misprinted.
    reason TEXT CHECK ((reason IS NULL) = (step IS NOT NULL)),
    -- The caller's name of the request.
    once TEXT,
    PRIMARY KEY (store_id, order_uuid, item_id, revision)
) STRICT, WITHOUT ROWID;

-- Batches of the shop, which can have items of several stores.
CREATE TABLE batches (
    number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 2147483647),
    name TEXT,
    -- JSON: a list of store, order and item of each.
    items TEXT NOT NULL,
    item_count INTEGER NOT NULL CHECK (item_count > 0),
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    started_by TEXT,
    started_at INTEGER CHECK ((started_at IS NULL) = (started_by IS NULL)),
    closed_by TEXT,
    closed_at INTEGER CHECK ((closed_at IS NULL) = (closed_by IS NULL))
) STRICT;

CREATE INDEX batches_open ON batches (number) WHERE closed_at IS NULL;

-- The stores of a batch's items.
CREATE TABLE batch_stores (
    number INTEGER NOT NULL,
    store_id TEXT NOT NULL,
    PRIMARY KEY (number, store_id)
) STRICT, WITHOUT ROWID;

-- One row: the number of the latest batch. Making a batch locks it.
CREATE TABLE batch_counter (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    last_number INTEGER NOT NULL CHECK (last_number >= 0)
) STRICT;
INSERT INTO batch_counter (id, last_number) VALUES (1, 0);

-- The items of open batches: the key keeps an item from being in two.
CREATE TABLE open_batch_items (
    store_id TEXT NOT NULL,
    -- The id of the order.
    order_uuid TEXT NOT NULL,
    item_id TEXT NOT NULL,
    -- The number of the batch.
    batch INTEGER NOT NULL,
    PRIMARY KEY (store_id, order_uuid, item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_batch_items_by_batch ON open_batch_items (store_id, batch);

-- One row: the restore for which counters were skipped last, and the identity of the database.
CREATE TABLE latest_restore (
    id INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    -- When skipping began. NULL before the first restore.
    restored_at INTEGER,
    -- By how much counters are skipped.
    numbers INTEGER NOT NULL CHECK (numbers >= 0),
    sequences INTEGER NOT NULL CHECK (sequences >= 0),
    versions INTEGER NOT NULL CHECK (versions >= 0),
    batches INTEGER NOT NULL CHECK (batches >= 0),
    -- Whether no server has started since.
    open INTEGER NOT NULL CHECK (open IN (0, 1)),
    -- The skipped batch numbers: after `after_batch`, up to `last_batch`. NULL before they are skipped.
    after_batch INTEGER,
    last_batch INTEGER CHECK ((last_batch IS NULL) = (after_batch IS NULL)),
    -- Differs between this database and its restored copies. NULL if it is not known.
    identity TEXT
) STRICT;
INSERT INTO latest_restore (id, numbers, sequences, versions, batches, open) VALUES (1, 0, 0, 0, 0, 0);

-- Numbers and sequences that were skipped after restores: after `after_…`, up to `last_…`. These sequences are the only holes in
-- order_events.
CREATE TABLE skipped_counters (
    store_id TEXT NOT NULL,
    restored_at INTEGER NOT NULL,
    after_number INTEGER NOT NULL CHECK (after_number >= 0),
    last_number INTEGER NOT NULL CHECK (last_number >= after_number),
    after_sequence INTEGER NOT NULL CHECK (after_sequence >= 0),
    last_sequence INTEGER NOT NULL CHECK (last_sequence >= after_sequence),
    PRIMARY KEY (store_id, restored_at)
) STRICT, WITHOUT ROWID;

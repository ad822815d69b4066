//! Lists of the tables' columns, from which all code about columns is generated.
//!
//! Each list is a macro that calls the macro `callback!` with the list macro's arguments in
//! parentheses, followed by the columns as `name: Rust type = SQL type`. Schemas, rows, arrays and
//! bindings are generated from the lists. A table read in a join with its parent table
//! lists the columns of the parent's key first.

/// Defines a macro for each column list. The first argument must be `$`: the macro's body needs
/// this token, but cannot contain it literally.
macro_rules! define_columns {
    ($d:tt $($(#[$attribute:meta])* $name:ident { $($columns:tt)* })+) => {
        $(define_columns! { @one $d [$(#[$attribute])*] $name { $($columns)* } })+
    };
    (@one $d:tt [$(#[$attribute:meta])*] $name:ident { $($columns:tt)* }) => {
        $(#[$attribute])*
        macro_rules! $name {
            ($d callback:ident! $d($d arguments:tt)*) => {
                $d callback! {
                    ($d($d arguments)*)
                    $($columns)*
                }
            };
        }
    };
}

define_columns! { $
    /// Columns of `orders`, without the search words.
    #[macro_export]
    order_columns {
        store_id: String = Text,
        id: String = Text,
        order_id: String = Text,
        prefix: String = Text,
        number: i64 = BigInt,
        label_url: Option<String> = Nullable<Text>,
        source: String = Text,
        test: bool = Bool,
        currency: String = Text,
        email: Option<String> = Nullable<Text>,
        shipping_address: Option<String> = Nullable<Text>,
        billing_address: Option<String> = Nullable<Text>,
        customer_first_name: Option<String> = Nullable<Text>,
        customer_last_name: Option<String> = Nullable<Text>,
        production_note: Option<String> = Nullable<Text>,
        fingerprint: Vec<u8> = Binary,
        art: String = Text,
        bill: String = Text,
        priced_at: i64 = BigInt,
        size: i32 = Integer,
    }

    /// Columns of `line_items`. `store_id` and `order_uuid` name the order.
    #[macro_export]
    item_columns {
        store_id: String = Text,
        order_uuid: String = Text,
        position: i32 = Integer,
        id: String = Text,
        ref_id: Option<String> = Nullable<Text>,
        name: Option<String> = Nullable<Text>,
        name_given: bool = Bool,
        sku: String = Text,
        quantity: i32 = Integer,
        ship_class: Option<String> = Nullable<Text>,
        unit_cost: Option<i64> = Nullable<BigInt>,
    }

    /// Columns of `order_states`. `store_id` and `id` name the order.
    #[macro_export]
    state_columns {
        store_id: String = Text,
        id: String = Text,
        version: i32 = Integer,
        updated_at: i64 = BigInt,
        last_sequence: i64 = BigInt,
        due_at: Option<i64> = Nullable<BigInt>,
        cooling_off_seconds: i32 = Integer,
        item_count: i32 = Integer,
        items: String = Text,
        status_bitmask: i16 = SmallInt,
        pending: Option<String> = Nullable<Text>,
        needs: Option<String> = Nullable<Text>,
        replaces: Option<String> = Nullable<Text>,
        replaced_by: Option<String> = Nullable<Text>,
        shipments: i32 = Integer,
        corrections: i32 = Integer,
    }

    /// Columns of `order_events`. The first five columns need not be parameters: a statement can
    /// read them from the event counter and from the order's state after the event.
    #[macro_export]
    event_columns {
        store_id: String = Text,
        sequence: i64 = BigInt,
        order_uuid: Option<String> = Nullable<Text>,
        version: Option<i32> = Nullable<Integer>,
        happened_at: i64 = BigInt,
        endpoint_id: Option<String> = Nullable<Text>,
        previous_sequence: Option<i64> = Nullable<BigInt>,
        previous_at: Option<i64> = Nullable<BigInt>,
        kind: String = Text,
        actor: String = Text,
        actor_id: Option<String> = Nullable<Text>,
        reason: Option<String> = Nullable<Text>,
        request_id: Option<String> = Nullable<Text>,
        moves: String = Text,
        changes: Option<String> = Nullable<Text>,
        shipment: Option<String> = Nullable<Text>,
    }

    /// Columns of `shipments`. `store_id` and `order_uuid` name the order.
    #[macro_export]
    shipment_columns {
        store_id: String = Text,
        order_uuid: String = Text,
        position: i32 = Integer,
        id: String = Text,
        tracking_number: Option<String> = Nullable<Text>,
        document: String = Text,
    }

    /// Columns of `order_notes`. `store_id` and `order_uuid` name the order.
    #[macro_export]
    note_columns {
        store_id: String = Text,
        order_uuid: String = Text,
        note_id: String = Text,
        operator_id: String = Text,
        text: String = Text,
        created_at: i64 = BigInt,
    }

    /// Columns of `fee_corrections`, the fee lines that operators added. `store_id` and
    /// `order_uuid` name the order.
    #[macro_export]
    correction_columns {
        store_id: String = Text,
        order_uuid: String = Text,
        position: i32 = Integer,
        document: String = Text,
    }

    /// Columns of `products`, a row per variant, without the search words.
    #[macro_export]
    variant_columns {
        sku: String = Text,
        name: String = Text,
        price: Option<i64> = Nullable<BigInt>,
        currency: String = Text,
        areas: String = Text,
        product_id: Option<String> = Nullable<Text>,
        product_name: Option<String> = Nullable<Text>,
        options: String = Text,
        ship_classes: String = Text,
        weight_grams: i64 = BigInt,
        retired: bool = Bool,
    }

    /// Columns of `prices`. `sku` names the variant.
    #[macro_export]
    price_columns {
        sku: String = Text,
        store_id: String = Text,
        currency: String = Text,
        valid_from: i64 = BigInt,
        amount: i64 = BigInt,
    }

    store_columns {
        store_id: String = Text,
        name: String = Text,
        prefix: String = Text,
        currency: String = Text,
        test: bool = Bool,
        strict_catalog: bool = Bool,
        require_timestamp: bool = Bool,
        allow_unsigned_search: bool = Bool,
        cooling_off_seconds: Option<i64> = Nullable<BigInt>,
        ship_by_seconds: Option<i64> = Nullable<BigInt>,
        slip_note: Option<String> = Nullable<Text>,
        enabled: bool = Bool,
        created_at: i64 = BigInt,
        version: i64 = BigInt,
    }

    key_columns {
        store_id: String = Text,
        key_id: String = Text,
        position: i32 = Integer,
        sealed: Vec<u8> = Binary,
        sealed_with: String = Text,
        created_at: i64 = BigInt,
        last_used_at: Option<i64> = Nullable<BigInt>,
    }

    operator_columns {
        operator_id: String = Text,
        name: String = Text,
        role: String = Text,
        stores: Option<String> = Nullable<Text>,
        created_at: i64 = BigInt,
    }

    operator_token_columns {
        token_id: String = Text,
        operator_id: String = Text,
        digest: Vec<u8> = Binary,
        created_at: i64 = BigInt,
        expires_at: Option<i64> = Nullable<BigInt>,
        last_used_at: Option<i64> = Nullable<BigInt>,
    }

    endpoint_columns {
        endpoint_id: String = Text,
        store_id: Option<String> = Nullable<Text>,
        stores: Option<String> = Nullable<Text>,
        url: String = Text,
        types: String = Text,
        payload: String = Text,
        description: Option<String> = Nullable<Text>,
        created_at: i64 = BigInt,
        updated_at: i64 = BigInt,
        disabled_reason: Option<String> = Nullable<Text>,
        disabled_at: Option<i64> = Nullable<BigInt>,
        failures: i64 = BigInt,
        failing_since: Option<i64> = Nullable<BigInt>,
        paused_until: Option<i64> = Nullable<BigInt>,
        probing_store: Option<String> = Nullable<Text>,
        probing_attempts: Option<i64> = Nullable<BigInt>,
        sandbox_action: Option<String> = Nullable<Text>,
        sandbox_seconds: Option<i64> = Nullable<BigInt>,
        version: i64 = BigInt,
    }

    secret_columns {
        endpoint_id: String = Text,
        key_id: String = Text,
        position: i32 = Integer,
        sealed: Vec<u8> = Binary,
        sealed_with: String = Text,
        created_at: i64 = BigInt,
        expires_at: Option<i64> = Nullable<BigInt>,
    }

    delivery_columns {
        store_id: String = Text,
        delivery_id: String = Text,
        endpoint_id: String = Text,
        event_id: String = Text,
        kind: String = Text,
        sequence: Option<i64> = Nullable<BigInt>,
        order_uuid: Option<String> = Nullable<Text>,
        order_id: Option<String> = Nullable<Text>,
        attempt: i64 = BigInt,
        error: Option<String> = Nullable<Text>,
        http_status: Option<i64> = Nullable<BigInt>,
        response: Option<String> = Nullable<Text>,
        started_at: i64 = BigInt,
        duration_ms: i64 = BigInt,
        next_attempt_at: Option<i64> = Nullable<BigInt>,
    }

    account_columns {
        operator_id: String = Text,
        password_hash: Option<String> = Nullable<Text>,
        time_zone: String = Text,
        paper: String = Text,
        theme: String = Text,
        sounds: bool = Bool,
        keys: bool = Bool,
    }

    session_columns {
        session_id: String = Text,
        operator_id: String = Text,
        digest: Vec<u8> = Binary,
        client: String = Text,
        signed_in_at: i64 = BigInt,
        last_used_at: i64 = BigInt,
        confirmed_at: i64 = BigInt,
        confirmed_by: String = Text,
    }

    link_columns {
        digest: Vec<u8> = Binary,
        operator_id: String = Text,
        expires_at: i64 = BigInt,
    }

    audit_columns {
        entry_id: String = Text,
        at: i64 = BigInt,
        operator_id: Option<String> = Nullable<Text>,
        operator_name: Option<String> = Nullable<Text>,
        request_id: Option<String> = Nullable<Text>,
        action: String = Text,
        subject: String = Text,
    }

    /// Columns of `batches`, without the items.
    batch_columns {
        number: i64 = BigInt,
        name: Option<String> = Nullable<Text>,
        item_count: i64 = BigInt,
        created_by: String = Text,
        created_at: i64 = BigInt,
        started_by: Option<String> = Nullable<Text>,
        started_at: Option<i64> = Nullable<BigInt>,
        closed_by: Option<String> = Nullable<Text>,
        closed_at: Option<i64> = Nullable<BigInt>,
    }

    record_columns {
        store_id: String = Text,
        order_uuid: String = Text,
        item_id: String = Text,
        revision: i64 = BigInt,
        operator_id: String = Text,
        recorded_at: i64 = BigInt,
        step: Option<String> = Nullable<Text>,
        units: i64 = BigInt,
        reason: Option<String> = Nullable<Text>,
        once: Option<String> = Nullable<Text>,
    }

    /// Columns of `tasks`, without the owner of the lease.
    task_columns {
        task_id: String = Text,
        operator_id: String = Text,
        stores: Option<String> = Nullable<Text>,
        command: String = Text,
        given: Option<String> = Nullable<Text>,
        created_at: i64 = BigInt,
        all_parts: i64 = BigInt,
        all_orders: i64 = BigInt,
        all_items: i64 = BigInt,
        done_parts: i64 = BigInt,
        done_orders: i64 = BigInt,
        moved: i64 = BigInt,
        unchanged: i64 = BigInt,
        refused: i64 = BigInt,
        leased_until: Option<i64> = Nullable<BigInt>,
        finished_at: Option<i64> = Nullable<BigInt>,
    }

    form_columns {
        operator_id: String = Text,
        form_id: String = Text,
        claimed_at: i64 = BigInt,
        result: Option<String> = Nullable<Text>,
    }
}

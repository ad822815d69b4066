//! Operators decide change requests, edit orders for a store, and correct fees.

use pressline_domain::check::Field;
use pressline_domain::event::EventType;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::request::{
    CommandDraft, DecideDraft, FeeLineDraft, ItemChange, LabelDraft, LineItemDraft, UpdateDraft,
};
use pressline_domain::order::{DryRunOrder, Order, OrderError, Placed};
use pressline_domain::store::StoreSettings;

use super::Desk;
use crate::fixture::*;

fn mug(quantity: i64) -> LineItemDraft {
    LineItemDraft {
        file_urls: urls(&[URL]),
        ..item("MUG-11", quantity)
    }
}

/// Opens a shop whose only order, `T-1`, has two mugs and is ready for production.
async fn shop_with_order() -> Shop {
    let mut shop = Shop::open().await;
    shop.store.settings = StoreSettings {
        cooling_off_seconds: Some(0),
        ..StoreSettings::default()
    };
    shop.place("T-1", vec![mug(2)]).await;
    shop
}

/// Draft that changes the order's only item to `quantity`.
async fn quantity(shop: &Shop, quantity: i64) -> UpdateDraft {
    let order = shop.stored("T-1").await.unwrap();
    let other = LineItemDraft {
        quantity: Field::Value(quantity),
        ..LineItemDraft::default()
    };
    update_items("T-1", vec![change(order.content.items[0].id, other)])
}

fn deciding(decision: &str) -> DecideDraft {
    DecideDraft {
        order_id: "DEMO-1".into(),
        decision: decision.into(),
        ..DecideDraft::default()
    }
}

async fn decide(shop: &Shop, draft: &DecideDraft) -> Result<Placed, OrderError> {
    let desk = Desk::new(shop);
    shop.service
        .change
        .decide_change(desk.scope(), draft, &desk.caller())
        .await
}

fn total(order: &Order) -> pressline_domain::value::Amount {
    order.bill().unwrap().total()
}

#[tokio::test]
async fn an_approved_update_is_applied_and_priced_and_a_dry_run_shows_it_before() {
    let shop = shop_with_order().await;
    let asked = shop.update(&quantity(&shop, 3).await).await.unwrap().order;
    assert_eq!(asked.state.item_statuses(), [ItemStatus::RequestChange]);
    assert_eq!(total(&asked), usd("15"));
    let desk = Desk::new(&shop);
    let draft = deciding("approve");
    let run = shop
        .service
        .change
        .dry_run_decide(desk.scope(), &draft, &desk.caller())
        .await
        .unwrap();
    let DryRunOrder::Existing(would_be) = run.order else {
        panic!("a stored order");
    };
    assert_eq!(total(&would_be), usd("21"));
    assert_eq!(shop.stored("T-1").await, Some(asked));
    let approved = decide(&shop, &draft).await.unwrap().order;
    assert_eq!(approved.content, would_be.content);
    assert_eq!(approved.state.item_statuses(), [ItemStatus::Ready]);
    assert_eq!(approved.state.pending, None);
    let again = decide(&shop, &draft).await;
    assert!(matches!(again, Err(OrderError::IllegalTransition { .. })));
}

#[tokio::test]
async fn an_added_item_gets_the_id_that_the_pending_change_shows() {
    let shop = shop_with_order().await;
    let more = UpdateDraft {
        line_items: Field::Value(vec![Field::Value(ItemChange {
            item: mug(1),
            ..ItemChange::default()
        })]),
        version: Field::Value(1),
        ..update("T-1")
    };
    let asked = shop.update(&more).await.unwrap().order;
    let path = asked.state.pending.as_ref().unwrap().changes[0]
        .path
        .clone();
    let approved = decide(&shop, &deciding("approve")).await.unwrap().order;
    let added = approved.content.items[1].id;
    assert_eq!(path, format!("childDetails[{added}]"));
}

#[tokio::test]
async fn an_outdated_approval_is_refused_and_the_change_stays_pending() {
    let shop = shop_with_order().await;
    let order = shop.place("T-2", vec![mug(1), mug(1)]).await.order;
    let ids: Vec<_> = order.content.items.iter().map(|item| item.id).collect();
    let two = || LineItemDraft {
        quantity: Field::Value(2),
        ..LineItemDraft::default()
    };
    let changes = ids.iter().map(|id| change(*id, two())).collect();
    shop.update(&update_items("T-2", changes)).await.unwrap();
    // An operator removes one of the items before the change is approved.
    let desk = Desk::new(&shop);
    let remove = UpdateDraft {
        order_id: "DEMO-2".into(),
        reason: "by phone".into(),
        line_items: Field::Value(vec![Field::Value(removal(ids[0]))]),
        ..UpdateDraft::default()
    };
    let by = desk.caller();
    let removed = shop.service.change.update(desk.scope(), &remove, &by).await;
    let removed = removed.unwrap().order;
    let approve = DecideDraft {
        order_id: "DEMO-2".into(),
        ..deciding("approve")
    };
    let refused = decide(&shop, &approve).await;
    let Err(OrderError::NotEditable { items, violations }) = refused else {
        panic!("the update names an item that is gone: {refused:?}");
    };
    assert_eq!(items, [ids[1]]);
    assert_eq!(violations[0].field, "line_items[0].appItemId");
    assert_eq!(shop.stored("T-2").await, Some(removed));
}

#[tokio::test]
async fn changes_are_refused_with_a_reason_and_questioned_with_a_text() {
    let shop = shop_with_order().await;
    let cancel = CommandDraft {
        order_id: "T-1".into(),
        ..CommandDraft::default()
    };
    shop.service
        .moves
        .cancel(&shop.store, &cancel, &caller())
        .await
        .unwrap();
    for draft in [deciding("refuse"), deciding("ask"), deciding("maybe")] {
        let refused = decide(&shop, &draft).await;
        assert!(
            matches!(refused, Err(OrderError::Invalid { .. })),
            "{draft:?}"
        );
    }
    let other = DecideDraft {
        change_id: "0197f3c2-0000-7000-8000-00000000000f".into(),
        ..deciding("approve")
    };
    let refused = decide(&shop, &other).await;
    assert!(matches!(refused, Err(OrderError::IllegalTransition { .. })));
    let ask = DecideDraft {
        text: "All of it?".into(),
        ..deciding("ask")
    };
    let asked = decide(&shop, &ask).await.unwrap().order;
    assert_eq!(asked.state.item_statuses(), [ItemStatus::NeedAction]);
    shop.service
        .change
        .withdraw_change(&shop.store, &cancel, &caller())
        .await
        .unwrap();
    shop.service
        .moves
        .cancel(&shop.store, &cancel, &caller())
        .await
        .unwrap();
    let keep = DecideDraft {
        keep_fees: Field::Value(true),
        ..deciding("approve")
    };
    let cancelled = decide(&shop, &keep).await.unwrap().order;
    assert_eq!(cancelled.state.item_statuses(), [ItemStatus::Cancelled]);
    assert_eq!(total(&cancelled), usd("10"));
}

#[tokio::test]
async fn operators_change_only_named_fields_until_items_are_done() {
    let shop = shop_with_order().await;
    let desk = Desk::new(&shop);
    let change = UpdateDraft {
        order_id: "DEMO-1".into(),
        reason: "by phone".into(),
        production_note: "with care".into(),
        ..UpdateDraft::default()
    };
    let before = shop.stored("T-1").await.unwrap();
    let by = desk.caller();
    let changed = shop.service.change.update(desk.scope(), &change, &by).await;
    let changed = changed.unwrap().order;
    assert_eq!(
        changed.content.production_note.as_deref(),
        Some("with care")
    );
    assert_eq!(changed.content.customer, before.content.customer);
    assert_eq!(
        changed.content.shipping_address,
        before.content.shipping_address
    );
    assert_eq!(changed.state.item_statuses(), [ItemStatus::Ready]);
    let events = shop
        .service
        .read
        .history(&shop.store, &named("T-1"))
        .await
        .unwrap();
    let latest = &events.page.entries[0].event;
    assert_eq!(latest.kind, EventType::OrderUpdated);
    assert_eq!(latest.reason.as_deref(), Some("by phone"));
    let silent = UpdateDraft {
        reason: Field::Absent,
        production_note: "".into(),
        ..change.clone()
    };
    let refused = shop.service.change.update(desk.scope(), &silent, &by).await;
    assert!(matches!(refused, Err(OrderError::Invalid { .. })));
    // A store's update must have the fields that the API requires.
    let partial = UpdateDraft {
        order_id: "T-1".into(),
        ..change.clone()
    };
    let refused = shop
        .service
        .change
        .update(&shop.store, &partial, &caller())
        .await;
    assert!(matches!(refused, Err(OrderError::Invalid { .. })));
}

fn named(order_id: &str) -> pressline_domain::order::HistoryDraft {
    pressline_domain::order::HistoryDraft {
        order_id: order_id.into(),
        ..pressline_domain::order::HistoryDraft::default()
    }
}

#[tokio::test]
async fn fee_lines_add_up_and_no_fee_falls_below_zero() {
    let shop = shop_with_order().await;
    let desk = Desk::new(&shop);
    let line = |fee: &str, amount: &str| FeeLineDraft {
        order_id: "DEMO-1".into(),
        fee: fee.into(),
        amount: amount.into(),
        reason: "goodwill".into(),
        ..FeeLineDraft::default()
    };
    let by = desk.caller();
    let add = async |draft: &FeeLineDraft| {
        let added = shop
            .service
            .change
            .correct_fees(desk.scope(), draft, &by)
            .await;
        added.map(|placed| total(&placed.order))
    };
    // Two mugs at 5.00, shipping 4.00 + 1.00.
    assert_eq!(add(&line("shipping", "-1.50")).await.unwrap(), usd("13.50"));
    assert_eq!(add(&line("other", "2")).await.unwrap(), usd("15.50"));
    for (fee, amount) in [
        ("shipping", "-3.51"),
        ("surcharge", "-0.01"),
        ("other", "0.005"),
        ("other", "0"),
        ("tips", "1"),
    ] {
        let refused = add(&line(fee, amount)).await;
        assert!(matches!(refused, Err(OrderError::Invalid { .. })), "{fee}");
    }
    let unknown = FeeLineDraft {
        app_item_id: "0197f3c2-0000-7000-8000-00000000000f".into(),
        ..line("other", "1")
    };
    assert!(matches!(
        add(&unknown).await,
        Err(OrderError::UnknownItem(_))
    ));
    let stale = FeeLineDraft {
        version: Field::Value(1),
        ..line("other", "1")
    };
    assert!(matches!(
        add(&stale).await,
        Err(OrderError::VersionConflict { .. })
    ));
}

#[tokio::test]
async fn labels_are_replaced_or_requested_and_manual_orders_have_no_label() {
    let mut shop = Shop::open().await;
    shop.create_label(&label("L-1")).await.unwrap();
    let other = |order_id: &str, url: &str| LabelDraft {
        order_id: order_id.into(),
        shipping_address_label: url.into(),
        ..LabelDraft::default()
    };
    let url = "https://labels.example/2.pdf";
    let by = caller();
    let first = other("L-1", url);
    let changed = shop
        .service
        .change
        .update_label(&shop.store, &first, &by)
        .await;
    let changed = changed.unwrap().order;
    assert_eq!(changed.content.label_url.as_deref(), Some(url));
    assert_eq!(changed.state.version, 2);
    let again = shop
        .service
        .change
        .update_label(&shop.store, &first, &by)
        .await;
    assert_eq!(again.unwrap().order, changed);
    shop.place("T-1", vec![mug(1)]).await;
    for wrong in [
        other("T-1", url),
        other("L-1", "ftp://x"),
        other("L-1", " "),
    ] {
        let refused = shop
            .service
            .change
            .update_label(&shop.store, &wrong, &by)
            .await;
        assert!(
            matches!(refused, Err(OrderError::Invalid { .. })),
            "{wrong:?}"
        );
    }
    shop.store.settings.cooling_off_seconds = Some(0);
    let mut at_work = label("L-2");
    at_work.line_items = Field::Value(vec![Field::Value(mug(1))]);
    shop.create_label(&at_work).await.unwrap();
    let before = shop.stored("L-2").await.unwrap().content.label_url.clone();
    let request = other("L-2", url);
    let asked = shop
        .service
        .change
        .update_label(&shop.store, &request, &by)
        .await;
    let asked = asked.unwrap().order;
    assert_eq!(asked.content.label_url, before);
    assert_eq!(asked.state.item_statuses(), [ItemStatus::RequestChange]);
    let approve = DecideDraft {
        order_id: asked.service_order_id.to_string().as_str().into(),
        ..deciding("approve")
    };
    let approved = decide(&shop, &approve).await.unwrap().order;
    assert_eq!(approved.content.label_url.as_deref(), Some(url));
}

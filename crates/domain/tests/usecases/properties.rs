//! Properties of every order, for random requests.

use pressline_domain::check::Field;
use pressline_domain::order::fingerprint::Fingerprint;
use pressline_domain::order::request::{AddressDraft, LineItemDraft, OrderDraft};
use pressline_domain::order::{Order, OrderError, Placed};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::Amount;
use proptest::prelude::*;

use super::fixture::*;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

fn any_item() -> impl Strategy<Value = LineItemDraft> {
    let sku = prop_oneof![4 => Just("MUG-11"), 4 => Just("TEE-M"), 1 => Just("POSTER"), 1 => Just("NO-SUCH")];
    let class = prop_oneof![
        4 => Just(Field::Absent),
        2 => Just("express".into()),
        2 => Just("STANDARD".into()),
        1 => Just("Unheard-of".into()),
        1 => Just("slow".into()),
    ];
    (sku, 1_i64..=1000, class, 0_usize..4).prop_map(|(sku, quantity, ship_class, files)| {
        LineItemDraft {
            ship_class,
            ..with_files(item(sku, quantity), files)
        }
    })
}

fn any_items() -> impl Strategy<Value = Vec<LineItemDraft>> {
    proptest::collection::vec(any_item(), 1..8)
}

fn optional_text() -> impl Strategy<Value = Field<String>> {
    prop_oneof![
        Just(Field::Absent),
        Just("".into()),
        "[a-cÀ-ỹ ]{1,8}".prop_map(Field::Value)
    ]
}

/// Generates valid requests with and without each optional field.
fn any_request() -> impl Strategy<Value = OrderDraft> {
    let texts = (
        optional_text(),
        optional_text(),
        optional_text(),
        optional_text(),
    );
    let latitude = prop_oneof![Just(Field::Absent), (-90.0..=90.0).prop_map(Field::Value)];
    (texts, latitude, any_items()).prop_map(|((company, phone, city, name), latitude, list)| {
        OrderDraft {
            shipping_address: AddressDraft {
                company,
                latitude,
                phone,
                ..address()
            }
            .into(),
            billing_address: AddressDraft {
                city,
                ..AddressDraft::default()
            }
            .into(),
            line_items: items(
                list.into_iter()
                    .map(|item| LineItemDraft {
                        name: name.clone(),
                        ..item
                    })
                    .collect(),
            ),
            ..order("T-1")
        }
    })
}

/// Replaces absent fields by blank texts, and vice versa.
fn respelled(mut draft: OrderDraft) -> OrderDraft {
    fn other(field: &mut Field<String>) {
        if field.is_blank() {
            *field = if field.is_absent() {
                "  ".into()
            } else {
                Field::Absent
            };
        }
    }
    other(&mut draft.email);
    for address in [&mut draft.shipping_address, &mut draft.billing_address] {
        if let Field::Value(address) = address {
            let AddressDraft {
                company,
                phone,
                city,
                province,
                ..
            } = address;
            for field in [company, phone, city, province] {
                other(field);
            }
        }
    }
    if let Field::Value(items) = &mut draft.line_items {
        for item in items {
            if let Field::Value(item) = item {
                let LineItemDraft {
                    name,
                    ship_class,
                    ref_id,
                    ..
                } = item;
                for field in [name, ship_class, ref_id] {
                    other(field);
                }
            }
        }
    }
    draft
}

fn sum(order: &Order) -> i64 {
    let fees = order.parts().bill.fees().into_iter().flatten();
    fees.map(Amount::minor_units).sum()
}

async fn created(draft: &OrderDraft) -> Placed {
    Shop::open().await.create(draft).await.unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn the_total_is_the_sum_of_its_parts(list in any_items()) {
        let placed = block_on(created(&order_of("T-1", list)));
        prop_assert_eq!(placed.order.parts().bill.total().minor_units(), sum(&placed.order));
        let incomplete = placed.warnings.iter().any(|warning| warning.code.as_str() == "total_incomplete");
        prop_assert_eq!(incomplete, !placed.order.parts().is_priced());
    }

    #[test]
    fn the_cost_of_products_is_that_of_each_item(list in any_items()) {
        let order = block_on(created(&order_of("T-1", list))).order;
        let costs: Option<i64> = order
            .parts()
            .items
            .iter()
            .map(|item| Some(item.unit_cost?.minor_units() * i64::from(item.quantity)))
            .sum();
        prop_assert_eq!(order.parts().bill.fee(FeeType::Product).map(Amount::minor_units), costs);
    }

    #[test]
    fn the_order_of_items_does_not_matter_for_the_fees(list in any_items().prop_shuffle(), turn in 0_usize..8) {
        let mut turned = list.clone();
        let turn = turn % turned.len();
        turned.rotate_left(turn);
        let one = block_on(created(&order_of("T-1", list))).order;
        let other = block_on(created(&order_of("T-1", turned))).order;
        prop_assert_eq!(one.parts().bill.fees(), other.parts().bill.fees());
    }

    #[test]
    fn two_items_of_one_product_ship_like_one_of_both_quantities(one in 1_i64..500, other in 1_i64..500) {
        let split = block_on(created(&order_of("T-1", vec![item("MUG-11", one), item("MUG-11", other)]))).order;
        let joined = block_on(created(&order_of("T-1", vec![item("MUG-11", one + other)]))).order;
        prop_assert_eq!(split.parts().bill.fees(), joined.parts().bill.fees());
    }

    #[test]
    fn a_request_is_its_own_repetition(draft in any_request()) {
        block_on(async {
            let shop = Shop::open().await;
            let first = shop.create(&draft).await.unwrap();
            let again = shop.create(&respelled(draft)).await.unwrap();
            prop_assert!(again.replayed);
            prop_assert_eq!(first.order, again.order);
            Ok(())
        })?;
    }

    #[test]
    fn requests_that_differ_are_a_conflict_that_names_a_path(one in any_request(), other in any_request()) {
        prop_assume!(one != other && one != respelled(other.clone()));
        block_on(async {
            let shop = Shop::open().await;
            shop.create(&one).await.unwrap();
            match shop.create(&other).await {
                Ok(placed) => prop_assert!(placed.replayed),
                Err(OrderError::Duplicate { differing, .. }) => prop_assert!(!differing.is_empty()),
                Err(error) => prop_assert!(false, "{error}"),
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_fingerprint_survives_being_kept(draft in any_request()) {
        let order = block_on(created(&draft)).order;
        let fingerprint = &order.parts().fingerprint;
        prop_assert_eq!(Fingerprint::from_bytes(&fingerprint.to_bytes()), Ok(fingerprint.clone()));
    }

    #[test]
    fn an_update_that_has_no_influence_on_prices_changes_no_fee(list in any_items()) {
        block_on(async {
            let shop = Shop::open().await;
            let before = shop.place("T-1", list).await.order;
            let after = shop.update(&noted("T-1", "with care")).await.unwrap().order;
            prop_assert_eq!(before.parts().bill.fees(), after.parts().bill.fees());
            prop_assert_eq!(&before.parts().items, &after.parts().items);
            Ok(())
        })?;
    }
}

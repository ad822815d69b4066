//! Validation of an order's own fields.

use super::*;

const OF_THE_ORDER: &[Rule] = &[
    ("nothing wrong", |_| {}, &[]),
    (
        "no order id",
        |d| d.order_id = Field::Absent,
        &[("order_id", "required")],
    ),
    (
        "blank order id",
        |d| d.order_id = " \t".into(),
        &[("order_id", "required")],
    ),
    (
        "order id of another type",
        |d| d.order_id = wrong(),
        &[("order_id", "wrong_type")],
    ),
    (
        "order id too long",
        |d| d.order_id = text(129),
        &[("order_id", "too_long")],
    ),
    (
        "order id with a line break",
        |d| d.order_id = "a\nb".into(),
        &[("order_id", "invalid_format")],
    ),
    (
        "order id with NUL",
        |d| d.order_id = "a\0".into(),
        &[("order_id", "invalid_format")],
    ),
    (
        "email too long",
        |d| d.email = text(256),
        &[("email", "too_long")],
    ),
    (
        "email of another type",
        |d| d.email = wrong(),
        &[("email", "wrong_type")],
    ),
    ("blank email", |d| d.email = "".into(), &[]),
    (
        "response type of another type",
        |d| d.response_type = wrong(),
        &[("response_type", "wrong_type")],
    ),
    (
        "no customer",
        |d| d.customer = Field::Absent,
        &[("customer", "required")],
    ),
    (
        "customer of another type",
        |d| d.customer = wrong(),
        &[("customer", "wrong_type")],
    ),
    (
        "customer without a name",
        |d| {
            d.customer = CustomerDraft {
                first_name: " ".into(),
                ..Default::default()
            }
            .into()
        },
        &[("customer.first_name", "required")],
    ),
    (
        "customer with a last name",
        |d| {
            d.customer = CustomerDraft {
                last_name: "Đỗ".into(),
                ..Default::default()
            }
            .into();
        },
        &[],
    ),
    (
        "customer's name too long",
        |d| {
            d.customer = CustomerDraft {
                first_name: text(256),
                ..Default::default()
            }
            .into()
        },
        &[("customer.first_name", "too_long")],
    ),
];

#[tokio::test]
async fn the_order_itself() {
    check(OF_THE_ORDER).await;
}

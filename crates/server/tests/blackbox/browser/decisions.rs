//! What stores ask for, decided on the page of problems, in three ways.

use fantoccini::Locator;
use serde_json::json;

use super::desk::{Desk, Hands};
use super::driver::in_browser;
use super::shop::Shop;

#[test]
fn changes_are_decided_with_scripts() {
    decisions(true, Hands::Mouse);
}

#[test]
fn changes_are_decided_without_scripts() {
    decisions(false, Hands::Mouse);
}

#[test]
fn changes_are_decided_by_keyboard_alone() {
    decisions(true, Hands::Keys);
}

fn decisions(runs_scripts: bool, hands: Hands) {
    in_browser(async |driver| {
        let shop = Shop::open();
        for order_id in ["shop-1", "shop-2", "shop-3"] {
            shop.mug(order_id);
            let named = json!({ "order_id": order_id, "reason": "bought twice" });
            shop.store.call("cancel", &named).ok();
        }
        let desk = Desk::with(driver, &shop.server, runs_scripts, hands).await;
        desk.sign_in(&shop.site, "Ana").await;
        // With the number of problems, which is counted in the background.
        let problems = "//nav//a[starts-with(normalize-space(.), 'Problems')]";
        desk.follow_at(problems, "Problems").await;
        desk.is_at("Problems").await;
        desk.sees("Orders on this page: 3").await;
        approve(&desk).await;
        focus_is_on(&desk, "problem-SUN-2").await;
        desk.press("Refuse SUN-2").await;
        desk.sees("There is a problem").await;
        desk.fill("Reason, or question", "it is printed").await;
        desk.press("Refuse SUN-2").await;
        desk.sees("SUN-2: Refused.").await;
        focus_is_on(&desk, "problem-SUN-3").await;
        desk.fill("Find order", "SUN-1").await;
        desk.press("Find").await;
        desk.is_at("SUN-1").await;
        desk.sees("2.50 USD").await;
        desk.sees("the blank was ordered").await;
        desk.press("Sign out").await;
        desk.sees("You have signed out.").await;
        desk.leave().await;
    });
}

/// Approves the first request, for a fee.
async fn approve(desk: &Desk) {
    desk.unfold("With a fee line").await;
    desk.choose("Fee", "handling").await;
    desk.fill("Amount", "2.50").await;
    desk.fill("Reason of the fee", "the blank was ordered")
        .await;
    desk.press("Approve SUN-1").await;
    desk.sees("SUN-1: Approved. Fee line added.").await;
    desk.sees("Orders on this page: 2").await;
}

/// Asserts that the card is where the keyboard goes on.
async fn focus_is_on(desk: &Desk, id: &str) {
    let focused = desk.client.active_element().await.unwrap();
    assert_eq!(focused.attr("id").await.unwrap().as_deref(), Some(id));
    let target = Locator::Css(":target");
    let target = desk.client.find(target).await.unwrap();
    assert_eq!(target.attr("id").await.unwrap().as_deref(), Some(id));
}

//! Two operators on one order, and a session that ends while a form is filled in.

use super::desk::Desk;
use super::driver::in_browser;
use super::shop::Shop;

const PASSWORD: &str = "seven wild geese over water";

#[test]
fn two_operators_on_one_order_see_what_the_other_did() {
    in_browser(async |driver| {
        let shop = Shop::open();
        shop.order("shop-1");
        let ana = Desk::open(driver, &shop.server).await;
        ana.sign_in(&shop.site, "Ana").await;
        let otto = Desk::open(driver, &shop.server).await;
        otto.sign_in(&shop.site, "Otto").await;
        otto.go("/console/orders/SUN-1/fee-lines").await;
        otto.fill("Amount", "7.25").await;
        otto.fill("Reason", "a second proof").await;
        ana.go("/console/orders/SUN-1").await;
        ana.press("Start SUN-1").await;
        ana.sees("Started.").await;
        otto.press("Add fee line").await;
        otto.sees("Changed meanwhile").await;
        otto.sees("SUN-1-1: ready → in-production").await;
        otto.sees("Ana").await;
        assert_eq!(otto.value("Amount").await, "7.25");
        otto.press("Apply to current").await;
        otto.sees("Fee line added.").await;
        otto.sees("7.25 USD").await;
        ana.leave().await;
        otto.leave().await;
    });
}

#[test]
fn what_was_typed_survives_the_end_of_the_session() {
    in_browser(async |driver| {
        let shop = Shop::open();
        shop.mug("shop-1");
        let ana = Desk::open(driver, &shop.server).await;
        ana.sign_in(&shop.site, "Ana").await;
        ana.go("/console/account").await;
        ana.fill("New password", PASSWORD).await;
        ana.press("Set password").await;
        ana.sees("The password is set.").await;
        ana.go("/console/orders/SUN-1/move?command=hold").await;
        ana.fill("Reason", "smudged “ink”").await;
        let form = ana.client.window().await.unwrap();
        // She signs out in another tab.
        let other = ana.client.new_window(true).await.unwrap();
        ana.client.switch_to_window(other.handle).await.unwrap();
        ana.go("/console/account").await;
        ana.press("Sign out").await;
        ana.sees("You have signed out.").await;
        ana.client.close_window().await.unwrap();
        ana.client.switch_to_window(form).await.unwrap();
        ana.press("Hold").await;
        ana.sees("What you typed is kept").await;
        ana.fill("Name", "Ana").await;
        ana.fill("Password", PASSWORD).await;
        ana.press("Sign in").await;
        ana.sees("smudged “ink”").await;
        ana.press("Send again").await;
        ana.sees("On hold.").await;
        ana.sees("smudged “ink”").await;
        ana.leave().await;
    });
}

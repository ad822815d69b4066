//! Commands for more orders than a single call may contain.

use pressline_backoffice::operator::Operator;
use pressline_backoffice::task::{TaskItem, TaskOrder, TaskRun};
use pressline_domain::fulfilment::Command;
use pressline_domain::order::Order;
use pressline_domain::order::request::MoveValues;
use pressline_domain::value::TaskId;

use crate::browser::Browser;
use crate::order::{Shop, operator};
use crate::world::{Response, World};

const QUEUE: &str = "/console/queue";

async fn done(browser: &mut Browser<'_>, path: &str) -> Response {
    loop {
        let page = browser.get(&format!("{path}?poll=1")).await;
        if page.body.contains("<strong>done</strong>") {
            return page;
        }
        page.is(200)
            .shows("hx-trigger=\"every 2s\"")
            .shows("Refresh");
        actix_web::rt::task::yield_now().await;
    }
}

/// Prepares a task of `operator` that starts `order`. Returns its id.
async fn prepare(world: &World, operator: &Operator, order: &Order) -> TaskId {
    let tasks = &world.tasks;
    let prepared = tasks
        .prepare(operator, Command::Start, vec![of(order)])
        .await;
    prepared.unwrap()
}

/// Begins a task of `otto`; `None` if it has begun before.
async fn begin(world: &World, otto: &Operator, id: TaskId) -> Option<TaskRun> {
    let (tasks, values) = (&world.tasks, MoveValues::default());
    let begun = tasks.begin(otto, id, values, operator()).await;
    begun.unwrap()
}

fn of(order: &Order) -> TaskOrder {
    let number = &order.service_order_id;
    let items = order.state.items.iter().map(|item| TaskItem {
        id: item.id,
        code: item.code(number),
    });
    TaskOrder {
        number: number.clone(),
        items: items.collect(),
    }
}

#[actix_web::test]
async fn all_items_of_many_orders_are_moved_by_a_task() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    for number in 0..501 {
        shop.order(&format!("o-{number}"), &["MUG"]).await;
    }
    let mut browser = world.signed_in_at("otto", QUEUE).await;
    let all = [("command", "hold"), ("scope", "all")];
    let prepared = browser.post(QUEUE, &all).await;
    let path = prepared.header("location").to_owned();
    prepared.is(303);
    assert!(path.starts_with("/console/tasks/"), "{path}");
    let page = browser.open(&path).await;
    page.shows("Hold: 501 items of 501 orders. Items that arrive later are left out.");
    // Two orders arrive after the listing, and a listed order is cancelled.
    shop.order("late-1", &["MUG"]).await;
    shop.order("late-2", &["MUG"]).await;
    shop.cancel("o-0").await;
    let none = browser.post(&path, &[]).await;
    none.is(400).shows("reason");
    browser
        .post(&path, &[("reason", "wrong blank")])
        .await
        .leads_to(&path);
    let page = done(&mut browser, &path).await;
    page.shows("501 of 501 orders").shows("<dd>500</dd>");
    page.shows("Refused: <bdi>cancelled</bdi>");
    let file = browser.open(&format!("{path}/refusals.csv")).await;
    file.shows("order,itemCode,reason\nSUN-1,SUN-1-1,cancelled\n");
    let waiting = browser.get("/console/queue?statuses=ready").await;
    waiting
        .shows("SUN-502-1")
        .shows("SUN-503-1")
        .hides("SUN-9-1");
    // A second start has no effect.
    browser
        .submit(&path, &[("reason", "again")], &path)
        .await
        .shows("Nothing changed.");
    let list = browser.open("/console/tasks").await;
    list.shows(&path).shows("501 of 501");
}

#[actix_web::test]
async fn a_task_that_was_interrupted_is_continued() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let order = shop.order("a", &["MUG", "TEE"]).await;
    let (otto, _) = world.operator("otto");
    let id = prepare(&world, &otto, &order).await;
    // The server stops before it has processed any order.
    drop(begin(&world, &otto, id).await.unwrap());
    let path = format!("/console/tasks/{id}");
    let mut browser = world.signed_in("otto").await;
    browser
        .get(&path)
        .await
        .shows("<strong>running</strong>")
        .hides("Continue");
    world.minutes_pass(2);
    browser
        .get(&path)
        .await
        .shows("<strong>interrupted</strong>")
        .shows("Continue");
    browser
        .post(&format!("{path}/continue"), &[])
        .await
        .leads_to(&path);
    done(&mut browser, &path)
        .await
        .shows("1 of 1 order<")
        .shows("<dd>2</dd>");
    browser
        .submit(&format!("{path}/continue"), &[], &path)
        .await
        .shows("Nothing changed.");
    browser
        .get("/console/queue?statuses=in-production")
        .await
        .shows("SUN-1-2");
}

#[actix_web::test]
async fn a_task_is_visible_to_operators_of_its_stores() {
    let world = World::new().await;
    let order = Shop::other(&world).order("a", &["MUG"]).await;
    let (otto, _) = world.operator("otto");
    let id = prepare(&world, &otto, &order).await;
    let path = format!("/console/tasks/{id}");
    world.signed_in("ana").await.open(&path).await;
    let mut bound = world.signed_in("bert").await;
    bound.open("/console/tasks").await.hides(&path);
    bound.get(&path).await.is(404).hides("MOON-1");
    bound.get(&format!("{path}/refusals.csv")).await.is(404);
    bound.post(&path, &[]).await.is(404);
    bound.post(&format!("{path}/continue"), &[]).await.is(404);
    bound.get("/console/tasks/x").await.is(404);
}

#[actix_web::test]
async fn concurrent_tasks_of_an_operator_are_limited() {
    let world = World::new().await;
    let order = Shop::new(&world).order("a", &["MUG"]).await;
    let (otto, _) = world.operator("otto");
    for _ in 0..3 {
        let id = prepare(&world, &otto, &order).await;
        assert!(begin(&world, &otto, id).await.is_some());
    }
    let id = prepare(&world, &otto, &order).await;
    let mut browser = world.signed_in("otto").await;
    let path = format!("/console/tasks/{id}");
    browser.open(&path).await;
    let refused = browser.post(&path, &[]).await;
    refused.is(400).shows("3 of your tasks are running");
    world.minutes_pass(2);
    browser.post(&path, &[]).await.leads_to(&path);
}

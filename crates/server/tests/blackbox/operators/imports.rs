//! Imports and background tasks of the console, with two servers on a shared database.

use std::thread;
use std::time::Duration;

use super::console::{Browser, create, leads, shows, signed_in};
use crate::common::{Request, Response, Server, Site, on_both_databases};

on_both_databases!(
    any_server_imports_an_uploaded_file,
    a_command_for_many_orders_is_a_background_task,
    an_order_page_links_to_its_neighbours_in_the_list
);

const PLAIN: (&str, &str) = ("PRESSLINE__OPERATOR__PLAIN_HTTP", "true");

/// Starts two servers, creates a store without cooling-off period, and signs a browser in.
fn opened(site: &Site) -> ([Server; 2], Browser) {
    site.import_catalog();
    let servers = [site.serve_with(&[PLAIN]), site.serve_with(&[PLAIN])];
    site.store(&servers[0], &["--prefix", "OWN", "--cooling-off", "0"]);
    create(site, "Ana");
    let browser = signed_in(site, &servers[0], "Ana");
    (servers, browser)
}

/// Uploads `content` as a browser does.
pub(super) fn upload(
    browser: &mut Browser,
    path: &str,
    store: &str,
    content: impl AsRef<[u8]>,
) -> Response {
    let mut body = String::new();
    for (name, value) in [("token", browser.token.as_str()), ("stores", store)] {
        body.push_str(&format!(
            "--b0\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        ));
    }
    body.push_str(
        "--b0\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.csv\"\r\n\r\n",
    );
    let parts = [body.as_bytes(), content.as_ref(), b"\r\n--b0--\r\n"];
    let request = Request {
        body: parts.concat(),
        ..Request::new("POST", path)
    };
    let request = request
        .header("Content-Type", "multipart/form-data; boundary=b0")
        .header("Sec-Fetch-Site", "same-origin");
    browser.send(request)
}

/// Uploads a file to the first of `servers`, and imports it on the second.
fn import(browser: &mut Browser, servers: &[Server; 2], path: &str, content: &str, rows: &str) {
    browser.address = servers[0].for_operators();
    let page = browser.get(path);
    let store = page.text().split_once("name=\"stores\"").map(|(_, rest)| {
        let options = rest.split("<option value=\"").skip(1);
        let own = options.filter(|option| option.contains("(OWN)"));
        let ids: Vec<&str> = own.filter_map(|option| option.split('"').next()).collect();
        ids[0].to_owned()
    });
    let store = store.unwrap_or_default();
    let sent = upload(browser, path, &store, content);
    assert_eq!(sent.status, 303, "{sent}");
    let preview = sent.header("Location").unwrap().to_owned();
    browser.address = servers[1].for_operators();
    let shown = browser.get(&preview);
    shows(&shown, rows);
    let file = preview.split_once("file=").unwrap().1;
    let fields = [("file", file), ("stores", store.as_str())];
    let ran = browser.post(&format!("{path}/run"), &fields);
    let end = path.strip_suffix("/import").unwrap();
    leads(&ran, end);
}

/// Returns a file with `count` orders of a mug.
fn orders(count: usize) -> String {
    let mut text =
        "order_id,first_name,address1,city,zip,country_code,sku,quantity,file_urls\n".to_owned();
    for number in 1..=count {
        text.push_str(&format!(
            "X-{number},Ana,1 Rua,Lisboa,1000-001,PT,MUG-11OZ-WHITE,1,https://files.example/{number}.png\n"
        ));
    }
    text
}

fn any_server_imports_an_uploaded_file(site: &Site) {
    let (servers, mut browser) = opened(site);
    let path = "/console/orders/import";
    import(&mut browser, &servers, path, &orders(3), "3 orders new");
    shows(&browser.get("/console/orders"), "3 orders placed.");
    import(
        &mut browser,
        &servers,
        path,
        &orders(3),
        "3 orders placed already",
    );
    let path = "/console/shipments/import";
    let parcels = "order_id,carrier,tracking_number\nOWN-1,UPS,1Z-1\nOWN-2,UPS,1Z-2\n";
    import(&mut browser, &servers, path, parcels, "2 parcels new");
    let list = browser.get("/console/shipments?carrier=ups");
    shows(&list, "2 parcels recorded.");
    shows(&list, "Parcels on this page: 2");
    let one = browser.get("/console/shipments?trackingNumber=1Z-2");
    shows(&one, "OWN-2");
    let shipped = browser.get("/console/orders?statuses=fulfilled");
    shows(&shipped, "Orders on this page: 2");
}

/// Returns the paths of the previous and the next order on an order page.
fn neighbours(page: &Response) -> [Option<String>; 2] {
    ["Previous order", "Next order"].map(|name| {
        let text = page.text();
        let (before, _) = text.split_once(&format!(">{name}</a>"))?;
        let (_, rest) = before.rsplit_once("href=\"")?;
        Some(rest.split('"').next()?.to_owned())
    })
}

fn an_order_page_links_to_its_neighbours_in_the_list(site: &Site) {
    let (servers, mut browser) = opened(site);
    let path = "/console/orders/import";
    import(&mut browser, &servers, path, &orders(4), "4 orders new");
    let parcel = "order_id,carrier,tracking_number\nOWN-2,UPS,1Z-1\n";
    let path = "/console/shipments/import";
    import(&mut browser, &servers, path, parcel, "1 parcel new");
    let listed = browser.get("/console/orders");
    let mut orders = ["1", "2", "3", "4"];
    orders.sort_by_key(|number| listed.text().find(&format!(">OWN-{number}<")));
    let newest = |numbers: &[&'static str]| -> Vec<&'static str> {
        let of_list = orders.iter().filter(|number| numbers.contains(number));
        of_list.copied().collect()
    };
    let oldest = |numbers| newest(numbers).into_iter().rev().collect();
    // Each list with its orders, viewed at OWN-3, which need not be in the list.
    let lists: [(&str, Vec<&str>); 7] = [
        ("/console/orders", newest(&["1", "2", "3", "4"])),
        ("/console/orders?statuses=ready", newest(&["1", "3", "4"])),
        (
            "/console/orders?searchKey=ana",
            newest(&["1", "2", "3", "4"]),
        ),
        ("/console/orders?trackingNumber=1Z-1", newest(&["2", "3"])),
        (
            "/console/queue?sku=MUG-11OZ-WHITE",
            oldest(&["1", "3", "4"]),
        ),
        ("/console/queue?sku=OTHER", oldest(&["3"])),
        ("/console/problems", oldest(&["1", "3", "4"])),
    ];
    for (list, orders) in lists {
        let encoded = list.replace('?', "%3F").replace('=', "%3D");
        let address = format!("/console/orders/OWN-3?list={encoded}");
        let found = neighbours(&browser.get(&address));
        let numbers = found.map(|address| {
            let address = address?;
            let (path, _) = address.split_once('?')?;
            path.strip_prefix("/console/orders/OWN-").map(str::to_owned)
        });
        let at = orders.iter().position(|number| *number == "3").unwrap();
        let expected = [at.checked_sub(1), Some(at + 1)];
        let expected = expected.map(|at| orders.get(at?).copied());
        let numbers: Vec<_> = numbers.iter().map(Option::as_deref).collect();
        assert_eq!(numbers, expected, "{list}");
    }
}

fn a_command_for_many_orders_is_a_background_task(site: &Site) {
    let (servers, mut browser) = opened(site);
    let path = "/console/orders/import";
    import(&mut browser, &servers, path, &orders(501), "501 orders new");
    browser.get("/console/queue");
    let all = [("command", "start"), ("scope", "all")];
    let prepared = browser.post("/console/queue", &all);
    assert_eq!(prepared.status, 303, "{prepared}");
    let task = prepared.header("Location").unwrap().to_owned();
    browser.address = servers[0].for_operators();
    shows(&browser.get(&task), "Start: 501 items of 501 orders.");
    leads(&browser.post(&task, &[]), &task);
    // The other server shows the progress.
    browser.address = servers[1].for_operators();
    let done = loop {
        let page = browser.get(&task);
        assert_eq!(page.status, 200, "{page}");
        if !page.text().contains("<strong>running</strong>") {
            break page;
        }
        // A person does not reload more often, and a session must not.
        thread::sleep(Duration::from_millis(100));
    };
    let logs = servers.iter().map(Server::log).collect::<String>();
    assert!(
        done.text().contains("<strong>done</strong>"),
        "{done}\n{logs}"
    );
    shows(&done, "501 of 501 orders");
    shows(&done, "<dd>501</dd>");
    let started = browser.get("/console/queue?statuses=in-production");
    shows(&started, "OWN-1-1");
}

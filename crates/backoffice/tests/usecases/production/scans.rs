//! Scans at the packing station.

use pressline_backoffice::overview::{ProblemKind, ProblemsDraft};
use pressline_backoffice::production::{Bench, ScanDraft, ScanOutcome, Stop};
use pressline_domain::check::Field;
use pressline_domain::order::request::CommandDraft;

use super::floor::Floor;
use super::today::{service, today};
use crate::desk::Desk;
use crate::fixture::*;

/// A station at the step `pack`, with the state that its scans build up.
struct Station<'f> {
    floor: &'f Floor,
    bench: Bench,
    confirms: bool,
    carrier: &'static str,
}

impl<'f> Station<'f> {
    fn open(floor: &'f Floor) -> Self {
        Self {
            floor,
            bench: Bench::default(),
            confirms: false,
            carrier: "UPS",
        }
    }

    async fn outcome(&mut self, text: &str) -> Result<ScanOutcome, Stop> {
        let draft = ScanDraft {
            step: "pack".parse().unwrap(),
            text: text.to_owned(),
            units: Field::Absent,
            once: Field::Absent,
            carrier: self.carrier.into(),
            confirms: self.confirms,
        };
        let (desk, by) = (&self.floor.desk, self.floor.desk.caller());
        let production = &self.floor.production;
        let scanned = production.scan(&desk.operator, &self.bench, &draft, &by);
        let scanned = scanned.await.unwrap();
        self.bench = scanned.bench;
        scanned.outcome
    }

    /// Returns `stop`, `repeated`, `sent` or `done`.
    async fn scan(&mut self, text: &str) -> &'static str {
        match self.outcome(text).await {
            Err(_) => "stop",
            Ok(outcome) if outcome.is_repeated() => "repeated",
            Ok(ScanOutcome::Sent(..)) => "sent",
            Ok(_) => "done",
        }
    }

    async fn stop(&mut self, text: &str) -> String {
        self.outcome(text).await.unwrap_err().to_string()
    }

    /// Scans an item, which completes its order, and then the label of the order.
    async fn send(&mut self, item: &str, label: &str) {
        self.all(&[(item, "done"), (label, "sent")]).await;
    }

    async fn all(&mut self, scans: &[(&str, &str)]) {
        for (text, expected) in scans {
            assert_eq!(self.scan(text).await, *expected, "{text}, {:?}", self.bench);
        }
    }
}

/// Opens a floor with three orders of an item with two units, printed and checked.
async fn floor() -> Floor {
    let floor = Floor::open().await;
    for order in ["T-1", "T-2", "T-3"] {
        floor.ready(order, &[2]).await;
    }
    for code in ["DEMO-1-1", "DEMO-2-1", "DEMO-3-1"] {
        floor.scan(code, "print").await;
        floor.scan(code, "check").await;
    }
    floor
}

async fn labels(floor: &Floor, order_id: &str) -> Vec<String> {
    let order = floor.shop.stored(order_id).await.unwrap();
    let parcels = order.shipments.iter();
    let labels = parcels.map(|parcel| parcel.tracking_number.clone().unwrap());
    labels.collect()
}

#[tokio::test]
async fn scanning_the_label_ships_a_complete_order() {
    let floor = floor().await;
    let mut station = Station::open(&floor);
    station.send("DEMO-1-1", "1Z0001").await;
    station.send("DEMO-2-1", "1Z0002").await;
    assert_eq!(labels(&floor, "T-1").await, ["1Z0001"]);
    assert_eq!(labels(&floor, "T-2").await, ["1Z0002"]);
    let order = floor.shop.stored("T-2").await.unwrap();
    assert_eq!(order.shipments[0].carrier.as_deref(), Some("UPS"));
    assert_eq!(order.shipments[0].items[0].quantity, 2);
}

#[tokio::test]
async fn repeated_scans_are_recognized() {
    let floor = floor().await;
    let mut station = Station::open(&floor);
    station
        .all(&[
            ("DEMO-1-1", "done"),
            ("DEMO-1-1", "repeated"),
            ("1Z0001", "sent"),
            ("1Z0001", "repeated"),
            ("DEMO-1-1", "repeated"),
            ("1Z0001", "repeated"),
        ])
        .await;
    station.send("DEMO-2-1", "1Z0002").await;
    assert_eq!(labels(&floor, "T-1").await, ["1Z0001"]);
}

#[tokio::test]
async fn a_confirming_scan_is_asked_for_if_the_station_is_set_so() {
    let floor = floor().await;
    let mut station = Station::open(&floor);
    station.confirms = true;
    station
        .all(&[
            ("DEMO-1-1", "done"),
            ("1Z0001", "done"),
            ("1Z0001", "repeated"),
            ("1Z0002", "stop"),
            ("DEMO-2-1", "stop"),
        ])
        .await;
    assert!(labels(&floor, "T-1").await.is_empty());
    assert_eq!(station.scan("DEMO-1-1").await, "sent");
    assert_eq!(labels(&floor, "T-1").await, ["1Z0001"]);
}

#[tokio::test]
async fn the_number_is_taken_out_of_the_barcode_of_a_label() {
    let floor = floor().await;
    let mut station = Station::open(&floor);
    station.carrier = "USPS";
    let barcode = "420941059400100000000095897714";
    station.send("DEMO-1-1", barcode).await;
    assert_eq!(labels(&floor, "T-1").await, ["9400100000000095897714"]);
    // The same label again, also typed from below the bars, and with another postal code.
    let typed = [
        "9400 1000 0000 0095 8977 14",
        barcode,
        "]C1420100019400100000000095897714",
    ];
    for again in typed {
        station.all(&[(again, "repeated")]).await;
    }
    station.all(&[("DEMO-2-1", "done")]).await;
    for again in typed {
        station.all(&[(again, "stop")]).await;
    }
    station.carrier = "FedEx";
    station.confirms = true;
    let barcode = "9622001900000000000000776632517510";
    station
        .all(&[
            (barcode, "done"),
            ("776632517510", "repeated"),
            ("DEMO-2-1", "sent"),
        ])
        .await;
    assert_eq!(labels(&floor, "T-2").await, ["776632517510"]);
    station.carrier = "UPS";
    station.confirms = false;
    station.send("DEMO-3-1", "1z5r89390357567127").await;
    assert_eq!(station.scan("1Z 5R8 939 03 5756 7127").await, "repeated");
    assert_eq!(labels(&floor, "T-3").await, ["1z5r89390357567127"]);
}

#[tokio::test]
async fn no_order_gets_the_label_of_another_order() {
    let floor = floor().await;
    let mut station = Station::open(&floor);
    station.send("DEMO-1-1", "1Z0001").await;
    assert_eq!(station.scan("DEMO-2-1").await, "done");
    let used = station.stop("1Z0001").await;
    assert!(
        used.contains("label of another parcel, of DEMO-1"),
        "{used}"
    );
    let unsent = station.stop("DEMO-3-1").await;
    assert!(
        unsent.starts_with("DEMO-2 is packed and not sent."),
        "{unsent}"
    );
    // The label may belong to DEMO-3, which was scanned last.
    let whose = station.stop("1Z0003").await;
    assert!(
        whose.starts_with("1Z0003 was scanned after DEMO-3-1"),
        "{whose}"
    );
    for wrong in ["1Z", "MUG-11", "DEMO-9-1", "BATCH-1"] {
        assert_eq!(station.scan(wrong).await, "stop", "{wrong}");
    }
    station
        .all(&[
            ("1Z0003", "stop"),
            ("DEMO-2-1", "repeated"),
            ("1Z0002", "sent"),
        ])
        .await;
    assert_eq!(labels(&floor, "T-2").await, ["1Z0002"]);
    assert!(labels(&floor, "T-3").await.is_empty());
}

#[tokio::test]
async fn every_scan_of_a_blocked_order_is_stopped() {
    let floor = floor().await;
    floor.give("hold", "DEMO-1").await;
    let cancel = CommandDraft {
        order_id: "T-2".into(),
        ..CommandDraft::default()
    };
    let (shop, caller) = (&floor.shop, caller());
    shop.service
        .moves
        .cancel(&shop.store, &cancel, &caller)
        .await
        .unwrap();
    floor.give("cancel", "DEMO-3").await;
    let mut station = Station::open(&floor);
    for (order, reason) in [
        ("DEMO-1", "DEMO-1-1 is on-hold"),
        ("DEMO-2", "the store asks for a change (cancel)"),
        ("DEMO-3", "DEMO-3-1 is cancelled"),
    ] {
        for text in [order.to_owned(), format!("{order}-1"), "1Z0001".to_owned()] {
            let stop = station.stop(&text).await;
            assert!(stop.contains(reason), "{text}: {stop}");
        }
    }
    // An order that is put on hold after packing is not sent.
    floor.give("release", "DEMO-1").await;
    assert_eq!(station.scan("DEMO-1-1").await, "done");
    floor.give("hold", "DEMO-1").await;
    assert_eq!(station.scan("1Z0001").await, "stop");
    assert!(labels(&floor, "T-1").await.is_empty());
}

#[tokio::test]
async fn a_label_before_the_last_item_and_a_skipped_step_are_stopped() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[1, 1]).await;
    let mut station = Station::open(&floor);
    let skipped = station.stop("DEMO-1-1").await;
    assert_eq!(skipped, "no unit of DEMO-1-1 waits at pack: print first");
    floor.scan("DEMO-1-1", "print").await;
    let skipped = station.stop("DEMO-1-1").await;
    assert_eq!(skipped, "no unit of DEMO-1-1 waits at pack: check first");
    let nothing = station.stop("1Z0001").await;
    assert!(
        nothing.starts_with("nothing of DEMO-1 is packed"),
        "{nothing}"
    );
    floor.scan("DEMO-1-1", "check").await;
    assert_eq!(station.scan("DEMO-1-1").await, "done");
    let early = station.stop("1Z0001").await;
    assert!(early.starts_with("1 unit is missing in DEMO-1."), "{early}");
}

#[tokio::test]
async fn joined_scans_are_split_by_existing_items() {
    let floor = floor().await;
    let scans = async |desk: &Desk, text: &str| {
        let scans = floor.production.scans(&desk.operator, text).await.unwrap();
        scans
            .map(|parts| parts.join(","))
            .map_err(|stop| stop.to_string())
    };
    let parts = scans(&floor.desk, "DEMO-1-11Z0001DEMO-2-1").await;
    assert_eq!(parts.as_deref(), Ok("DEMO-1-1,1Z0001,DEMO-2-1"));
    let unclear = scans(&floor.desk, "DEMO-1-1DEMO-2-2x").await.unwrap_err();
    assert!(
        unclear.ends_with("one by one: DEMO-1-1, DEMO-2-2x"),
        "{unclear}"
    );
    // An operator without stores finds no order.
    let bound = Desk::bound_to(&floor.shop, &[]);
    assert!(scans(&bound, "DEMO-1-1DEMO-2-1").await.is_err());
}

#[tokio::test]
async fn packed_orders_are_listed_until_shipment() {
    let floor = floor().await;
    let mut station = Station::open(&floor);
    let packed = ProblemsDraft {
        kinds: vec![ProblemKind::Packed.as_str().to_owned().into()].into(),
        ..ProblemsDraft::default()
    };
    for (scan, expected) in [("DEMO-1", 0), ("DEMO-1-1", 1), ("1Z0001", 0)] {
        station.scan(scan).await;
        let overview = service(&floor);
        let listed = overview.problems(&floor.desk.operator, &packed).await;
        assert_eq!(listed.unwrap().entries.len(), expected, "{scan}");
        let today = today(&floor).await;
        let packed = today.problems.get(&ProblemKind::Packed).copied();
        assert_eq!(packed.unwrap_or(0), expected as u64, "{scan}");
        // A packed order is not a problem that waits for a decision.
        assert_eq!(today.problem_orders, 0, "{scan}");
        let count = overview.count_problems(&floor.desk.operator).await;
        assert_eq!(count.unwrap(), 0, "{scan}");
    }
}

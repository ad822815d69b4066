//! Pictures of pages for the documentation.
//!
//! They are taken where `PRESSLINE_SCREENSHOTS` names a folder:
//! `PRESSLINE_SCREENSHOTS=docs/screenshots cargo test -p pressline --test blackbox shots`.

use std::path::PathBuf;
use std::{env, fs};

use tempfile::TempDir;

use super::driver::in_browser;
use super::looks::{demo_desk, show};
use crate::common::workspace;

/// Names the folder for the pictures, below that of the workspace.
const FOLDER: &str = "PRESSLINE_SCREENSHOTS";
/// The pictures: name, path, the look by its name.
const PICTURES: [(&str, &str, &str); 8] = [
    ("today", "/console", "light"),
    ("queue", "/console/queue", "light"),
    ("order", "/console/orders/SUN-42", "light"),
    ("batch", "/console/batches/BATCH-1", "light"),
    ("scan", "/console/scan?step=pack", "dark"),
    ("problems", "/console/problems?kinds=change", "light"),
    ("reports", "/console/reports?by=sku", "dark"),
    ("phone", "/console/orders/SUN-42", "320 px"),
];

#[test]
fn pages_are_pictured_where_a_folder_is_named() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    in_browser(async |driver| {
        let data = TempDir::new().unwrap();
        let (_server, desk) = demo_desk(driver, &data).await;
        let folder = workspace().join(folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, path, look) in PICTURES {
            show(&desk, look);
            desk.go(path).await;
            if name == "scan" {
                desk.fill("Scan code", "SUN-42-1").await;
                desk.press("Record").await;
                desk.sees("units done at pack").await;
            }
            let picture = desk.client.screenshot().await.unwrap();
            fs::write(folder.join(format!("{name}.png")), picture).unwrap();
        }
        desk.leave().await;
    });
}

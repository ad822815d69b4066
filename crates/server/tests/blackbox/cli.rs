//! The command line: what it prints, how it ends, and what it says when something is wrong.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::{
    Finished, MASTER_KEY, PATHS, Site, clean_command, compact, on_both_databases, sign, workspace,
};

on_both_databases!(
    stores_are_made_and_shown,
    stores_are_changed,
    catalogs_are_imported_whole_or_not_at_all
);

const NOBODY: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";

fn keys(object: &Value) -> Vec<&str> {
    object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

fn stores_are_made_and_shown(site: &Site) {
    assert_eq!(site.run(&["--json", "store", "list"]).json(), json!([]));
    let made = site
        .run(&[
            "--json",
            "store",
            "create",
            "--name",
            "Café Paris",
            "--currency",
            "EUR",
            "--strict-catalog",
        ])
        .json();
    for key in [
        "storeId",
        "name",
        "prefix",
        "currency",
        "enabled",
        "strictCatalog",
        "requireTimestamp",
        "allowUnsignedSearch",
        "createdAt",
        "keys",
        "keyId",
        "secretKey",
    ] {
        assert!(keys(&made).contains(&key), "no {key} in {made}");
    }
    assert_eq!(
        (&made["name"], &made["currency"]),
        (&json!("Café Paris"), &json!("EUR"))
    );
    assert_eq!(
        (
            &made["enabled"],
            &made["strictCatalog"],
            &made["requireTimestamp"]
        ),
        (&json!(true), &json!(true), &json!(false))
    );
    let prefix = made["prefix"].as_str().unwrap();
    assert!(
        prefix.starts_with("CAFE")
            && prefix
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()),
        "{prefix}"
    );
    let secret = made["secretKey"].as_str().unwrap();
    assert!(secret.len() >= 32, "{secret}");
    let id = made["storeId"].as_str().unwrap();

    // A secret key is shown once.
    let shown = site.run(&["--json", "store", "show", id]);
    assert!(!shown.out.contains(secret) && !shown.err.contains(secret));
    let shown = shown.json();
    assert_eq!(
        (&shown["storeId"], &shown["keys"][0]["keyId"]),
        (&made["storeId"], &made["keyId"])
    );
    assert!(shown.get("secretKey").is_none());

    let same_name = site
        .run(&["--json", "store", "create", "--name", "Café Paris"])
        .json();
    assert_ne!(same_name["prefix"], made["prefix"], "prefixes are unique");
    site.run(&["store", "create", "--name", "X", "--prefix", prefix])
        .fails(1, &[prefix]);
    let listed = site.run(&["--json", "store", "list"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

fn stores_are_changed(site: &Site) {
    let made = site
        .run(&[
            "--json",
            "store",
            "create",
            "--name",
            "Shop",
            "--currency",
            "EUR",
            "--strict-catalog",
        ])
        .json();
    let id = made["storeId"].as_str().unwrap();
    let set = site
        .run(&[
            "--json",
            "store",
            "set",
            id,
            "--name",
            "Chez nous",
            "--strict-catalog",
            "false",
            "--require-timestamp",
        ])
        .json();
    assert_eq!(
        (
            &set["name"],
            &set["strictCatalog"],
            &set["requireTimestamp"]
        ),
        (&json!("Chez nous"), &json!(false), &json!(true))
    );
    assert_eq!(set["currency"], "EUR");

    let rotated = site.run(&["--json", "store", "rotate-key", id]).json();
    assert_eq!(rotated["keys"].as_array().unwrap().len(), 2);
    assert_ne!(rotated["secretKey"], made["secretKey"]);
    let third = site.run(&["--json", "store", "rotate-key", id]).json();
    let kept: Vec<&Value> = third["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| &key["keyId"])
        .collect();
    assert_eq!(
        kept,
        [&rotated["keyId"], &third["keyId"]],
        "the oldest goes"
    );
    let revoked = site
        .run(&[
            "--json",
            "store",
            "revoke-key",
            id,
            third["keyId"].as_str().unwrap(),
        ])
        .json();
    assert_eq!(revoked["keys"].as_array().unwrap().len(), 1);

    assert_eq!(
        site.run(&["--json", "store", "disable", id]).json()["enabled"],
        false
    );
    assert_eq!(
        site.run(&["--json", "store", "enable", id]).json()["enabled"],
        true
    );
    let text = site.run(&["store", "show", id]).ok().out;
    assert!(text.contains(id) && text.contains("Chez nous"), "{text}");

    // Each of these commands also takes the prefix, in either letter case.
    let prefix = made["prefix"].as_str().unwrap();
    let key = site.run(&["--json", "store", "rotate-key", prefix]).json()["keyId"]
        .as_str()
        .unwrap()
        .to_owned();
    for arguments in [
        vec!["store", "show", prefix],
        vec![
            "store",
            "set",
            &prefix.to_lowercase(),
            "--name",
            "Chez vous",
        ],
        vec!["store", "revoke-key", prefix, &key],
        vec!["store", "disable", prefix],
        vec!["store", "enable", prefix],
    ] {
        let shown = site.run(&[vec!["--json"], arguments].concat()).json();
        assert_eq!(shown["storeId"], id, "{shown}");
    }
    site.run(&["store", "show", "NONE"]).fails(4, &["`NONE`"]);

    for arguments in [
        vec!["store", "show", NOBODY],
        vec!["store", "set", NOBODY, "--name", "x"],
        vec!["store", "rotate-key", NOBODY],
        vec!["store", "disable", NOBODY],
        vec!["store", "enable", NOBODY],
        vec!["store", "revoke-key", NOBODY, NOBODY],
        vec!["store", "revoke-key", id, NOBODY],
    ] {
        site.run(&arguments).fails(4, &[NOBODY]);
    }
}

#[test]
fn migrating_twice_does_no_harm() {
    for site in [Site::without_database(), Site::postgres()] {
        let first = site.run(&["--json", "migrate"]).json();
        assert!(!first["applied"].as_array().unwrap().is_empty(), "{first}");
        assert_eq!(
            site.run(&["--json", "migrate"]).json(),
            json!({ "applied": [] })
        );
        site.run(&["store", "create", "--name", "Shop"]).ok();
    }
}

fn catalogs_are_imported_whole_or_not_at_all(site: &Site) {
    let import = |name: &str, content: &str| {
        let file = site.file(name, content);
        site.run(&["--json", "catalog", "import", file.to_str().unwrap()])
    };
    let counts = |products: u32, added: u32, changed: u32, unchanged: u32| json!({ "products": products, "added": added, "changed": changed, "unchanged": unchanged });
    let two = "\u{feff}SKU,Name,price,area_id,area_name\r\nA-1,\"A, the first\",1.10,f,Front\r\nA-1,\"A, the first\",1.10,b,Back\r\nA-2,Second,,f,Front\r\n";
    assert_eq!(import("two.csv", two).json(), counts(2, 2, 0, 0));
    assert_eq!(import("two.csv", two).json(), counts(2, 0, 0, 2));
    let more = r#"[{"sku":"A-2","name":"Second","price":"2.50","areas":[{"id":"f","name":"Front","sizeWidth":10,"extraFee":0.5}]},
        {"sku":"A-3","name":"Third"}]"#;
    assert_eq!(import("more.JSON", more).json(), counts(2, 1, 1, 0));

    let bad =
        "sku,name,price\nB-1,Good,1.00\nB-2,,1.00\nB-3,Three,cheap\nB-4,Four,-1\nB-5,Five,1.001\n";
    import("bad.csv", bad).fails(
        1,
        &[
            "bad.csv",
            "line 3",
            "name",
            "line 4",
            "price",
            "line 5",
            "line 6",
            "nothing was imported",
        ],
    );
    import("header.csv", "sku,nam,prize\nx,y,1\n").fails(1, &["nam", "prize", "price"]);
    import("empty.csv", "").fails(1, &["empty"]);
    import("bad.json", "[\n{\"sku\":\"B-1\",\"name\":\"Good\"},\n{\"sku\":\"B-2\"},\n{\"sku\":\"B-3\",\"name\":\"x\",\"prise\":1}]")
        .fails(1, &["line 3", "name", "line 4", "prise"]);
    import("broken.json", "[{").fails(1, &["broken.json", "line 1"]);
    import("bytes.csv", "sku,name\nx,\u{0}\n").fails(1, &["line 2", "control character"]);
    import("catalog.xlsx", "x").fails(1, &[".csv", ".json"]);
    site.run(&["catalog", "import", "missing.csv"])
        .fails(1, &["missing.csv"]);
    // Of the bad file's good product nothing has stayed.
    assert_eq!(
        import("good.csv", "sku,name,price\nB-1,Good,1.00\n").json(),
        counts(1, 1, 0, 0)
    );
}

#[test]
fn wrong_usage_ends_with_2() {
    let site = Site::sqlite();
    for arguments in [
        vec!["frobnicate"],
        vec!["--frobnicate"],
        vec!["store"],
        vec!["store", "create"],
        vec!["store", "show"],
        vec!["store", "show", "no-id"],
        vec!["store", "create", "--name", "x", "--prefix", "lower-case"],
        vec!["store", "create", "--name", "x", "--currency", "XXQ"],
        vec!["store", "set", NOBODY],
        vec!["catalog", "import"],
        vec!["catalog", "show"],
        vec!["prices", "import"],
        vec!["shipping", "import"],
        vec!["fees", "import"],
        vec!["sign", "--timestamp", "1"],
        vec!["sign", "--path", "/x"],
    ] {
        let ended = site.run(&arguments);
        ended.fails(2, &[]);
        assert!(!ended.err.is_empty() && ended.out.is_empty(), "{ended:?}");
    }
    site.run(&["serv"]).fails(2, &["serve"]);
    let help = site.run(&["--help"]).ok().out;
    for word in [
        "serve",
        "migrate",
        "store",
        "catalog",
        "prices",
        "shipping",
        "fees",
        "sign",
        "config",
        "openapi",
        "Exit codes",
    ] {
        assert!(help.contains(word), "{word} is not in the help");
    }
    assert!(site.run(&["--version"]).ok().out.starts_with("pressline "));
}

#[test]
fn a_configuration_that_cannot_be_is_refused_by_name() {
    let site = Site::sqlite();
    let run = |name: &str, value: &str| -> Finished {
        site.command()
            .env(name, value)
            .args(["store", "list"])
            .output()
            .unwrap()
            .into()
    };
    run("PRESSLINE__HTTP__LISTENN", "x").fails(2, &["http.listenn", "http.listen`"]);
    run("PRESSLINE__DATABASE__PULL_SIZE", "3").fails(2, &["database.pool_size"]);
    run("PRESSLINE__DATABASE__POOL_SIZE", "many").fails(2, &["pool_size"]);
    run("PRESSLINE__DATABASE__POOL_WAIT_MS", "5000").fails(2, &["database.pool_wait_ms", "2000"]);
    run("PRESSLINE__DATABASE__URL", "mysql://x/y")
        .fails(2, &["database.url", "sqlite://", "postgres://"]);

    let file = site.file(
        "settings.toml",
        "[http]\nlisten = \"127.0.0.1:1\"\nworker = 3\n",
    );
    let with = |file: &str| site.run(&["--config", file, "store", "list"]);
    with(file.to_str().unwrap()).fails(2, &["http.worker`", "http.workers"]);
    with("missing.toml").fails(2, &["missing.toml"]);
    site.file("broken.toml", "[http\n");
    with("broken.toml").fails(2, &["broken.toml"]);
    // The environment wins over a file, and a file over the defaults.
    site.file(
        "good.toml",
        "[http]\nlisten = \"127.0.0.1:1\"\nworkers = 7\n[rate_limit]\nburst = 77\n",
    );
    let shown = site
        .run(&["--config", "good.toml", "config", "print"])
        .ok()
        .out;
    for line in ["listen = \"127.0.0.1:0\"", "workers = 2", "burst = 77"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[test]
fn a_master_key_that_cannot_be_is_refused() {
    let site = Site::sqlite();
    let with = |name: &str, value: &str| -> Finished {
        let mut command = site.bare();
        command
            .env(name, value)
            .args(["store", "create", "--name", "x"])
            .output()
            .unwrap()
            .into()
    };
    for key in ["short", &"g".repeat(64), &"a".repeat(63)] {
        let ended = with("PRESSLINE__AUTH__MASTER_KEY", key);
        assert!([1, 2].contains(&ended.code), "{ended:?}");
        assert!(
            ended.err.contains("master key") && !ended.err.contains(key),
            "{ended:?}"
        );
    }
    let ended = with("PRESSLINE__AUTH__MASTER_KEY_FILE", "missing.key");
    assert!(
        ended.code != 0 && ended.err.contains("missing.key"),
        "{ended:?}"
    );
    let file = site.file("open.key", MASTER_KEY);
    set_mode(&file, 0o644);
    let ended = with("PRESSLINE__AUTH__MASTER_KEY_FILE", "open.key");
    assert!(
        ended.code != 0 && ended.err.contains("open.key"),
        "others can read it: {ended:?}"
    );
    set_mode(&file, 0o600);
    with("PRESSLINE__AUTH__MASTER_KEY_FILE", "open.key").ok();
}

fn set_mode(file: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn postgresql_wants_a_master_key_and_migrated_tables() {
    let site = Site::postgres();
    let bare =
        |arguments: &[&str]| -> Finished { site.bare().args(arguments).output().unwrap().into() };
    let serve = || -> Finished {
        let mut command = site.bare();
        command
            .env("PRESSLINE__AUTH__MASTER_KEY", MASTER_KEY)
            .env("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0");
        command.args(["serve"]).output().unwrap().into()
    };
    serve().fails(2, &["pressline migrate"]);
    bare(&["migrate"]).ok();
    for arguments in [vec!["serve"], vec!["store", "create", "--name", "x"]] {
        bare(&arguments).fails(2, &["PRESSLINE__AUTH__MASTER_KEY", "openssl rand -hex 32"]);
    }
    assert!(
        fs::read_dir(site.folder()).unwrap().next().is_none(),
        "nothing was made beside"
    );

    // Who cannot be reached is said with 3, and no password with it.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut command = site.command();
    command.env(
        "PRESSLINE__DATABASE__URL",
        format!("postgres://someone:hidden-word@127.0.0.1:{port}/nowhere"),
    );
    let ended = Finished::from(command.args(["store", "list"]).output().unwrap());
    ended.fails(3, &["database"]);
    assert!(!ended.err.contains("hidden-word"), "{ended:?}");
    let mut command = site.command();
    command.env(
        "PRESSLINE__DATABASE__URL",
        format!("{}?sslmode=require", site.url()),
    );
    let ended = Finished::from(command.args(["store", "list"]).output().unwrap());
    assert!(ended.code != 0 && ended.err.contains("tls"), "{ended:?}");
}

#[test]
fn an_sqlite_file_that_cannot_be_is_refused() {
    let site = Site::sqlite();
    fs::create_dir(site.folder().join("folder")).unwrap();
    site.file(
        "text.db",
        "this is no database, however long one looks at it".repeat(100),
    );
    for name in ["folder", "text.db"] {
        let mut command = site.command();
        command.env("PRESSLINE__DATABASE__URL", format!("sqlite://{name}"));
        Finished::from(command.args(["store", "list"]).output().unwrap()).fails(3, &[name]);
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = site.command();
    command.env("PRESSLINE__HTTP__LISTEN", &address);
    Finished::from(command.arg("serve").output().unwrap()).fails(1, &[&address, "http.listen"]);
}

#[test]
fn the_configuration_is_shown_without_its_secrets() {
    let site = Site::sqlite();
    let url = "postgres://someone:hidden-word@db.internal/shop?password=hidden-word";
    for arguments in [vec!["config", "print"], vec!["--json", "config", "print"]] {
        let mut command = site.command();
        command.env("PRESSLINE__DATABASE__URL", url);
        let shown = Finished::from(command.args(arguments).output().unwrap())
            .ok()
            .out;
        assert!(
            shown.contains("someone") && shown.contains("db.internal"),
            "{shown}"
        );
        assert!(
            !shown.contains("hidden-word") && !shown.contains(MASTER_KEY),
            "{shown}"
        );
    }
    let json = site.run(&["--json", "config", "print"]).json();
    assert_eq!(json["http"]["workers"], 2);
    assert_eq!(json["rate_limit"]["enabled"], false);
    // What is printed is a file that can be used.
    let defaults = site.run(&["config", "print", "--defaults"]).ok().out;
    site.file("defaults.toml", &defaults);
    site.run(&["--config", "defaults.toml", "store", "list"])
        .ok();
}

#[test]
fn signatures_agree_with_the_vectors() {
    let site = Site::without_database();
    let vectors = fs::read(workspace().join("crates/contract/vectors/signatures.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_slice(&vectors).unwrap();
    let mut accepted = 0;
    for vector in &vectors {
        let text = |key: &str| vector[key].as_str().unwrap();
        let (secret, body) = (text("secret"), text("body"));
        let file = site.file("secret", format!("{secret}\n"));
        let timestamp = vector["timestamp"].as_i64();
        let arguments = timestamp.map(|seconds| {
            [
                format!("--timestamp={seconds}"),
                format!("--path={}", text("path")),
            ]
        });
        let signed = |body: &str, by_file: bool| {
            let mut command = site.bare();
            command.arg("sign").args(arguments.iter().flatten());
            if by_file {
                command.arg("--secret-file").arg(&file);
            } else {
                command.env("PRESSLINE_SECRET_KEY", secret);
            }
            pipe(command, body).ok().out.trim_end().to_owned()
        };
        let prefix = timestamp
            .map(|seconds| format!("{seconds}.{}.", text("path")))
            .unwrap_or_default();
        let as_sent = signed(body, true);
        assert_eq!(as_sent, signed(body, false));
        assert_eq!(
            as_sent,
            sign(secret, format!("{prefix}{body}").as_bytes()),
            "{vector}"
        );
        let of_compact = (timestamp.is_none()).then(|| signed(&compact(body), true));
        let matches = as_sent == text("base64") || of_compact.as_deref() == Some(text("base64"));
        assert_eq!(vector["accepted"], matches, "{vector}");
        accepted += u32::from(matches);
    }
    assert!(
        accepted >= 5,
        "only {accepted} of {} vectors are of good signatures",
        vectors.len()
    );

    let document = pipe(
        {
            let mut c = site.bare();
            c.args(["--json", "sign"]).env("PRESSLINE_SECRET_KEY", "k");
            c
        },
        "{}",
    )
    .json();
    assert_eq!(document["signature"], sign("k", b"{}"));
    pipe(
        {
            let mut c = site.bare();
            c.arg("sign");
            c
        },
        "{}",
    )
    .fails(2, &["--secret-file", "PRESSLINE_SECRET_KEY"]);
    pipe(
        {
            let mut c = site.bare();
            c.arg("sign").env("PRESSLINE_SECRET_KEY", "");
            c
        },
        "{}",
    )
    .fails(2, &["empty"]);
    assert!(
        !site.folder().join("pressline.db").exists(),
        "signing needs no database"
    );
}

/// Runs a command with a text on its standard input.
fn pipe(mut command: Command, text: &str) -> Finished {
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that ends without reading is one of the cases.
    let _ = process.stdin.take().unwrap().write_all(text.as_bytes());
    process.wait_with_output().unwrap().into()
}

#[test]
fn the_openapi_document_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let ended = Finished::from(
        clean_command(folder.path())
            .arg("openapi")
            .output()
            .unwrap(),
    );
    let document = ended.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    let paths = document["paths"].as_object().unwrap();
    let operations: Vec<&String> = paths.keys().filter(|path| path.contains("/v1/")).collect();
    assert_eq!(operations.len(), PATHS.len(), "{operations:?}");
    assert!(
        PATHS.iter().all(|path| paths.contains_key(*path)),
        "{operations:?}"
    );
}

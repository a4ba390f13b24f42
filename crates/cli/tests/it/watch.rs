//! `watch`: the page follows the saves, and nobody else gets it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::common::{FLOOR, Place, navbake};

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An HTTP response, opened at its head.
fn ask(port: &str, path: &str, host: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    BufReader::new(stream)
}

fn whole(mut response: BufReader<TcpStream>) -> String {
    let mut text = String::new();
    response.read_to_string(&mut text).unwrap();
    text
}

/// The next line that begins so, without its beginning.
fn line(from: &mut impl BufRead, begin: &str) -> Value {
    let line = from.lines().map(Result::unwrap).find(|line| line.starts_with(begin)).unwrap();
    serde_json::from_str(&line[begin.len()..]).unwrap()
}

#[test]
fn the_page_follows_saves_and_a_broken_one_leaves_the_last_good_page() {
    let place = Place::new();
    let level = place.write("floor.obj", FLOOR);
    let options = ["watch", "floor.obj", "--no-open", "--format", "json", "-q"];
    let mut command = navbake(&options);
    command.current_dir(place.folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut running = Running(command.spawn().unwrap());
    let mut out = BufReader::new(running.0.stdout.take().unwrap());
    let first = line(&mut out, "");
    let url = first["url"].as_str().unwrap();
    let rest = url.strip_prefix("http://127.0.0.1:").unwrap();
    let (port, token) = rest.split_once('/').unwrap();
    let host = format!("127.0.0.1:{port}");
    let page = || whole(ask(port, &format!("/{token}"), &host));
    let mut events = ask(port, &format!("/{token}events"), &host);
    assert_eq!(line(&mut events, "data: "), serde_json::json!({"version": 1, "error": null}));
    let shown = page();
    assert!(shown.starts_with("HTTP/1.1 200 ") && shown.contains("data-version=\"1\""));

    // Strangers.
    for (path, host, status) in [
        (format!("/{token}"), "evil.example", "403"),
        ("/".into(), &*host, "404"),
        (format!("/{token}../floor.obj"), &host, "404"),
    ] {
        let refused = whole(ask(port, &path, host));
        assert!(refused.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {refused}");
        assert!(!refused.contains("data-version"));
    }

    // As editors save: a new file in place of the old one.
    let save = |text: &str| {
        let new = place.write("new", text);
        fs::rename(new, &level).unwrap();
    };
    save("f 1 2 3\n");
    let news = line(&mut events, "data: ");
    assert!(news["version"] == 1 && news["error"].as_str().unwrap().contains("vertex"), "{news}");
    assert!(line(&mut out, "")["error"].is_string());
    assert!(page().contains("data-version=\"1\""));
    save(&FLOOR.replace("v -1 0", "v -2 0"));
    let news = line(&mut events, "data: ");
    assert!(news["version"].as_u64() > Some(1) && news["error"].is_null(), "{news}");
    assert!(line(&mut out, "")["error"].is_null());
}

#[test]
fn a_page_does_not_wait_for_causes_after_a_save_that_ended_their_search() {
    // Unconnected platforms: the search for causes takes seconds.
    let platforms = |apart: f64| -> String {
        let side = |k: usize| k as f64 * (3.0 + apart);
        let platform = |k: usize| {
            let (x, z) = (side(k % 120), side(k / 120));
            let (far_x, far_z) = (x + 3.0, z + 3.0);
            let corners = [[x, z], [x, far_z], [far_x, far_z], [far_x, z]];
            corners.map(|[x, z]| format!("v {x} 0 {z}\n")).concat() + "f -4 -3 -2 -1\n"
        };
        (0..14_400).map(platform).collect()
    };
    let place = Place::new();
    let level = place.write("level.obj", &platforms(0.5));
    let options = ["watch", "level.obj", "--no-open", "--format", "json", "-q"];
    let mut command = navbake(&options);
    command.current_dir(place.folder.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut running = Running(command.spawn().unwrap());
    let mut out = BufReader::new(running.0.stdout.take().unwrap());
    let save = |text: &str| {
        let new = place.write("new", text);
        fs::rename(new, &level).unwrap();
    };
    let first = line(&mut out, "");
    assert!(first["causes_seconds"].is_null(), "{first}");
    for apart in [0.51, 0.52, 0.53] {
        // Each save ends the search of the one before.
        save(&platforms(apart));
        let shown = line(&mut out, "");
        assert!(shown["error"].is_null() && shown["causes_seconds"].is_null(), "{shown}");
    }
}

#[test]
fn watch_refuses_what_cannot_be_watched() {
    let place = Place::new();
    place.write("bad.obj", "f 1 2 3\n");
    for (input, code) in [("-", 2), ("bad.obj", 3), ("none.obj", 4)] {
        let ran = place.run(&["watch", input, "--no-open"]);
        assert_eq!(ran.code, code, "{input}: {}", ran.err);
    }
}

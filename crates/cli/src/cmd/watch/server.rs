//! A server of one page and its news, for browsers on this machine.
//!
//! It listens on the loopback interface alone, and answers only for addresses with a random token.
//! The header `Host` must name that interface, so that no other site's name can be resolved to it,
//! and `Origin`, where there is one, must be the server's own. It reads no files.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::failure::Failure;

/// Longest head of a request.
const LONGEST_HEAD: usize = 16 << 10;
/// Connections at a time; further ones are closed.
const MOST: usize = 32;
/// Browsers that take longer to ask, or to read a part of an answer, are cut off.
const PATIENCE: Duration = Duration::from_secs(10);
/// A sign of life in the news, so that connections without a browser end.
const PULSE: Duration = Duration::from_secs(5);

/// What is shown.
struct State {
    version: u64,
    page: Arc<str>,
    error: Option<String>,
    /// Counts changes of the above.
    news: u64,
}

struct Shared {
    token: String,
    port: u16,
    state: Mutex<State>,
    changed: Condvar,
    connections: AtomicUsize,
}

/// A running server. It ends with the program.
pub(super) struct Server(Arc<Shared>);

impl Server {
    /// Serves a page, version 1, on a port of the loopback interface; 0 is any free one.
    pub(super) fn start(port: u16, page: String) -> Result<Server, Failure> {
        let fault = |error: io::Error| {
            let name = format!("127.0.0.1:{port}");
            Failure::io(Path::new(&name), "listen on", &error)
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(fault)?;
        let port = listener.local_addr().map_err(fault)?.port();
        let state = State { version: 1, page: page.into(), error: None, news: 0 };
        let shared = Arc::new(Shared {
            token: token(),
            port,
            state: Mutex::new(state),
            changed: Condvar::new(),
            connections: AtomicUsize::new(0),
        });
        let own = Arc::clone(&shared);
        std::thread::spawn(move || accept(&listener, &own));
        Ok(Server(shared))
    }

    /// The address of the page.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.0.port, self.0.token)
    }

    /// Replaces the page.
    pub(super) fn show(&self, version: u64, page: String) {
        let mut state = self.0.state();
        (state.version, state.page, state.error) = (version, page.into(), None);
        state.news += 1;
        self.0.changed.notify_all();
    }

    /// Keeps the page, and says on it why it is not newer.
    pub(super) fn complain(&self, error: &str) {
        let mut state = self.0.state();
        state.error = Some(error.into());
        state.news += 1;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 128 bits that cannot be guessed: the keys of hash maps are drawn at random by the system.
fn token() -> String {
    let keys = RandomState::new();
    format!("{:016x}{:016x}", keys.hash_one(0u8), keys.hash_one(1u8))
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Out of file descriptors, for instance.
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        if shared.connections.fetch_add(1, Ordering::Relaxed) >= MOST {
            shared.connections.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let own = Arc::clone(shared);
        std::thread::spawn(move || {
            // A browser that has gone is no fault.
            let _ = answer(stream, &own);
            own.connections.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Answers one request and closes the connection.
fn answer(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let head = head(&mut stream)?;
    match asked(&head, shared) {
        Ok(Asked::Page) => {
            let page = Arc::clone(&shared.state().page);
            let kind = "text/html; charset=utf-8";
            let length = format!("Content-Length: {}\r\n", page.len());
            stream.write_all(headers("200 OK", kind, &length).as_bytes())?;
            stream.write_all(page.as_bytes())
        }
        Ok(Asked::News) => news(&mut stream, shared),
        Err(status) => {
            let length = format!("Content-Length: {}\r\n", status.len());
            let kind = "text/plain; charset=utf-8";
            stream.write_all(headers(status, kind, &length).as_bytes())?;
            stream.write_all(status.as_bytes())
        }
    }
}

/// The head of an answer. `more` are lines of it.
fn headers(status: &str, kind: &str, more: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{more}Cache-Control: no-store\r\n\
         Content-Security-Policy: frame-ancestors 'none'\r\nX-Frame-Options: DENY\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    )
}

/// Reads a request up to its empty line.
fn head(stream: &mut TcpStream) -> io::Result<String> {
    let mut bytes = vec![];
    let mut part = [0; 2048];
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        let read = stream.read(&mut part)?;
        if read == 0 || bytes.len() + read > LONGEST_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        bytes.extend_from_slice(&part[..read]);
    }
    String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
}

#[derive(Debug, PartialEq)]
enum Asked {
    Page,
    News,
}

/// What a request asks for, or the status of its refusal.
fn asked(head: &str, shared: &Shared) -> Result<Asked, &'static str> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or("").split(' ');
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let own = [format!("127.0.0.1:{}", shared.port), format!("localhost:{}", shared.port)];
    let (mut hosts, mut is_foreign) = (0, false);
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        if name.eq_ignore_ascii_case("host") {
            hosts += 1;
            is_foreign |= !own.iter().any(|host| host == value);
        } else if name.eq_ignore_ascii_case("origin") {
            is_foreign |= !own.iter().any(|host| value.strip_prefix("http://") == Some(host));
        }
    }
    if is_foreign || hosts != 1 {
        return Err("403 Forbidden");
    }
    let inner = path.strip_prefix('/').and_then(|path| path.split_once('/'));
    let Some((_, name)) = inner.filter(|(token, _)| is_same(token, &shared.token)) else {
        return Err("404 Not Found");
    };
    match (method, name) {
        ("GET", "") => Ok(Asked::Page),
        ("GET", "events") => Ok(Asked::News),
        ("GET", _) => Err("404 Not Found"),
        _ => Err("405 Method Not Allowed"),
    }
}

/// Compares in a time that depends on the lengths alone.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Server-sent events: what is shown now, and again after each change.
fn news(stream: &mut TcpStream, shared: &Shared) -> io::Result<()> {
    stream.write_all(headers("200 OK", "text/event-stream", "").as_bytes())?;
    let mut known = None;
    loop {
        let text = {
            let unchanged = |state: &mut State| known == Some(state.news);
            let waited = shared.changed.wait_timeout_while(shared.state(), PULSE, unchanged);
            let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            match known.replace(state.news) == Some(state.news) {
                true => ":\n\n".to_owned(),
                false => {
                    let (version, error) = (state.version, &state.error);
                    let data = serde_json::json!({ "version": version, "error": error });
                    format!("data: {data}\n\n")
                }
            }
        };
        stream.write_all(text.as_bytes())?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared() -> Shared {
        let state = State { version: 1, page: "".into(), error: None, news: 0 };
        Shared {
            token: token(),
            port: 4000,
            state: Mutex::new(state),
            changed: Condvar::new(),
            connections: AtomicUsize::new(0),
        }
    }

    #[test]
    fn only_the_token_the_host_and_the_origin_of_the_server_are_answered() {
        let shared = shared();
        let ask = |line: &str, more: &str| {
            let line = line.replace("TOKEN", &shared.token);
            asked(&format!("{line} HTTP/1.1\r\n{more}\r\n\r\n"), &shared)
        };
        let host = "Host: 127.0.0.1:4000";
        assert_eq!(ask("GET /TOKEN/", host), Ok(Asked::Page));
        assert_eq!(ask("GET /TOKEN/", "host:localhost:4000"), Ok(Asked::Page));
        let own = format!("{host}\r\nOrigin: http://127.0.0.1:4000");
        assert_eq!(ask("GET /TOKEN/events", &own), Ok(Asked::News));
        let refused = Err("403 Forbidden");
        for more in [
            "",
            "Host: evil.example:4000",
            "Host: 127.0.0.1:4001",
            "Host: 127.0.0.1",
            "Host: 127.0.0.1:4000\r\nHost: 127.0.0.1:4000",
            "Host: 127.0.0.1:4000\r\nOrigin: http://evil.example",
            "Host: 127.0.0.1:4000\r\nOrigin: https://127.0.0.1:4000",
            "Host: 127.0.0.1:4000\r\nOrigin: null",
        ] {
            assert_eq!(ask("GET /TOKEN/events", more), refused, "{more}");
        }
        let missing = Err("404 Not Found");
        for line in [
            "GET /",
            "GET",
            "GET /TOKEN",
            "GET TOKEN/",
            "GET //TOKEN/",
            "GET /TOKEN/../etc/passwd",
            "GET /TOKEN/level.obj",
            "GET /TOKENa/",
            "GET /00000000000000000000000000000000/",
        ] {
            assert_eq!(ask(line, host), missing, "{line}");
        }
        assert_eq!(ask("POST /TOKEN/", host), Err("405 Method Not Allowed"));
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (a, b) = (token(), token());
        assert!(a.len() == 32 && a.chars().all(|c| c.is_ascii_hexdigit()) && a != b);
        assert!(is_same(&a, &a) && !is_same(&a, &b) && !is_same(&a, &a[1..]));
    }
}

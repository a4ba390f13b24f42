//! Calls to a server beside the bake: a limited number at once, tried again where that can help,
//! and none after the server has failed.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use navbake_bake::{CacheServer, ServerFault};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OnceCell, Semaphore, SemaphorePermit, SetOnce};
use tokio::time::{sleep, timeout};

/// The name of an entry.
pub(crate) type Name = [u8; 32];

/// Calls that run at once.
const AT_ONCE: usize = 32;

/// The largest entry that is kept, in bytes. A tile takes some ten thousand.
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// Entries on their way to the server have at most `MOST_BYTES` in all, counted in these units.
const UNIT: usize = 1 << 10;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The server did not answer.
    Unanswered(String),
    /// It has too much to do.
    Busy(String),
    /// It answered that something went wrong.
    Failed(String),
    /// It will refuse the same call again.
    Refused(String),
}

impl Fault {
    /// The number of calls that are made before this is final.
    fn attempts(&self) -> u32 {
        match self {
            Fault::Unanswered(_) | Fault::Failed(_) => 3,
            Fault::Busy(_) => 12,
            Fault::Refused(_) => 1,
        }
    }

    fn into_reason(self) -> String {
        match self {
            Fault::Unanswered(reason)
            | Fault::Busy(reason)
            | Fault::Failed(reason)
            | Fault::Refused(reason) => reason,
        }
    }
}

/// A kind of server. Each call is made once.
pub(crate) trait Backend: Send + Sync + 'static {
    /// Asks the server for its abilities: the reason why it keeps no entries, if it says so.
    fn probe(&self) -> impl Future<Output = Result<Option<String>, Fault>> + Send;
    /// The entry of a name, if it has one.
    fn get(&self, name: &Name) -> impl Future<Output = Result<Option<Vec<u8>>, Fault>> + Send;
    /// Keeps an entry; with `replace`, in place of one that is damaged.
    fn put(
        &self,
        name: &Name,
        entry: &[u8],
        replace: bool,
    ) -> impl Future<Output = Result<(), Fault>> + Send;
}

/// How long a server may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// For the first answer.
    pub(crate) probe: Duration,
    /// For any other; a second more for each MiB that is sent.
    pub(crate) answer: Duration,
    /// Between the first and the second call; three times as long before each further one, up to
    /// `LONGEST_PAUSE`.
    pub(crate) pause: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            probe: Duration::from_secs(3),
            answer: Duration::from_secs(10),
            pause: Duration::from_millis(100),
        }
    }
}

const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// A server.
pub(crate) struct Remote<B> {
    calls: Arc<Calls<B>>,
    /// There until the drop.
    runtime: Option<Runtime>,
    /// Units that may still be sent.
    room: Arc<Semaphore>,
}

/// What the calls share.
struct Calls<B> {
    backend: B,
    address: String,
    patience: Patience,
    probed: OnceCell<()>,
    at_once: Semaphore,
    /// The permits of `at_once`.
    limit: AtomicUsize,
    unreachable: SetOnce<String>,
    not_written: OnceLock<String>,
}

impl<B: Backend> Remote<B> {
    /// Opens a server, which is called when an entry is wanted. `backend` runs where timers work.
    pub(crate) fn open(
        address: &str,
        patience: Patience,
        backend: impl FnOnce() -> Result<B, String>,
    ) -> Result<Arc<dyn CacheServer>, String> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let inside = runtime.enter();
        let backend = backend()?;
        drop(inside);
        let calls = Calls {
            backend,
            address: address.into(),
            patience,
            probed: OnceCell::new(),
            at_once: Semaphore::new(AT_ONCE),
            limit: AtomicUsize::new(AT_ONCE),
            unreachable: SetOnce::new(),
            not_written: OnceLock::new(),
        };
        let room = Arc::new(Semaphore::new(MOST_BYTES / UNIT));
        Ok(Arc::new(Remote { calls: Arc::new(calls), runtime: Some(runtime), room }))
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("it is there until the drop")
    }
}

impl<B: Backend> CacheServer for Remote<B> {
    fn address(&self) -> &str {
        &self.calls.address
    }

    fn get(&self, names: &[Name]) -> Vec<Option<Vec<u8>>> {
        let call = |name: &Name| {
            let (calls, name) = (Arc::clone(&self.calls), *name);
            self.runtime().spawn(async move { calls.get(&name).await })
        };
        let calls: Vec<_> = names.iter().map(call).collect();
        self.runtime().block_on(async {
            let mut entries = Vec::with_capacity(calls.len());
            for call in calls {
                entries.push(call.await.ok().flatten());
            }
            entries
        })
    }

    fn put(&self, name: Name, entry: Vec<u8>, replace: bool) {
        if !self.faults().is_empty() {
            return;
        }
        if entry.len() > MOST_BYTES {
            let reason = format!("an entry of more than {} MiB", MOST_BYTES >> 20);
            return self.calls.not_written.set(reason).unwrap_or_default();
        }
        let (calls, room) = (Arc::clone(&self.calls), Arc::clone(&self.room));
        let units = entry.len().div_ceil(UNIT) as u32;
        // Waits while much is on its way.
        let Ok(taken) = self.runtime().block_on(room.acquire_many_owned(units)) else { return };
        self.runtime().spawn(async move {
            calls.put(&name, &entry, replace).await;
            drop(taken);
        });
    }

    fn flush(&self) {
        let all = self.room.acquire_many((MOST_BYTES / UNIT) as u32);
        let _ = self.runtime().block_on(all);
    }

    fn faults(&self) -> Vec<ServerFault> {
        let unreachable = self.calls.unreachable.get().cloned().map(ServerFault::Unreachable);
        let not_written = self.calls.not_written.get().cloned().map(ServerFault::NotWritten);
        unreachable.or(not_written).into_iter().collect()
    }
}

impl<B: Backend> Calls<B> {
    /// Makes the first call, before any other.
    async fn probe(&self) {
        let probe = || async {
            match self.attempt(self.patience.probe, || self.backend.probe()).await {
                Ok(None) => {}
                Ok(Some(reason)) => self.not_written.set(reason).unwrap_or_default(),
                Err(fault) => self.give_up(fault),
            }
        };
        self.probed.get_or_init(probe).await;
    }

    async fn get(&self, name: &Name) -> Option<Vec<u8>> {
        self.probe().await;
        let entry = self.attempt(self.patience.answer, || self.backend.get(name)).await;
        entry.unwrap_or_else(|fault| {
            self.give_up(fault);
            None
        })
    }

    async fn put(&self, name: &Name, entry: &[u8], replace: bool) {
        self.probe().await;
        if self.not_written.get().is_some() {
            return;
        }
        let answer = self.patience.answer + Duration::from_secs((entry.len() >> 20) as u64);
        match self.attempt(answer, || self.backend.put(name, entry, replace)).await {
            Ok(()) => {}
            Err(fault @ Fault::Unanswered(_)) => self.give_up(fault),
            Err(fault) => drop(self.not_written.set(fault.into_reason())),
        }
    }

    /// Does not call the server any more; the first reason stays.
    fn give_up(&self, fault: Fault) {
        let _ = self.unreachable.set(fault.into_reason());
    }

    /// Makes a call until it succeeds or cannot.
    async fn attempt<T, F: Future<Output = Result<T, Fault>>>(
        &self,
        answer: Duration,
        call: impl Fn() -> F,
    ) -> Result<T, Fault> {
        let mut pause = self.patience.pause;
        for attempt in 1.. {
            let permit = self.at_once.acquire().await;
            if let Some(reason) = self.unreachable.get() {
                return Err(Fault::Unanswered(reason.clone()));
            }
            let limit = self.limit.load(Ordering::Relaxed);
            let done = tokio::select! {
                done = timeout(answer, call()) => done,
                // Another call has found that the server is gone.
                reason = self.unreachable.wait() => return Err(Fault::Unanswered(reason.clone())),
            };
            let fault = match done {
                Ok(Ok(value)) => return Ok(value),
                Ok(Err(fault)) => fault,
                Err(_) => {
                    let seconds = answer.as_secs_f64();
                    Fault::Unanswered(format!("no answer within {seconds:.0} s"))
                }
            };
            if let (Fault::Busy(_), Ok(permit)) = (&fault, permit) {
                self.halve(limit, permit).await;
            }
            if attempt >= fault.attempts() {
                return Err(fault);
            }
            sleep(pause).await;
            pause = (pause * 3).min(LONGEST_PAUSE);
        }
        unreachable!("the last attempt returns")
    }

    /// Halves the number of calls at once, unless another call has done so since this one began
    /// under `limit`.
    async fn halve(&self, limit: usize, permit: SemaphorePermit<'_>) {
        let half = limit.div_ceil(2);
        let order = Ordering::Relaxed;
        if half == limit || self.limit.compare_exchange(limit, half, order, order).is_err() {
            return;
        }
        permit.forget();
        if let Ok(others) = self.at_once.acquire_many((limit - half - 1) as u32).await {
            others.forget();
        }
    }
}

impl<B> fmt::Debug for Remote<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Remote").field(&self.calls.address).finish()
    }
}

impl<B> Drop for Remote<B> {
    /// Does not wait for entries on their way, as `flush` does.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Mutex;

    use super::*;

    /// A backend in memory, whose calls end as `plan` says: by the number of the call.
    struct Fake {
        entries: Mutex<HashMap<Name, Vec<u8>>>,
        calls: AtomicUsize,
        running: AtomicUsize,
        most_running: AtomicUsize,
        plan: Plan,
        /// Each call takes this long.
        takes: Duration,
    }

    impl Fake {
        async fn call(&self) -> Result<(), Fault> {
            let number = self.calls.fetch_add(1, Ordering::SeqCst);
            let running = 1 + self.running.fetch_add(1, Ordering::SeqCst);
            self.most_running.fetch_max(running, Ordering::SeqCst);
            sleep(self.takes).await;
            let done = (self.plan)(self, number);
            self.running.fetch_sub(1, Ordering::SeqCst);
            done
        }
    }

    impl Backend for Arc<Fake> {
        async fn probe(&self) -> Result<Option<String>, Fault> {
            self.call().await.map(|()| None)
        }
        async fn get(&self, name: &Name) -> Result<Option<Vec<u8>>, Fault> {
            self.call().await?;
            Ok(self.entries.lock().unwrap().get(name).cloned())
        }
        async fn put(&self, name: &Name, entry: &[u8], _: bool) -> Result<(), Fault> {
            self.call().await?;
            self.entries.lock().unwrap().insert(*name, entry.to_vec());
            Ok(())
        }
    }

    type Plan = fn(&Fake, usize) -> Result<(), Fault>;

    fn fake(plan: Plan) -> (Arc<Fake>, Arc<dyn CacheServer>) {
        slow_fake(plan, Duration::from_millis(1), Duration::from_secs(5))
    }

    fn slow_fake(
        plan: Plan,
        takes: Duration,
        answer: Duration,
    ) -> (Arc<Fake>, Arc<dyn CacheServer>) {
        let backend = Arc::new(Fake {
            entries: Mutex::default(),
            calls: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            most_running: AtomicUsize::new(0),
            plan,
            takes,
        });
        let patience = Patience { probe: answer, answer, pause: Duration::from_millis(1) };
        let server = Remote::open("fake://x", patience, || Ok(Arc::clone(&backend))).unwrap();
        (backend, server)
    }

    fn name(number: u8) -> Name {
        [number; 32]
    }

    fn failed(text: &str) -> Result<(), Fault> {
        Err(Fault::Failed(text.into()))
    }

    fn unanswered() -> Result<(), Fault> {
        Err(Fault::Unanswered("gone".into()))
    }

    #[test]
    fn entries_come_back_in_the_order_of_their_names() {
        let (_, server) = fake(|_, _| Ok(()));
        for number in 0..100 {
            server.put(name(number), vec![number; usize::from(number)], false);
        }
        server.flush();
        let names: Vec<Name> = [99, 3, 200, 0].map(name).into();
        let found = server.get(&names);
        assert_eq!(found, [Some(vec![99; 99]), Some(vec![3; 3]), None, Some(vec![])]);
        assert!(server.faults().is_empty());
    }

    #[test]
    fn at_most_32_calls_run_at_once() {
        let (backend, server) = fake(|_, _| Ok(()));
        server.get(&[name(1); 500]);
        let most = backend.most_running.load(Ordering::SeqCst);
        assert!((2..=AT_ONCE).contains(&most), "{most}");
        assert_eq!(backend.calls.load(Ordering::SeqCst), 501);
    }

    #[test]
    fn a_call_that_fails_twice_is_no_fault() {
        let plans: [Plan; 3] = [
            |_, number| if number % 3 < 2 { failed("500") } else { Ok(()) },
            |_, number| if number % 3 < 2 { unanswered() } else { Ok(()) },
            |_, number| if number % 3 < 2 { Err(Fault::Busy("much".into())) } else { Ok(()) },
        ];
        for plan in plans {
            let (backend, server) = fake(plan);
            server.put(name(1), vec![5], false);
            server.flush();
            assert_eq!(server.get(&[name(1)]), [Some(vec![5])]);
            assert_eq!(backend.calls.load(Ordering::SeqCst), 9);
            assert!(server.faults().is_empty());
        }
    }

    #[test]
    fn a_server_that_never_answers_is_called_three_times_and_then_no_more() {
        let (backend, server) = fake(|_, _| unanswered());
        for _ in 0..3 {
            assert_eq!(server.get(&[name(1); 40]), vec![None; 40]);
            server.put(name(1), vec![1], false);
            server.flush();
            assert_eq!(server.faults(), [ServerFault::Unreachable("gone".into())]);
        }
        assert_eq!(backend.calls.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn a_call_that_hangs_ends_with_the_time_it_may_take() {
        let hour = Duration::from_secs(3600);
        let (late, server) = slow_fake(|_, _| Ok(()), hour, Duration::from_millis(1));
        assert_eq!(server.get(&[name(1); 100]), vec![None; 100]);
        let faults = server.faults();
        assert!(faults[0].reason().starts_with("no answer within"), "{faults:?}");
        assert_eq!(late.calls.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn a_server_that_keeps_nothing_is_still_read() {
        let (backend, server) = fake(|fake, _| {
            let is_filled = !fake.entries.lock().unwrap().is_empty();
            // The probe, then a put that is refused.
            if is_filled || fake.calls.load(Ordering::SeqCst) == 1 {
                Ok(())
            } else {
                Err(Fault::Refused("read only".into()))
            }
        });
        for number in 0..3 {
            server.put(name(number), vec![1], false);
            server.flush();
        }
        assert_eq!(backend.calls.load(Ordering::SeqCst), 2);
        assert_eq!(server.faults(), [ServerFault::NotWritten("read only".into())]);
        backend.entries.lock().unwrap().insert(name(7), vec![7]);
        assert_eq!(server.get(&[name(7)]), [Some(vec![7])]);
    }

    #[test]
    fn a_server_that_is_busy_gets_half_as_many_calls_at_once() {
        // Of 32, 16 and 8 it says that it is busy; four are well.
        let (backend, server) = fake(|fake, _| {
            let is_much = fake.running.load(Ordering::SeqCst) > 4;
            if is_much { Err(Fault::Busy("much".into())) } else { Ok(()) }
        });
        server.get(&[name(1); 300]);
        assert!(server.faults().is_empty(), "{:?}", server.faults());
        backend.most_running.store(0, Ordering::SeqCst);
        let calls = backend.calls.load(Ordering::SeqCst);
        server.get(&[name(1); 300]);
        assert!(backend.most_running.load(Ordering::SeqCst) <= 4);
        assert_eq!(backend.calls.load(Ordering::SeqCst), calls + 300);
    }

    #[test]
    fn an_entry_that_is_too_large_is_a_fault() {
        let (_, server) = fake(|_, _| Ok(()));
        server.put(name(1), vec![0; MOST_BYTES], false);
        server.flush();
        assert!(server.faults().is_empty());
        server.put(name(2), vec![0; MOST_BYTES + 1], false);
        assert!(matches!(&server.faults()[..], [ServerFault::NotWritten(_)]));
    }
}

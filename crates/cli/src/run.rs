//! From arguments to an exit code.

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Mutex;

use clap::Parser;

use crate::args::{Arguments, Verb};
use crate::cmd;
use crate::failure::{Exit, Failure};
use crate::output::{self, Output};

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => {
            // Help and version are answers, the rest are complaints. Where it cannot be printed there is nobody to tell.
            let _ = answer.print();
            return if answer.use_stderr() {
                Exit::Usage.into()
            } else {
                Exit::Done.into()
            };
        }
    };
    match guarded(|| dispatch(arguments)) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::complain(&failure);
            ExitCode::from(failure.code)
        }
    }
}

fn dispatch(arguments: Arguments) -> Result<Exit, Failure> {
    let output = Output::new(&arguments.common);
    match arguments.verb {
        Verb::Bake(options) => cmd::bake::run(*options, output),
        Verb::Info(options) => cmd::info::run(&options, output),
        Verb::Query(options) => cmd::query::run(&options.question, output),
        Verb::Bench(options) => cmd::bench::run(&options, output),
        Verb::Tune(options) => cmd::tune::run(&options, output),
        Verb::Export(options) => cmd::export::run(&options, output),
        Verb::Config(options) => cmd::config::run(&options, output),
        Verb::Explain(options) => cmd::explain::run(&options, output),
        Verb::Diff(options) => cmd::diff::run(&options, output),
        Verb::View(options) => cmd::view::run(&options, output),
        Verb::Check(options) => cmd::check::run(&options, output),
    }
}

/// What a panic said and where, kept until the main thread can tell it in one line.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Turns a panic on any thread the work waits for into a failure.
fn guarded(work: impl FnOnce() -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let said = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("panic");
        let place = info
            .location()
            .map(|l| format!(" ({}:{})", l.file(), l.line()))
            .unwrap_or_default();
        if let Ok(mut kept) = PANIC.lock() {
            *kept = Some(format!("{said}{place}"));
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let said = PANIC.lock().ok().and_then(|mut kept| kept.take());
        Err(Failure::internal(
            said.as_deref().unwrap_or("panic").replace('\n', " "),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error_in_one_line() {
        let failure = guarded(|| panic!("index 7\nout of range")).unwrap_err();
        assert_eq!(failure.code, 6);
        assert!(
            failure.message.contains("index 7 out of range"),
            "{}",
            failure.message
        );
        assert!(!failure.message.contains('\n'));
    }
}

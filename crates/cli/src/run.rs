//! From arguments to an exit code.

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Mutex;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::{Arguments, Verb};
use crate::cmd;
use crate::failure::{Exit, Failure};
use crate::output::{self, Output};

/// Options that have a new name: old, new.
const RENAMED: [(&str, &str); 3] =
    [("--ahead", "--cost-estimate"), ("--gap", "--epsilon"), ("--strip", "--no-diagnostics")];

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    match guarded(|| dispatch(arguments)) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::complain(&failure);
            ExitCode::from(failure.code)
        }
    }
}

/// Prints help, the version, or what is wrong with the arguments.
fn refuse(error: &clap::Error) -> ExitCode {
    if let Some((old, new)) = renamed(error) {
        let failure = Failure::usage(format_args!("{old} is now {new}"));
        output::complain(&failure);
        return Exit::Usage.into();
    }
    let hidden = |argument: std::ffi::OsString| {
        let argument = argument.to_string_lossy();
        matches!(output::visible(&argument), std::borrow::Cow::Owned(_))
    };
    if error.use_stderr() && std::env::args_os().any(hidden) {
        output::message(error.to_string().trim_end());
        return Exit::Usage.into();
    }
    // An error while printing is ignored.
    let _ = error.print();
    match error.use_stderr() {
        true => Exit::Usage.into(),
        false => Exit::Done.into(),
    }
}

/// The old and the new name of an unknown option that was renamed.
fn renamed(error: &clap::Error) -> Option<(&'static str, &'static str)> {
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) if error.kind() == ErrorKind::UnknownArgument => {
            argument.split('=').next()?
        }
        _ => return None,
    };
    RENAMED.into_iter().find(|(old, _)| *old == argument)
}

fn dispatch(arguments: Arguments) -> Result<Exit, Failure> {
    let output = Output::new(&arguments.common);
    match arguments.verb {
        Verb::Bake(options) => cmd::bake::run(&options, output),
        Verb::Info(options) => cmd::info::run(&options, output),
        Verb::Query(options) => cmd::query::run(&options, output),
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

/// The message and place of the last panic, until the main thread prints them in one line.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Turns a panic on any thread of the work into a failure.
fn guarded(work: impl FnOnce() -> Result<Exit, Failure>) -> Result<Exit, Failure> {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("panic");
        let place =
            info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(format!("{message}{place}"));
        }
    }));
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = PANIC.lock().ok().and_then(|mut last| last.take());
        let message = message.as_deref().unwrap_or("panic");
        Err(Failure::internal(message.replace('\n', " ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error_in_one_line() {
        let failure = guarded(|| panic!("index 7\nout of range")).unwrap_err();
        assert_eq!(failure.code, 6);
        assert!(failure.message.contains("index 7 out of range"), "{}", failure.message);
        assert!(!failure.message.contains('\n'));
    }

    #[test]
    fn old_names_of_options_are_refused_and_the_new_ones_are_known() {
        for (line, old, value) in [
            ("query path a.nav --from 0,0,0 --to 1,0,0", "--ahead", "own"),
            ("query path a.nav --from 0,0,0 --to 1,0,0", "--gap", "0.1"),
            ("bench a.nav --random 1", "--ahead", "2"),
            ("bench a.nav --random 1", "--gap", "0"),
            ("bake a.obj", "--strip", ""),
        ] {
            let value = Some(value).filter(|value| !value.is_empty());
            let with = |option: &str| {
                let line = ["navbake"].into_iter().chain(line.split(' '));
                let line: Vec<&str> = line.chain([option]).chain(value).collect();
                Arguments::try_parse_from(line)
            };
            let (_, renamed_to) = renamed(&with(old).unwrap_err()).unwrap();
            assert!(RENAMED.contains(&(old, renamed_to)));
            assert!(with(renamed_to).is_ok(), "{line} {renamed_to}");
        }
        let other = Arguments::try_parse_from(["navbake", "bake", "a.obj", "--nothing"]);
        assert_eq!(renamed(&other.unwrap_err()), None);
    }
}

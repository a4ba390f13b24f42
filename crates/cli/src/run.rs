//! From arguments to an exit code.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};

use crate::args::{Arguments, Format, Verb};
use crate::cmd;
use crate::failure::{Exit, Failure};
use crate::output::{self, Output};
use navbake_bake::names::is_named_as_blob;

/// Options that have a new name: old, new.
const RENAMED: [(&str, &str); 3] =
    [("--ahead", "--cost-estimate"), ("--gap", "--epsilon"), ("--strip", "--no-diagnostics")];

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut command = with_negative_numbers(Arguments::command());
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed.map_err(|error| error.format(&mut command)) {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error, &words),
    };
    let json = arguments.common.format == Format::Json;
    match guarded(|| dispatch(arguments)) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::complain(&failure, json);
            ExitCode::from(failure.code)
        }
    }
}

/// Takes `-3` after an option as its value, so that the error is about the value.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let takes_number = arg.get_action().takes_values() && !arg.is_positional();
        if takes_number && !arg.is_allow_hyphen_values_set() {
            arg.allow_negative_numbers(true)
        } else {
            arg
        }
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Prints help, the version, or what is wrong with the arguments.
fn refuse(error: &clap::Error, words: &[String]) -> ExitCode {
    if !error.use_stderr() {
        // An error while printing is ignored.
        let _ = error.print();
        return Exit::Done.into();
    }
    let json = words.windows(2).any(|pair| pair == ["--format", "json"])
        || words.iter().any(|word| word == "--format=json");
    let failure = match (renamed(error), mistaken(error, words)) {
        (Some((old, new)), _) => Failure::usage(format_args!("{old} is now {new}")),
        (None, Some(message)) => Failure::usage(message),
        (None, None) => {
            let text = error.render().to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
            // Nothing that a verb takes begins with a hyphen but options.
            let is_sound = |part: &&str| !part.trim_start().starts_with("tip: to pass '-");
            let parts: Vec<&str> = text.split("\n\n").filter(is_sound).collect();
            let text = parts.join("\n\n");
            Failure::usage(match json {
                // The finding is the first paragraph; help is for people.
                true => text.split("\n\n").next().unwrap_or(&text).replace("\n  ", " "),
                false => text,
            })
        }
    };
    output::complain(&failure, json);
    Exit::Usage.into()
}

/// What was meant by a line that the options do not fit, for mistakes whose cure is known.
fn mistaken(error: &clap::Error, words: &[String]) -> Option<String> {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let stray = context(ContextKind::InvalidArg)?;
            let is_number = |word: &String| word.parse::<f64>().is_ok();
            let [option, x, y, z] = words.windows(4).find(|four| {
                four[0].starts_with("--") && four[1..].iter().all(is_number) && four[2] == stray
            })?
            else {
                return None;
            };
            Some(format!(
                "{option} {x} {y} {z}: a point is one word; write it with commas: {option} {x},{y},{z}"
            ))
        }
        ErrorKind::InvalidSubcommand => {
            let found = context(ContextKind::InvalidSubcommand)?;
            let path = Path::new(found);
            let is_blob = is_named_as_blob(path);
            let is_level = navbake_import::Format::of(path).is_some();
            let of_query = words.get(1).is_some_and(|word| word == "query");
            match (is_blob, is_level) {
                (true, _) if of_query => Some(format!(
                    "{found} is no question; name one before the blob: navbake query path {found} --from x,y,z --to x,y,z"
                )),
                (true, _) => Some(format!("{found} is no verb; name one: navbake info {found}")),
                (_, true) => Some(format!("{found} is no verb; name one: navbake bake {found}")),
                _ => None,
            }
        }
        _ => None,
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
        Verb::ImportDetour(options) => cmd::import_detour::run(&options, output),
        Verb::Config(options) => cmd::config::run(&options, output),
        Verb::Explain(options) => cmd::explain::run(&options, output),
        Verb::Diff(options) => cmd::diff::run(&options, output),
        Verb::View(options) => cmd::view::run(&options, output),
        Verb::Watch(options) => cmd::watch::run(&options, output),
        Verb::Check(options) => cmd::check::run(&options, output),
        Verb::Plan(options) => cmd::farm::plan::run(&options, output),
        Verb::Run(options) => cmd::farm::run::run(&options, output),
        Verb::Status(options) => cmd::farm::status::run(&options, output),
        Verb::Merge(options) => cmd::farm::merge::run(&options, output),
        Verb::Completions(options) => cmd::shell::completions(&options, output),
        Verb::Man(options) => cmd::shell::man(&options, output),
    }
}

/// The message and place of the last panic, until the main thread prints them in one line.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Turns a panic on any thread of the work into a failure.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
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
    use clap::Parser;

    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error_in_one_line() {
        let failure = guarded::<()>(|| panic!("index 7\nout of range")).unwrap_err();
        assert_eq!(failure.code, 6);
        assert!(failure.message.contains("index 7 out of range"), "{}", failure.message);
        assert!(!failure.message.contains('\n'));
    }

    #[test]
    fn a_negative_number_is_the_value_of_every_option_before_it() {
        fn check(command: &Command) {
            for arg in command.get_arguments() {
                let is_option = arg.get_action().takes_values() && !arg.is_positional();
                let takes = arg.is_allow_negative_numbers_set() || arg.is_allow_hyphen_values_set();
                assert!(!is_option || takes, "{} {}", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(check);
        }
        check(&with_negative_numbers(Arguments::command()));
        for line in [
            "bake a.obj --radius -0.4",
            "export a.nav --to detour --tile-size -3",
            "import-detour a.bin --climb -1",
            "query path a.nav --from -1,0,0 --to 1,0,0 --epsilon -1",
            "query path a.nav --from -1,0,0 --to 1,0,0 --road a --off-road -2",
            "bench a.nav --random -1",
            "check a.nav --threads -1",
        ] {
            let words = ["navbake"].into_iter().chain(line.split(' '));
            let command = with_negative_numbers(Arguments::command());
            if let Err(error) = command.try_get_matches_from(words) {
                assert_eq!(error.kind(), ErrorKind::ValueValidation, "{line}: {error}");
            }
        }
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

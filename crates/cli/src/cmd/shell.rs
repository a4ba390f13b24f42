//! `navbake completions` and `navbake man`: what shells and manuals know of the command.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde::Serialize;

use crate::args::Arguments;
use crate::failure::{Exit, Failure};
use crate::output::{Output, write_whole};

/// Options of `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(crate) shell: Shell,
}

/// Options of `man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Folder for one page a verb, navbake.1, navbake-bake.1 and so on [default: print navbake.1]
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
}

/// The JSON object of both.
#[derive(Debug, Serialize)]
struct Text {
    /// What was printed; empty where it went to files.
    text: String,
    /// The files that were written.
    files: Vec<String>,
}

/// Prints the completions of a shell.
pub(crate) fn completions(options: &Completions, output: Output) -> Result<Exit, Failure> {
    let mut script = vec![];
    clap_complete::generate(options.shell, &mut Arguments::command(), "navbake", &mut script);
    say(script, vec![], output)
}

/// Prints the manual page, or writes one for each verb.
pub(crate) fn man(options: &Man, output: Output) -> Result<Exit, Failure> {
    let mut command = Arguments::command();
    command.build();
    let Some(folder) = &options.out_dir else {
        return say(page(command)?, vec![], output);
    };
    let mut pages = vec![];
    collect(command, &mut pages);
    let mut files = vec![];
    for command in pages {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let file = folder.join(format!("{name}.1"));
        files.push(file.display().to_string());
        write_whole(&file, &page(command)?)?;
    }
    say(vec![], files, output)
}

fn say(text: Vec<u8>, files: Vec<String>, output: Output) -> Result<Exit, Failure> {
    let text = String::from_utf8(text).map_err(Failure::internal)?;
    output.result(&Text { text, files }, |said| {
        let files: String = said.files.iter().map(|file| format!("{file}\n")).collect();
        said.text.clone() + &files
    })?;
    Ok(Exit::Done)
}

/// A command and those below it.
fn collect(command: clap::Command, pages: &mut Vec<clap::Command>) {
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        collect(below.clone(), pages);
    }
    pages.push(command);
}

fn page(command: clap::Command) -> Result<Vec<u8>, Failure> {
    let mut page = vec![];
    clap_mangen::Man::new(command).render(&mut page).map_err(Failure::internal)?;
    Ok(page)
}

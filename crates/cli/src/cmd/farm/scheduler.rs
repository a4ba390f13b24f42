//! Scripts that submit a plan's jobs to a scheduler.

use std::path::Path;

use clap::ValueEnum;

/// A scheduler for which there are scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scheduler {
    /// Slurm: an array of jobs, and the merge after them
    Slurm,
}

impl Scheduler {
    /// The name of the script in the plan's folder.
    pub(super) fn file(self) -> &'static str {
        match self {
            Scheduler::Slurm => "submit-slurm.sh",
        }
    }
}

/// The script that submits `jobs` jobs of a plan.
///
/// # Errors
/// When a path cannot be written in a script.
pub(super) fn script(
    scheduler: Scheduler,
    plan: &Path,
    store: &Path,
    jobs: usize,
) -> Result<String, String> {
    let [plan, store] = [quoted(plan)?, quoted(store)?];
    Ok(match scheduler {
        Scheduler::Slurm => slurm(&plan, &store, jobs),
    })
}

/// The merge begins after all jobs have ended, however they ended: after a failed job, `afterok`
/// would never begin, and say nothing. The merge names the jobs that are missing.
fn slurm(plan: &str, store: &str, jobs: usize) -> String {
    let mut text = format!(
        "#!/bin/sh
# Submits the jobs of a navbake plan to Slurm, and the merge after them. Run it in the folder in
# which the plan was made, which all nodes must see. Options go to both, such as --partition.
# NAVBAKE names the command on the nodes, and OUT the blob.
set -eu
navbake=${{NAVBAKE:-navbake}}
out=${{OUT:+-o $OUT}}
plan={plan}
store={store}
after=
"
    );
    if let Some(last) = jobs.checked_sub(1) {
        text += &format!(
            "array=$(sbatch --parsable --job-name=navbake --array=0-{last} --requeue \"$@\" \\
  --wrap=\"exec $navbake run --plan '$plan' --cache '$store' --job auto -j \\${{SLURM_CPUS_PER_TASK:-1}}\")
after=--dependency=afterany:$array
"
        );
    }
    text += "sbatch --job-name=navbake-merge $after \"$@\" \\
  --wrap=\"exec $navbake merge --plan '$plan' --cache '$store' $out\"
";
    text
}

/// A path as a word of a shell, which is quoted once more inside of a command.
fn quoted(path: &Path) -> Result<String, String> {
    let text = path.to_str().ok_or("the plan's path is not UTF-8; name another folder")?;
    if text.chars().any(|c| c.is_control() || "'\"\\$`".contains(c)) {
        return Err(format!(
            "{text:?}: a quote, `$`, `\\` or a control character in the path; name another folder for a script"
        ));
    }
    Ok(format!("'{text}'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_could_command_the_shell_is_refused() {
        for path in ["a'b", "a$b", "a`b", "a\"b", "a\nb"] {
            assert!(
                script(Scheduler::Slurm, Path::new(path), Path::new("s"), 1).is_err(),
                "{path}"
            );
        }
    }

    #[test]
    fn the_merge_follows_whatever_happened_to_the_jobs() {
        let text = script(Scheduler::Slurm, Path::new("a plan"), Path::new("s"), 12).unwrap();
        assert!(text.contains("--array=0-11") && text.contains("afterany"));
        assert!(text.contains("plan='a plan'"));
        let text = script(Scheduler::Slurm, Path::new("p"), Path::new("s"), 0).unwrap();
        assert!(!text.contains("--array") && text.contains("merge"));
    }
}

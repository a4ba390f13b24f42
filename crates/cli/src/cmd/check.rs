//! `navbake check`: problems of a level, for people, builds and other programs.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::Args;
use navbake_bake::config::{Budget, CheckConfig, Require};
use navbake_bake::{BakeError, BakeInput, Cache, Config, ConfigError, EarlierInput, names};
use navbake_format::CheckedBlob;
use navbake_report::audit::{AuditSettings, audit};
use navbake_report::explain::Explainer;
use navbake_report::{Baseline, EarlierDrawing, Finding, LevelDrawing, Meshes, Report, Severity};

use super::bake;
use crate::args::{BlobPath, Limits, Settings, TimeLimit, between, one_of};
use crate::blob_file::{self, BlobFile};
use crate::failure::{Exit, Failure, failed};
use crate::files::{self, given, refuse_overwrites};
use crate::output::{Output, is_dash, print, visible, write_whole};

/// What is checked, and against which rules.
#[derive(Debug, Args)]
pub(crate) struct SubjectOptions {
    /// Baked blob (- reads stdin), or a level, which is baked in memory first
    #[arg(value_name = "BLOB|LEVEL")]
    pub(crate) input: PathBuf,
    /// Config of the bake with the rules in `[check]` [default: for a blob its own]
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Worker threads of the bake, 1 to 1024 [default: one a core]; findings do not depend on it
    #[arg(long, short = 'j', visible_alias = "jobs", value_name = "N", value_parser = between::<1, 1024>)]
    pub(crate) threads: Option<u32>,
    /// Further rules: the keys of `[check]` in a file of their own
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) rules: Option<PathBuf>,
    /// Known findings to leave out: the output of an earlier --format json
    #[arg(long, value_name = "FILE.json")]
    pub(crate) baseline: Option<PathBuf>,
    /// Also measure the navmesh against the level's triangles at random points; for levels only
    #[arg(long)]
    pub(crate) audit: bool,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) subject: SubjectOptions,
    #[command(flatten)]
    pub(crate) time: TimeLimit,
    /// Exit with 1 for findings of this severity or above
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = one_of::<Severity>(&Severity::NAMES))]
    pub(crate) fail_on: Severity,
    /// Write the report as an HTML page, with the level in 3D and a plan
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a SARIF 2.1.0 log
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write JUnit XML, one test per rule
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// Runs it.
pub(crate) fn run(options: &Check, output: Output) -> Result<Exit, Failure> {
    options.time.begin(output.json());
    let outputs = [&options.html, &options.sarif, &options.junit];
    let files = given(&outputs.map(Option::as_ref));
    if files.iter().filter(|path| is_dash(path)).count() > 1 {
        return Err(Failure::usage("only one of --html, --sarif and --junit can be -, stdout"));
    }
    let page = if options.html.is_some() { Page::File } else { Page::None };
    let subject = Subject::open(&options.subject, &files, output, page)?;
    let report = subject.report(&options.subject)?;
    let name = &subject.name;
    if let Some(path) = &options.html {
        let page = navbake_report::html(&report, subject.checked()?, name, subject.job());
        write_whole(path, page.as_bytes())?;
    }
    if let Some(path) = &options.sarif {
        write_whole(path, navbake_report::sarif(&report, name).as_bytes())?;
    }
    if let Some(path) = &options.junit {
        let text = navbake_report::junit(&report, name, options.fail_on);
        write_whole(path, text.as_bytes())?;
    }
    let text = match output.json() {
        true => navbake_report::json(&report, name),
        false => navbake_report::text(&report, name, output.is_verbose()),
    };
    // A file that is - has taken stdout.
    if !files.iter().any(|path| is_dash(path)) {
        match output.json() {
            true => print(text.as_bytes())?,
            false => print(visible(&text).as_bytes())?,
        }
    }
    Ok(match report.fails(options.fail_on) {
        true => Exit::Findings,
        false => Exit::Done,
    })
}

/// The navmesh that is checked: the bytes of a blob, read or just baked.
pub(crate) struct Subject {
    /// Its name in messages and reports.
    pub(crate) name: String,
    bytes: Vec<u8>,
    config: Config,
    /// The level, if it was baked here.
    job: Option<BakeInput>,
    /// Findings of the audit, if there was one.
    audited: Vec<Finding>,
    /// The navmeshes, once they are asked for.
    meshes: OnceLock<Meshes>,
    /// The level as a live page draws it.
    drawing: Option<LevelDrawing>,
}

/// The page that is made of a subject, if any.
pub(crate) enum Page<'a> {
    None,
    /// Its searches use the tables of the level.
    File,
    /// It is replaced after each save: no time is taken for tables, and earlier bakes give what did
    /// not change.
    Live(&'a mut Kept),
}

/// What a bake leaves for the next one of the same level.
pub(crate) struct Kept {
    /// Results of tiles.
    pub(crate) cache: Cache,
    pub(crate) input: EarlierInput,
    pub(crate) drawing: EarlierDrawing,
}

impl Subject {
    /// Reads a blob or bakes a level.
    ///
    /// `outputs` are the files that the call will write. Tables are left out where nothing uses
    /// them and no rule is about them.
    pub(crate) fn open(
        options: &SubjectOptions,
        outputs: &[&Path],
        output: Output,
        page: Page<'_>,
    ) -> Result<Subject, Failure> {
        bake::limit_threads(options.threads);
        let path = &options.input;
        let others = [&options.config, &options.rules, &options.baseline].map(Option::as_ref);
        let inputs = [given(&[Some(path)]), given(&others)].concat();
        refuse_overwrites(&inputs, outputs)?;
        let config = match &options.config {
            Some(path) => Some(Config::load(path).map_err(failed)?),
            None => None,
        };
        if !is_blob(path)? {
            let config = config.unwrap_or_default();
            return Subject::bake(options, config, outputs, output, page);
        }
        if options.settings.any() {
            return Err(Failure::usage(format_args!(
                "{}: sizes of agents do not apply to a blob, which is baked already; name the level instead",
                path.display()
            )));
        }
        if options.audit {
            return Err(Failure::usage(format_args!(
                "{}: --audit needs the level, which a blob does not contain; name the level instead",
                path.display()
            )));
        }
        let blob = BlobPath::read(path);
        let BlobFile { bytes, name } = BlobFile::whole(&blob)?;
        let bytes = bytes.to_vec();
        let config = match config {
            Some(config) => config,
            None => {
                let checked = blob_file::checked(&bytes, &name)?;
                // Without its config the rules of a blob would be skipped silently.
                Config::from_brief(checked.config()).map_err(|error| {
                    Failure::input(format_args!(
                        "{name}: cannot read its config: {error}; bake it again, or give --config"
                    ))
                })?
            }
        };
        let (audited, meshes) = (vec![], OnceLock::new());
        Ok(Subject { name, bytes, config, job: None, audited, meshes, drawing: None })
    }

    fn bake(
        options: &SubjectOptions,
        mut config: Config,
        outputs: &[&Path],
        output: Output,
        page: Page<'_>,
    ) -> Result<Subject, Failure> {
        options.limits.apply(&mut config);
        options.settings.refuse_ignored(core::slice::from_ref(&options.input))?;
        bake::override_config(&mut config, &options.settings)?;
        let has_budget = |rules: &CheckConfig| rules.max_bytes.or(rules.max_table_bytes).is_some();
        let mut is_asked = has_budget(&config.check) || config.tables.require == Require::Labels;
        if let Some(path) = &options.rules {
            let (rules, _) = CheckConfig::load(path).map_err(failed)?;
            is_asked |= has_budget(&rules);
            config.check.looked_for(&rules);
        }
        // A budget that is no budget stays, to be refused.
        let is_used = is_asked || matches!(page, Page::File);
        if !is_used && config.tables.budget() != Budget::None {
            config.tables.budget = Budget::None.into();
        }
        let name = options.input.display().to_string();
        output.detail(format_args!("{name}: baking"));
        let path = &options.input;
        let (job, live) = match page {
            Page::None => (BakeInput::open(path, &config), None),
            Page::File => (BakeInput::open_to_draw(path, &config, None), None),
            Page::Live(Kept { cache, input, drawing }) => {
                let job = BakeInput::open_to_draw(path, &config, Some(&mut *input));
                (job, Some((&*cache, (input, drawing))))
            }
        };
        let job = job.map_err(failed)?;
        refuse_overwrites(&job.all_files(), outputs)?;
        let (cache, earlier) = live.unzip();
        let how = navbake_bake::Options {
            threads: options.threads.map_or(0, |n| n as usize),
            cache,
            ..navbake_bake::Options::default()
        };
        // On threads that wait for the bake, which has most tiles.
        let draw = || {
            earlier.map(|(input, drawing)| {
                let draw = || LevelDrawing::again(&job, drawing);
                let lint = || job.look_for_oddities(input);
                rayon::join(draw, lint).0
            })
        };
        let (baked, drawing) = rayon::join(|| job.bake(&how), draw);
        let baked = baked.map_err(failed)?;
        let audited = match options.audit {
            true => audited(&job, &baked.bytes, &name, output)?,
            false => vec![],
        };
        let meshes = match baked.meshes {
            none if none.is_empty() => OnceLock::new(),
            all => OnceLock::from(Meshes::decoded_before(all)),
        };
        let (bytes, job) = (baked.bytes, Some(job));
        Ok(Subject { name, bytes, config, job, audited, meshes, drawing })
    }

    /// The level, if it was baked here.
    pub(crate) fn job(&self) -> Option<&BakeInput> {
        self.job.as_ref()
    }

    /// The level as a live page draws it, if it was opened for one.
    pub(crate) fn drawing(&self) -> Option<&LevelDrawing> {
        self.drawing.as_ref()
    }

    pub(crate) fn checked(&self) -> Result<CheckedBlob<'_>, Failure> {
        blob_file::checked(&self.bytes, &self.name)
    }

    /// The blob and its navmeshes, which are decoded once.
    pub(crate) fn decoded(&self) -> Result<(CheckedBlob<'_>, &Meshes), Failure> {
        let blob = self.checked()?;
        Ok((blob, self.meshes.get_or_init(|| Meshes::of(&blob))))
    }

    /// The findings without those of the baseline.
    pub(crate) fn report(&self, options: &SubjectOptions) -> Result<Report, Failure> {
        self.report_while(self.decoded()?, options, &|| true)
    }

    /// The same for the result of [`Subject::decoded`]. No search for a cause begins once `goes_on`
    /// is false: these searches take the longest.
    pub(crate) fn report_while(
        &self,
        (blob, meshes): (CheckedBlob<'_>, &Meshes),
        options: &SubjectOptions,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Report, Failure> {
        let agents: Vec<&str> = blob.agents().map(|a| a.name).collect();
        let mut config = self.config.check.clone();
        navbake_report::Settings::new(config.clone(), &agents).map_err(|unknown| {
            let key = format!("check.{}", unknown.key);
            failed(self.config.fault_at(&key, unknown.message).into())
        })?;
        if let Some(path) = &options.rules {
            let (rules, lines) = CheckConfig::load(path).map_err(failed)?;
            navbake_report::Settings::new(rules.clone(), &agents).map_err(|unknown| {
                let fault = ConfigError {
                    file: Some(path.display().to_string()),
                    line: lines.at(&unknown.key),
                    message: unknown.message,
                };
                failed(BakeError::from(fault))
            })?;
            config.lay_over(rules);
        }
        let settings = navbake_report::Settings::new(config, &agents)
            .map_err(|unknown| Failure::usage(unknown.message))?;
        let mut report = navbake_report::check_decoded(blob, meshes, &settings);
        report.add(self.audited.clone(), &settings);
        match &self.job {
            _ if !goes_on() => {}
            Some(job) => {
                navbake_report::why::why(&mut report, blob, job, &settings, goes_on);
            }
            None => navbake_report::why::without_level(&mut report, &settings),
        }
        if let Some(path) = &options.baseline {
            let text = files::read_text(path)?;
            let baseline = Baseline::parse(&text)
                .map_err(|fault| Failure::usage(format_args!("{}: {fault}", path.display())))?;
            report.against(baseline, &settings);
        }
        Ok(report)
    }
}

/// Measures each agent's navmesh against the level and prints a summary.
fn audited(
    job: &BakeInput,
    bytes: &[u8],
    name: &str,
    output: Output,
) -> Result<Vec<Finding>, Failure> {
    let Some(explainer) = Explainer::new(job) else {
        return Err(Failure::usage(format_args!("{name}: --audit does not apply to grid maps")));
    };
    let blob = blob_file::checked(bytes, name)?;
    let meshes = Meshes::of(&blob);
    let mut findings = vec![];
    for (number, agent) in explainer.agents().enumerate() {
        let mesh = blob.agent(&agent.name).and_then(|agent| meshes.get(agent.class));
        let found = mesh.and_then(|m| audit(&explainer, m, number, &AuditSettings::default()));
        match found {
            Some(found) => {
                output.say(found.text().trim_end());
                findings.extend(found.findings);
            }
            None => output
                .say(format_args!("{}: nothing to audit: no ground or no navmesh", agent.name)),
        }
    }
    Ok(findings)
}

/// Whether a file is a blob, by its name or its first bytes.
pub(crate) fn is_blob(path: &Path) -> Result<bool, Failure> {
    if is_dash(path) {
        return Ok(true);
    }
    names::is_blob(path).map_err(|error| Failure::io(path, "read", &error))
}

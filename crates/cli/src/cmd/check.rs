//! `navbake check`: what is wrong with a level, for people, for builds and for other programs.

use std::fs;
use std::path::{Path, PathBuf};

use navbake_bake::config::CheckConfig;
use navbake_bake::{BakeError, BakeInput, Config, ConfigError};
use navbake_format::{CheckedBlob, MAGIC};
use navbake_report::audit::{AuditSettings, audit};
use navbake_report::explain::Explainer;
use navbake_report::{Baseline, Finding, Report, Settings, Severity};

use crate::args::{self, Check, FailOn};
use crate::blob_file;
use crate::cmd::bake;
use crate::failure::{Exit, Failure};
use crate::output::{Output, is_dash, print, write_whole};

/// Runs it.
pub(crate) fn run(options: &Check, output: Output) -> Result<Exit, Failure> {
    let files: Vec<&PathBuf> = [&options.html, &options.sarif, &options.junit]
        .into_iter()
        .flatten()
        .collect();
    if files.iter().filter(|path| is_dash(path)).count() > 1 {
        return Err(Failure::usage(
            "only one of --html, --sarif and --junit can be -, which is stdout; name files",
        ));
    }
    let subject = Looked::at(&options.looked, output)?;
    let fail_on = Severity::from(options.fail_on);
    let report = subject.report(&options.looked)?;
    if let Some(path) = &options.html {
        let page = navbake_report::html(&report, subject.checked()?, &subject.name);
        write_whole(path, page.as_bytes())?;
    }
    if let Some(path) = &options.sarif {
        write_whole(
            path,
            navbake_report::sarif(&report, &subject.name).as_bytes(),
        )?;
    }
    if let Some(path) = &options.junit {
        let text = navbake_report::junit(&report, &subject.name, fail_on);
        write_whole(path, text.as_bytes())?;
    }
    let told = match output.json() {
        true => navbake_report::json(&report, &subject.name),
        false => navbake_report::text(&report, &subject.name, output.is_verbose()),
    };
    // What was asked for on stdout instead is already there.
    if !files.iter().any(|path| is_dash(path)) {
        print(told.as_bytes())?;
    }
    Ok(match report.fails(fail_on) {
        true => Exit::Findings,
        false => Exit::Done,
    })
}

impl From<FailOn> for Severity {
    fn from(fail_on: FailOn) -> Severity {
        match fail_on {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Note => Severity::Note,
        }
    }
}

/// What is looked at: the bytes of a navmesh file, read or baked just now.
pub(crate) struct Looked {
    /// What messages and reports call it.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// Where its `[check]` stands, for messages.
    config: Config,
    /// What an audit found, where one was asked for.
    audited: Vec<Finding>,
}

impl Looked {
    pub(crate) fn at(options: &args::Looked, output: Output) -> Result<Looked, Failure> {
        let path = &options.input;
        let told = match &options.config {
            Some(path) => Some(Config::load(path).map_err(bake::failed)?),
            None => None,
        };
        if !is_blob(path)? {
            return Looked::baked(options, told.unwrap_or_default(), output);
        }
        if options.settings.is_told() {
            return Err(Failure::usage(format_args!(
                "{}: it is baked already, so that sizes of agents cannot be told; leave them out, or name the level itself",
                path.display()
            )));
        }
        if options.audit {
            return Err(Failure::usage(format_args!(
                "{}: --audit compares a navmesh with its level, and a blob does not hold that; name the level itself",
                path.display()
            )));
        }
        let blob = args::BlobPath {
            path: path.clone(),
            mmap: false,
        };
        let name = blob_file::name(&blob);
        let bytes = blob_file::load(&blob)?.to_vec();
        let config = match told {
            Some(config) => config,
            None => {
                let checked = blob_file::checked(&bytes, &name)?;
                // What cannot be read would be asked for nothing.
                Config::from_brief(checked.config()).map_err(|error| {
                    Failure::input(format_args!(
                        "{name}: what it was baked with cannot be read: {error}; bake it again, or name a config with --config"
                    ))
                })?
            }
        };
        Ok(Looked {
            name,
            bytes,
            config,
            audited: vec![],
        })
    }

    fn baked(
        options: &args::Looked,
        mut config: Config,
        output: Output,
    ) -> Result<Looked, Failure> {
        bake::lay_over(&mut config, &options.settings)?;
        if let Some(path) = &options.rules {
            let (rules, _) = CheckConfig::load(path).map_err(bake::failed)?;
            config.check.looked_for(&rules);
        }
        let name = options.input.display().to_string();
        output.detail(format_args!("{name}: baking"));
        let job = BakeInput::open(&options.input, &config).map_err(bake::failed)?;
        let how = navbake_bake::Options {
            threads: options.threads.map_or(0, usize::from),
            ..navbake_bake::Options::default()
        };
        let baked = job.bake(&how).map_err(bake::failed)?;
        let audited = match options.audit {
            true => audited(&job, &baked.bytes, &name, output)?,
            false => vec![],
        };
        Ok(Looked {
            name,
            bytes: baked.bytes,
            config,
            audited,
        })
    }

    pub(crate) fn checked(&self) -> Result<CheckedBlob<'_>, Failure> {
        blob_file::checked(&self.bytes, &self.name)
    }

    /// What is found, without what the baseline knows.
    pub(crate) fn report(&self, options: &args::Looked) -> Result<Report, Failure> {
        let blob = self.checked()?;
        let agents: Vec<&str> = blob.agents().map(|a| a.name).collect();
        let mut asked = self.config.check.clone();
        Settings::new(asked.clone(), &agents).map_err(|unknown| {
            let key = format!("check.{}", unknown.key);
            bake::failed(self.config.fault_at(&key, unknown.message).into())
        })?;
        if let Some(path) = &options.rules {
            let (rules, lines) = CheckConfig::load(path).map_err(bake::failed)?;
            Settings::new(rules.clone(), &agents).map_err(|unknown| {
                let fault = ConfigError {
                    file: Some(path.display().to_string()),
                    line: lines.at(&unknown.key),
                    message: unknown.message,
                };
                bake::failed(BakeError::from(fault))
            })?;
            asked.lay_over(rules);
        }
        let settings =
            Settings::new(asked, &agents).map_err(|unknown| Failure::usage(unknown.message))?;
        let mut report = navbake_report::check(blob, &settings);
        report.add(self.audited.clone(), &settings);
        if let Some(path) = &options.baseline {
            let text =
                fs::read_to_string(path).map_err(|error| Failure::io(path, "read", &error))?;
            let baseline = Baseline::parse(&text)
                .map_err(|fault| Failure::usage(format_args!("{}: {fault}", path.display())))?;
            report.against(baseline, &settings);
        }
        Ok(report)
    }
}

/// Measures each agent's navmesh against the level; says the shares, and gives the worst places.
fn audited(
    job: &BakeInput,
    bytes: &[u8],
    name: &str,
    output: Output,
) -> Result<Vec<Finding>, Failure> {
    let Some(explainer) = Explainer::new(job) else {
        return Err(Failure::usage(format_args!(
            "{name}: --audit is for levels of triangles; a grid map is its own navmesh"
        )));
    };
    let blob = blob_file::checked(bytes, name)?;
    let mut findings = vec![];
    for (number, agent) in explainer.agents().enumerate() {
        let mesh = blob.mesh_for(&agent.name);
        let found = mesh.and_then(|m| audit(&explainer, m, number, &AuditSettings::default()));
        match found {
            Some(found) => {
                output.say(found.text().trim_end());
                findings.extend(found.findings);
            }
            None => output.say(format_args!(
                "{}: nothing to audit: no ground or no navmesh",
                agent.name
            )),
        }
    }
    Ok(findings)
}

/// Is it a navmesh file, by its first bytes? What is neither that nor a level is told by whoever reads it as a level.
pub(crate) fn is_blob(path: &Path) -> Result<bool, Failure> {
    if is_dash(path) {
        return Ok(true);
    }
    let read = |file: &mut fs::File| {
        let mut first = [0; MAGIC.len()];
        std::io::Read::read_exact(file, &mut first).map(|()| first)
    };
    let is_named_so = path.extension().is_some_and(|e| e == "nav");
    let mut file = fs::File::open(path).map_err(|error| Failure::io(path, "read", &error))?;
    Ok(is_named_so || read(&mut file).is_ok_and(|first| first == MAGIC))
}

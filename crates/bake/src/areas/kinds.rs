//! The kinds of ground of a level: which there are, and their numbers.

use std::collections::{BTreeMap, BTreeSet};

use navbake_level::{Area, Level, MAX_AREAS, Part, Role, Warning};

use super::{Names, Paint, Said, validate_tags, volumes, warn_of_idle};
use crate::config::Config;
use crate::error::BakeError;
use crate::fields;

/// The kinds of ground of a level, or of a world whose parts are painted one by one.
#[derive(Clone, Debug)]
pub(crate) struct Kinds {
    plain: Vec<Paint>,
    found: BTreeSet<Paint>,
    /// The volumes that hold ground.
    used: Vec<bool>,
    /// The fields that reach ground.
    reached: Vec<bool>,
}

impl Kinds {
    /// The plain areas.
    pub(crate) fn new(names: &Names, config: &Config) -> Kinds {
        Kinds {
            plain: names.plain(config),
            found: BTreeSet::new(),
            used: vec![false; config.volumes.len()],
            reached: vec![false; config.fields.len()],
        }
    }

    /// The plain areas, by number.
    pub(super) fn plain(&self) -> &[Paint] {
        &self.plain
    }

    /// Adds paints.
    pub(super) fn extend(&mut self, paints: &[Paint]) {
        let runs = paints.chunk_by(|a, b| a == b);
        self.found.extend(runs.filter_map(|run| run.first()));
    }

    /// Cuts the ground of a level along volumes, and gives the paint of each triangle.
    ///
    /// # Errors
    /// When a volume has no shape on the level's grid, or a tag has no name.
    pub(crate) fn paint(
        &mut self,
        level: &mut Level,
        names: &Names,
        config: &Config,
        place: &str,
    ) -> Result<Vec<Paint>, BakeError> {
        validate_tags(&level.parts, config, place)?;
        let mut volumes = volumes(&level.grid, config)?;
        let drawn = volumes.len();
        let bands = fields::volumes(level, config)?;
        volumes.extend(bands.iter().map(|band| band.volume.clone()));
        let (mut before, mut pieces) = (vec![], vec![]);
        if !volumes.is_empty() {
            before.extend(level.triangles.iter().map(|t| t.part));
            pieces = level.cut(&volumes);
        }
        for number in pieces.iter().flat_map(|p| &p.within).map(|&number| number as usize) {
            match bands.get(number.wrapping_sub(drawn)) {
                Some(band) => self.reached[band.field] = true,
                None => self.used[number] = true,
            }
        }

        let of_part: Vec<Paint> = (level.parts.iter()).map(|p| names.paint(p, config)).collect();
        let plain = &self.plain;
        let effective = |paint: Paint| paint.with(&plain[paint.area]);
        let paint_of = |i: usize| {
            let t = &level.triangles[i];
            let role = level.roles[t.part as usize];
            if t.up <= 0 || !matches!(role, Role::Ground | Role::Floor) {
                return plain[0];
            }
            let Some(piece) = pieces.get(i) else {
                return effective(of_part[t.part as usize]);
            };
            let mut paint = of_part[before[piece.of as usize] as usize];
            for number in piece.within.iter().map(|&number| number as usize) {
                match config.volumes.get(number) {
                    Some(volume) => names.lay_over(&mut paint, config, Said::of_volume(volume)),
                    None => {
                        let band = &bands[number - drawn];
                        let own = &mut paint.fields[band.field];
                        *own = band.band.max(*own);
                    }
                }
            }
            effective(paint)
        };
        let paints: Vec<Paint> = (0..level.triangles.len()).map(paint_of).collect();
        self.extend(&paints);
        Ok(paints)
    }

    /// Adds what the ground of a part is where no volume holds it, whether or not it has any.
    pub(crate) fn add_part(&mut self, part: &Part, names: &Names, config: &Config) {
        let paint = names.paint(part, config);
        self.found.insert(paint.with(&self.plain[paint.area]));
    }

    /// Warns of volumes and fields without ground.
    pub(crate) fn warn_of_idle(&self, config: &Config, warnings: &mut Vec<Warning>) {
        warn_of_idle(&self.used, config, warnings);
        fields::warn_of_idle(|field: usize| self.reached[field], config, warnings);
    }

    /// Checks that there are not more kinds than a level may have.
    ///
    /// # Errors
    /// When there are more.
    pub(crate) fn check(&self, place: &str) -> Result<(), BakeError> {
        let kinds = self.all().count();
        if kinds <= MAX_AREAS {
            return Ok(());
        }
        let found = format!(
            "the level has {kinds} kinds of ground, by area, switch, tags and bands of cost; at most {MAX_AREAS} are possible: use fewer of them"
        );
        Err(BakeError::input(place, found))
    }

    /// All kinds: plain areas first, the others in an order of their own.
    fn all(&self) -> impl Iterator<Item = &Paint> {
        self.plain.iter().chain(self.found.iter().filter(|paint| !self.plain.contains(paint)))
    }

    /// The areas of all kinds.
    pub(crate) fn areas(&self, names: &Names) -> Vec<Area> {
        self.all().map(|paint| names.area_of(paint)).collect()
    }

    /// The number of each paint's kind.
    pub(super) fn numbers(&self, paints: &[Paint]) -> Vec<u8> {
        let places: BTreeMap<&Paint, u8> = self.all().zip(0..).collect();
        let mut numbers = Vec::with_capacity(paints.len());
        for run in paints.chunk_by(|a, b| a == b) {
            let number = run.first().and_then(|paint| places.get(paint).copied()).unwrap_or(0);
            numbers.resize(numbers.len() + run.len(), number);
        }
        numbers
    }

    /// Gives the triangles of a level, painted by [`Kinds::paint`], their areas.
    pub(crate) fn set(&self, level: &mut Level, paints: &[Paint], names: &Names) {
        for (t, area) in level.triangles.iter_mut().zip(self.numbers(paints)) {
            t.area = area;
        }
        level.areas = self.areas(names);
    }
}

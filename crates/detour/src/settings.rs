//! How a navmesh is written.

use navbake_bake::config::{DetourArea, DetourConfig};
use navbake_format::{AreaId, NavMesh};

/// The width of references to polygons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefWidth {
    /// What Detour is built with by default, and recast-navigation-js.
    #[default]
    Bits32,
    /// For a Detour that was built with `DT_POLYREF64`.
    Bits64,
}

/// The area number and the flags of polygons, which Detour's filters ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The area, 0 to 63: filters give each a cost.
    pub area: u8,
    /// The flags; without any, no query finds the polygon.
    pub flags: u16,
}

/// How a navmesh is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The width of references.
    pub refs: RefWidth,
    /// The side of tiles, m; `None` for one tile where it fits.
    pub tile_size: Option<f64>,
    /// Polygons are cut along squares of this side, m; `None` leaves them whole.
    ///
    /// Detour searches from the middle of one edge to the middle of the next, so long edges mislead
    /// it. Shorter ones take more nodes.
    pub piece_size: Option<f64>,
    /// The agent's height, m.
    pub height: f64,
    /// The agent's radius, m.
    pub radius: f64,
    /// The agent's climb, m; see [`Settings::new`].
    pub climb: f64,
    /// The agent's bit in the masks of links.
    pub agent_bit: u32,
    /// The kind of each area, by its number in the navmesh; missing ones are as
    /// [`Settings::default_kind`] says.
    pub kinds: Vec<Kind>,
    /// The kind of links.
    pub links: Kind,
}

/// The side of squares that polygons are cut along by default, m: on all levels measured, the sum
/// of Detour's lengths is then within 1 % of navbake's `corridor`.
const PIECE_SIZE: f64 = 8.0;

/// Off-mesh connections look for ground around their ends at least this far, m.
const LEAST_LINK_RADIUS: f64 = 0.05;

/// Detour joins borders and finds the ends of connections within the climb, so it is never less
/// than what heights may be off by, m.
const LEAST_CLIMB: f64 = 0.1;

impl Settings {
    /// The settings for an agent of a navmesh, by its number in the file: its measures, and default
    /// kinds. The climb is at least 0.1 m: Detour joins borders of tiles and finds the ends of
    /// connections within it.
    ///
    /// ```
    /// use navbake_detour::Settings;
    ///
    /// # let mesh = navbake_testkit::level_mesh();
    /// let settings = Settings::new(&mesh, 0);
    /// assert_eq!(settings.tile_size, None);
    /// ```
    pub fn new(mesh: &NavMesh<'_>, agent: u16) -> Settings {
        let found = mesh.file().agents().nth(agent.into());
        let [height, radius, climb] =
            found.map_or([2.0, 0.6, 0.9], |a| [a.height, a.radius, a.climb]);
        Settings {
            refs: RefWidth::Bits32,
            tile_size: None,
            piece_size: Some(PIECE_SIZE),
            height,
            radius,
            climb: climb.max(LEAST_CLIMB),
            agent_bit: 1u32.checked_shl(agent.into()).unwrap_or(0),
            kinds: vec![],
            links: Kind { area: 63, flags: 8 },
        }
    }

    /// The kind of an area that no setting names: its own number, flag 1.
    pub fn default_kind(area: u8) -> Kind {
        Kind { area: area & 63, flags: 1 }
    }

    /// Takes numbers and flags from the table of a config.
    ///
    /// Areas that are not `walked` have flags 0 unless the table has a row for them.
    ///
    /// # Errors
    /// If the table names an area that the navmesh does not have.
    pub fn set_kinds(
        &mut self,
        mesh: &NavMesh<'_>,
        table: &DetourConfig,
        walked: impl Fn(AreaId) -> bool,
    ) -> Result<(), String> {
        let names: Vec<&str> = mesh.file().areas().map(|area| area.name).collect();
        if let Some(stranger) = table.areas.keys().find(|name| !names.contains(&name.as_str())) {
            return Err(format!(
                "`detour.areas` has `{stranger}`, and the navmesh has no such area; its areas: {}",
                names.join(", ")
            ));
        }
        let kind = |area: &DetourArea| Kind { area: area.number, flags: area.flags };
        let of = |(number, name): (u8, &str)| match table.areas.get(name) {
            Some(row) => kind(row),
            None if walked(AreaId(number)) => Settings::default_kind(number),
            None => Kind { flags: 0, ..Settings::default_kind(number) },
        };
        self.kinds = (0..).zip(names).map(of).collect();
        self.links = table.links.as_ref().map_or(self.links, kind);
        Ok(())
    }

    pub(crate) fn kind(&self, area: u8) -> Kind {
        self.kinds.get(usize::from(area)).copied().unwrap_or(Settings::default_kind(area))
    }

    /// How far connections look for ground around their ends, m.
    pub(crate) fn link_radius(&self) -> f64 {
        self.radius.max(LEAST_LINK_RADIUS)
    }
}

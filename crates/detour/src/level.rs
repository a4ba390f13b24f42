//! Ground that was read, as a level for the later stages of a bake.

use std::collections::BTreeMap;
use std::path::Path;

use navbake_bake::GivenLevel;
use navbake_bake::config::DetourConfig;
use navbake_level::{Given, LinkKind, LinkNote, Part, Scene, Warning};
use navbake_mesh::{GivenPolygon, NONE};

use crate::read::{Ground, GroundPolygon, WALL};

/// The ground of a tile set as a level whose navmesh is given.
///
/// An area is named by the row of `names` with its number and the polygon's flags, else by the
/// first with its number; area 0 is else `ground`, area 5 `area5`. Connections become links.
pub fn level(ground: Ground, names: &DetourConfig, file: &Path) -> GivenLevel {
    let mut out = GivenLevel { file: file.to_path_buf(), ..GivenLevel::default() };
    let mut parts: BTreeMap<Option<String>, u8> = BTreeMap::new();
    let notes = [
        (
            ground.without_flags,
            "detour-no-flags",
            "polygons have no flags and are left out: no query of Detour finds them",
        ),
        (
            ground.one_sided,
            "detour-one-sided",
            "edges lead to a polygon that does not lead back; they are walls here",
        ),
        (
            ground.covered,
            "detour-covered",
            "edges over borders of tiles meet several others; the nearest in height is taken",
        ),
    ];
    for (count, code, message) in notes.into_iter().filter(|(count, _, _)| *count > 0) {
        let message = format!("{count} {message}");
        out.warnings.push(Warning { code, message, place: out.file.display().to_string().into() });
    }
    for GroundPolygon { ring, portals, kind, detail } in ground.polygons {
        let row = names.areas.iter().filter(|(_, area)| area.number == kind.area);
        let row =
            row.max_by_key(|(name, area)| (area.flags == kind.flags, std::cmp::Reverse(*name)));
        let area = match row {
            Some((name, _)) => Some(name.clone()),
            None => (kind.area != 0).then(|| format!("area{}", kind.area)),
        };
        // At most a name for each of 64 numbers, or a row of the table.
        let number = parts.len().min(usize::from(u8::MAX)) as u8;
        let part = *parts.entry(area.filter(|name| name != "ground")).or_insert(number);
        for triangle in detail {
            let first = out.scene.vertices.len() as u32;
            out.scene.vertices.extend(triangle);
            out.scene.triangles.push([first, first + 1, first + 2]);
            out.scene.triangle_parts.push(part.into());
        }
        let portals = portals.into_iter().map(|p| if p == WALL { NONE } else { p }).collect();
        out.polygons.push(GivenPolygon { ring, portals, area: part });
    }
    let mut named: Vec<(Option<String>, u8)> = parts.into_iter().collect();
    named.sort_by_key(|(_, number)| *number);
    let part = |area: Option<String>| Part {
        node: area.clone().unwrap_or_else(|| "ground".into()),
        material: area.clone().unwrap_or_else(|| "ground".into()),
        double_sided: true,
        given: Given { area, ..Given::default() },
        ..Part::default()
    };
    out.scene = Scene {
        parts: named.into_iter().map(|(area, _)| part(area)).collect(),
        links: (0..).zip(&ground.connections).map(|(n, c)| link(n, c)).collect(),
        ..out.scene
    };
    out
}

fn link(number: usize, connection: &crate::read::Connection) -> LinkNote {
    let [from, to] = connection.ends.map(|end| end.map(f64::from));
    LinkNote {
        name: String::new(),
        from,
        to,
        two_way: connection.both_ways,
        cost: None,
        width: None,
        kind: LinkKind::Other,
        agents: None,
        switch: None,
        tags: vec![],
        place: format!("off-mesh connection {number}"),
    }
}

//! The heights that separate the storeys of a navmesh.

use navbake_draw::storeys;
use navbake_format::exact::orient;

use crate::Walker;
use crate::subject::centre;

/// A cut must separate more than one in this many overlapping pairs.
///
/// Fewer pairs are crates on a floor.
const SHARE: usize = 50;

/// The heights between storeys, m, ascending.
pub(super) fn cuts<'a>(walker: &Walker<'a>) -> &'a [f64] {
    walker.cuts.get_or_init(|| {
        let pairs = pairs(walker);
        let few = pairs.len() / SHARE;
        storeys::cuts(pairs, few)
    })
}

/// The pairs of heights of overlapping ground, m, at the centres of polygons.
fn pairs(walker: &Walker<'_>) -> Vec<(f64, f64)> {
    let mesh = &walker.mesh;
    let [least, greatest] = mesh.bounds();
    let mut pairs = vec![];
    for polygon in mesh.polygons() {
        let at = centre(mesh, &polygon);
        let Some([x, _, z]) = mesh.grid().snap(at) else {
            continue;
        };
        let low = [i64::from(x), i64::from(least[1]) - 1, i64::from(z)];
        let high = [i64::from(x), i64::from(greatest[1]) + 1, i64::from(z)];
        mesh.index().for_each_in(low, high, |id| {
            if id == polygon.id() {
                return;
            }
            let other = mesh.polygon(id);
            let contains = (0..other.len())
                .all(|k| orient(other.corner(k), other.corner(other.next(k)), [x, z]) > 0);
            if contains {
                let [_, above, _] = centre(mesh, &other);
                pairs.push((at[1].min(above), at[1].max(above)));
            }
        });
    }
    pairs
}

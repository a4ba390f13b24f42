//! Heights that part storeys: where ground lies over ground.
//!
//! Every polygon that lies over another wants a cut between their heights. The height that serves most is cut first, and each side is looked at again, until no storey
//! hides anything of itself or no height would help (a spiral ramp).

use navbake_format::exact::orient;

use crate::Walker;
use crate::subject::centre;

/// Storeys beyond this number are of no use to anyone.
const MOST: usize = 40;
/// A cut that serves no more than one in so many of all pairs is not worth a storey: it parts two crates.
const SHARE: usize = 50;

/// The heights between storeys, m, rising.
pub(super) fn cuts(walker: &Walker<'_>) -> Vec<f64> {
    let all = pairs(walker);
    let few = all.len() / SHARE;
    let mut open = vec![all];
    let mut cuts = vec![];
    while let Some(pairs) = open.pop() {
        if cuts.len() + 1 >= MOST {
            break;
        }
        let Some((height, count)) = best(&pairs) else {
            continue;
        };
        if count <= few {
            continue;
        }
        cuts.push(height);
        let (below, rest): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|p| p.1 < height);
        open.push(rest.into_iter().filter(|p| p.0 >= height).collect());
        open.push(below);
    }
    cuts.sort_by(f64::total_cmp);
    cuts
}

/// Heights of ground and of other ground over it, m: looked at at the centres of polygons.
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
            let holds = (0..other.len())
                .all(|k| orient(other.corner(k), other.corner(other.next(k)), [x, z]) > 0);
            if holds {
                let [_, above, _] = centre(mesh, &other);
                pairs.push((at[1].min(above), at[1].max(above)));
            }
        });
    }
    pairs
}

/// The middle of the lowest range of heights that lies within the most pairs, and how many.
fn best(pairs: &[(f64, f64)]) -> Option<(f64, usize)> {
    let mut events: Vec<(f64, i32)> = vec![];
    for &(low, high) in pairs.iter().filter(|(low, high)| low < high) {
        events.extend([(low, 1), (high, -1)]);
    }
    // Ends before beginnings at one height, or two pairs that only touch would count as one on top of the other.
    events.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut count, mut most, mut place) = (0i32, 0, None);
    for (k, &(height, step)) in events.iter().enumerate() {
        count += step;
        if count > most {
            most = count;
            let end = events.get(k + 1).map_or(height, |e| e.0);
            place = Some((height + (end - height) / 2.0).max(height.next_up()));
        }
    }
    place.map(|height| (height, most as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_lies_between_what_it_parts() {
        assert_eq!(best(&[(0.0, 3.0), (0.0, 4.0)]), Some((1.5, 2)));
        assert_eq!(best(&[(0.0, 3.0), (3.0, 6.0)]), Some((1.5, 1)));
        assert_eq!(best(&[(1.0, 1.0)]), None);
        assert_eq!(best(&[]), None);
    }
}

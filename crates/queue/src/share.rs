//! One unit's path for another unit with a nearby start and end.
//!
//! It needs no search, only lines of sight and a funnel.

use navbake_format::PolyId;
use navbake_rooms::RoomSearch;
use navbake_search::parts::{Corridor, End, Need, Step, walk};
use navbake_search::{Memory, NavPath, NavPoint, NavQuery, Point, Status};

/// The number of places around a goal that are tried.
pub(crate) const MOST_PLACES: u32 = 4096;

/// The path of a finished search, fitted to another start and end.
///
/// The start is a point (y-up metres) that can be reached in a straight line from the search's
/// start, or is in a polygon of the path. The end is a place that can be seen from the goal, or
/// the goal itself. `None` where the path cannot be fitted, or the search reached no goal.
///
/// The new path goes through the polygons of the old one, and is the shortest there. A search
/// might find a shorter one.
///
/// ```
/// # navbake_testkit::example!(nav, query, request, scratch);
/// let search = query.start_path(&request, &mut scratch)?.into();
/// let beside = navbake_queue::shared(
///     &search,
///     &query,
///     [1.0, 0.0, 2.0],
///     None,
///     &mut scratch,
/// );
/// assert_eq!(beside.map(|path| path.points[0]), Some([1.0, 0.0, 2.0]));
/// # Ok::<(), navbake_search::Error>(())
/// ```
pub fn shared<'s>(
    search: &RoomSearch,
    query: &NavQuery<'_>,
    from: impl Into<Point>,
    end: Option<&NavPoint>,
    scratch: &'s mut dyn Memory,
) -> Option<NavPath<'s>> {
    let from = query.end(from, search.search().extents())?;
    scratch.prepare(query.mesh(), Need::Goals(1));
    let mut scratch = scratch.lend();
    let (old, [start, goal]) = search.corridor(query, &mut scratch)?;
    let to = end.copied().unwrap_or(goal);
    let most = scratch.longest_corridor();
    if old.len > most || scratch.deque.len() < 2 * old.len {
        return None;
    }
    for i in 0..old.len {
        let Step { polygon, edge } = scratch.corridor[i];
        scratch.deque[2 * i] = polygon;
        scratch.deque[2 * i + 1] = edge;
    }
    let old_step = |deque: &[u32], i: usize| Step { polygon: deque[2 * i], edge: deque[2 * i + 1] };
    let old_polygon = |deque: &[u32], i: usize| {
        if i < old.len { deque[2 * i] } else { old.last.0 }
    };
    // The route in, up to the polygon that is farthest along the old path.
    let mut new = Corridor::new(to.polygon());
    let own = (0..=old.len).rfind(|&i| old_polygon(scratch.deque, i) == from.polygon().0);
    let join = match own {
        Some(i) => i,
        None => {
            if !query.walk_to(&from, &start, |p, k| new.push(scratch.corridor, p, k))
                || !new.is_whole()
            {
                return None;
            }
            let on_way = |p: u32| {
                let steps = &scratch.corridor[..new.len];
                let way = steps.iter().map(|s| s.polygon).chain([start.polygon().0]);
                way.clone().position(|q| q == p)
            };
            let (i, a) = (0..=old.len)
                .rev()
                .find_map(|i| Some((i, on_way(old_polygon(scratch.deque, i))?)))?;
            new.len = a;
            i
        }
    };
    for i in join..old.len {
        let Step { polygon, edge } = old_step(scratch.deque, i);
        new.push(scratch.corridor, PolyId(polygon), edge);
    }
    // The route out, from the first polygon that it has in common with the new path.
    let before = new.len;
    if !query.walk_to(&goal, &to, |p, k| new.push(scratch.corridor, p, k))
        || !new.is_whole()
        || new.len > most
    {
        return None;
    }
    let polygon = |steps: &[Step], i: usize, end: usize, last: PolyId| {
        if i < end { steps[i].polygon } else { last.0 }
    };
    let steps = &*scratch.corridor;
    let (j, b) = (0..=before).find_map(|j| {
        let p = polygon(steps, j, before, goal.polygon());
        let out = (before..=new.len).rfind(|&b| polygon(steps, b, new.len, to.polygon()) == p);
        Some((j, out?))
    })?;
    scratch.corridor.copy_within(b..new.len, j);
    new.len = j + (new.len - b);
    let path = query.finish(&from, &to, new, scratch);
    (path.status == Status::Reached)
        .then_some(NavPath { algorithm: search.search().algorithm(), ..path })
}

/// The next free place around the goal that was reached.
///
/// The places form a triangular lattice of the given spacing, m, and can be seen from the goal.
/// `next` is 0 at first; the call advances it. With a spacing of 0 the place is the goal
/// itself.
///
/// ```
/// # navbake_testkit::example!(nav, query, request, scratch);
/// let search = query.start_path(&request, &mut scratch)?.into();
/// let mut next = 0;
/// let one = navbake_queue::place_near_goal(&search, &query, &mut next, 0.5, &mut scratch);
/// let two = navbake_queue::place_near_goal(&search, &query, &mut next, 0.5, &mut scratch);
/// assert!(one.is_some() && one != two);
/// # Ok::<(), navbake_search::Error>(())
/// ```
pub fn place_near_goal(
    search: &RoomSearch,
    query: &NavQuery<'_>,
    next: &mut u32,
    spacing: f64,
    scratch: &mut dyn Memory,
) -> Option<NavPoint> {
    let (_, [_, goal]) = search.corridor(query, &mut scratch.lend())?;
    near_goal(query, &goal, next, spacing)
}

/// The next free place around a goal.
pub(crate) fn near_goal(
    query: &NavQuery<'_>,
    goal: &NavPoint,
    next: &mut u32,
    spacing: f64,
) -> Option<NavPoint> {
    let grid = query.mesh().grid();
    let apart = (spacing * grid.units()).min(1e9);
    if apart.is_nan() || apart < 1.0 {
        return Some(*goal);
    }
    while *next < MOST_PLACES {
        *next += 1;
        let offset = around(*next, apart);
        let [x, z] = [0, 1].map(|k| f64::from(goal.point()[k]) + offset[k]);
        let p = grid.snap(grid.metres([x, 0.0, z]));
        let Some([x, _, z]) = p else {
            continue;
        };
        let end = walk(query, goal.polygon(), goal.point(), [x, z], |_, _| {});
        if let End::Reached(polygon) = end
            && let Some(place) = query.on_polygon_grid(polygon, [x, z])
        {
            return Some(place);
        }
    }
    None
}

/// Point `n`, from 1, of a triangular lattice around 0 whose points are this far apart.
pub(crate) fn around(n: u32, apart: f64) -> [f64; 2] {
    let [q, s] = lattice(n).map(f64::from);
    // Half the root of 3: the height of a triangle with sides of 1.
    [apart * (q + s / 2.0), apart * s * 0.866_025_403_784_438_6]
}

/// Point `n`, from 1, of the triangular lattice around 0, ring by ring.
///
/// In coordinates along two of its axes.
fn lattice(n: u32) -> [i32; 2] {
    const AXES: [[i32; 2]; 6] = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];
    let (mut left, mut ring) = (n.saturating_sub(1) as i32, 1);
    while left >= 6 * ring {
        left -= 6 * ring;
        ring += 1;
    }
    let (side, along) = ((left / ring) as usize, left % ring);
    let (corner, step) = (AXES[side % 6], AXES[(side + 2) % 6]);
    [0, 1].map(|k| corner[k] * ring + step[k] * along)
}

#[cfg(test)]
mod tests {
    use super::lattice;

    #[test]
    fn places_of_the_lattice_are_distinct_and_fill_rings() {
        for n in 1..=200u32 {
            let [q, s] = lattice(n);
            let ring = (q.abs()).max(s.abs()).max((q + s).abs());
            assert!(6 * ring * (ring - 1) / 2 < n as i32 && n as i32 <= 6 * ring * (ring + 1) / 2);
            assert!((1..n).all(|m| lattice(m) != [q, s]));
        }
    }
}

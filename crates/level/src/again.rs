//! Converts a scene again: of what did not change, triangles are taken as they were converted.
//!
//! Triangles that are the same from the first on, and from the last on, are known with their places
//! in the order by corners. The numbers of their vertices change, and the order stays: what is new
//! is sorted into it.

use std::sync::Arc;

use navbake_geom::{Grid, Point3};

use crate::grid_soup::{Frame, GridSoup};
use crate::level::snap;
use crate::order::key;
use crate::{Level, LevelError, LevelSettings, Role, Scene, Triangle, Warning};

/// What was made of a scene, to make a level of it again soon: [`Level::again`].
///
/// It holds about as much as the level.
#[derive(Debug, Default)]
pub struct EarlierLevel(Option<Kept>);

#[derive(Debug)]
struct Kept {
    scene: Arc<Scene>,
    roles: Vec<Role>,
    settings: LevelSettings,
    grid: Grid,
    soup: GridSoup,
}

impl Level {
    /// The same, faster where much is unchanged since `earlier`, which gets what was made of this
    /// scene.
    ///
    /// # Errors
    /// As [`Level::new`].
    pub fn again(
        scene: &Arc<Scene>,
        roles: &[Role],
        settings: &LevelSettings,
        earlier: &mut EarlierLevel,
    ) -> Result<(Level, Vec<Warning>), LevelError> {
        let frame = Frame::new(scene, roles, settings);
        let soup = earlier.soup(scene, &frame)?;
        let (level, warnings) = soup.level(&frame);
        Ok((Level { vertices: soup.vertices.clone(), ..level }, warnings))
    }
}

impl EarlierLevel {
    /// The triangles of a scene on the grid, which are kept too.
    pub(crate) fn soup(
        &mut self,
        scene: &Arc<Scene>,
        frame: &Frame<'_>,
    ) -> Result<&GridSoup, LevelError> {
        let known = self.0.as_ref().filter(|kept| kept.is_for(frame));
        let soup = match known {
            Some(kept) => Same::new(&kept.scene, scene).soup(&kept.soup, frame)?,
            None => GridSoup::new(frame)?,
        };
        let kept = Kept {
            scene: Arc::clone(scene),
            roles: frame.roles.to_vec(),
            settings: frame.settings.clone(),
            grid: frame.grid,
            soup,
        };
        Ok(&self.0.insert(kept).soup)
    }
}

impl Kept {
    /// Are triangles that are the same converted in the same way?
    fn is_for(&self, frame: &Frame<'_>) -> bool {
        self.grid == frame.grid
            && self.settings == *frame.settings
            && self.roles == frame.roles
            && self.scene.parts == frame.scene.parts
    }
}

/// How many triangles at the beginning and at the end of two scenes are the same.
struct Same {
    begin: usize,
    end: usize,
    /// Triangles of the earlier scene.
    before: usize,
}

impl Same {
    fn new(before: &Scene, now: &Scene) -> Same {
        let bits = |p: &[f64; 3]| p.map(f64::to_bits);
        let [old, new] = [before, now].map(|scene| scene.vertices.len());
        let pairs = || before.vertices.iter().zip(&now.vertices);
        let first = pairs().take_while(|(a, b)| bits(a) == bits(b)).count() as u32;
        let pairs = before.vertices.iter().rev().zip(now.vertices.iter().rev());
        let last = pairs.take_while(|(a, b)| bits(a) == bits(b)).count();
        let is_same_vertex = |a: u32, b: u32| {
            let left = old - a as usize;
            (a == b && a < first) || (left <= last && left == new - b as usize)
        };
        let is_same = |(a, b): (usize, usize)| {
            let (t, u) = (before.triangles[a], now.triangles[b]);
            before.triangle_parts[a] == now.triangle_parts[b]
                && (0..3).all(|k| is_same_vertex(t[k], u[k]))
        };
        let [old, new] = [before, now].map(|scene| scene.triangles.len());
        let least = old.min(new);
        let begin = (0..least).take_while(|&t| is_same((t, t))).count();
        let end = (1..=least - begin).take_while(|&k| is_same((old - k, new - k))).count();
        Same { begin, end, before: old }
    }

    /// The triangles on the grid, made of those of the earlier scene.
    fn soup(&self, earlier: &GridSoup, frame: &Frame<'_>) -> Result<GridSoup, LevelError> {
        let now = frame.scene.triangles.len();
        let (from, to) = (self.begin, now - self.end);
        let mut soup = GridSoup::default();
        soup.triangles.reserve(now);
        // Those at the beginning of the earlier ones, and those at the end.
        let left = earlier.left_out.partition_point(|&t| (t as usize) < from);
        let first = from - left;
        let old_end = self.before - self.end;
        let right = earlier.left_out.partition_point(|&t| (t as usize) < old_end);
        let last = old_end - right;
        soup.left_out.extend(&earlier.left_out[..left]);
        soup.triangles.extend(&earlier.triangles[..first]);
        let place = |i: u32| snap(&frame.grid, frame.scene.vertices[i as usize]);
        soup.add(frame, from..to, place)?;
        let end = soup.triangles.len();
        let shift = |t: &u32| (*t as usize + to - old_end) as u32;
        soup.left_out.extend(earlier.left_out[right..].iter().map(shift));
        soup.triangles.extend(&earlier.triangles[last..]);
        soup.check(frame)?;

        // The vertices that the earlier ones still use, and those of the new ones.
        let mut is_used = vec![false; earlier.vertices.len()];
        for t in soup.triangles[..first].iter().chain(&soup.triangles[end..]) {
            for v in t.v {
                is_used[v as usize] = true;
            }
        }
        let corners = soup.triangles[first..end].iter().flat_map(|t| t.v);
        let mut places: Vec<Point3> = corners.filter_map(place).collect();
        places.sort_unstable();
        places.dedup();
        let mut numbers = vec![0u32; earlier.vertices.len()];
        let mut new = places.iter().peekable();
        for (k, p) in earlier.vertices.iter().enumerate().filter(|(k, _)| is_used[*k]) {
            while let Some(q) = new.next_if(|q| *q < p) {
                soup.vertices.push(*q);
            }
            new.next_if_eq(&p);
            numbers[k] = soup.vertices.len() as u32;
            soup.vertices.push(*p);
        }
        soup.vertices.extend(new);
        let number = |v: u32| numbers[v as usize];
        let renumbered = |t: &mut Triangle| t.v = t.v.map(number);
        soup.triangles[..first].iter_mut().for_each(renumbered);
        soup.triangles[end..].iter_mut().for_each(renumbered);
        let vertices = &soup.vertices;
        let find = |v: u32| place(v).and_then(|p| vertices.binary_search(&p).ok());
        for t in &mut soup.triangles[first..end] {
            t.v = t.v.map(|v| find(v).unwrap_or(0) as u32);
        }

        // Their order.
        let new = (first..end).map(|k| key(soup.triangles[k].v, k as u32));
        let mut new: Vec<u128> = new.collect();
        new.sort_unstable();
        let mut new = new.into_iter().peekable();
        soup.keys.reserve(soup.triangles.len());
        for &old in &earlier.keys {
            let k = match old as u32 as usize {
                k if k < first => k,
                k if k >= last => k - last + end,
                _ => continue,
            };
            let corners = [96, 64, 32].map(|bits| number((old >> bits) as u32));
            let old = key(corners, k as u32);
            while let Some(key) = new.next_if(|key| *key < old) {
                soup.keys.push(key);
            }
            soup.keys.push(old);
        }
        soup.keys.extend(new);
        Ok(soup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Part, Winding};

    /// Numbers below a limit.
    struct Random(u32);

    impl Random {
        fn below(&mut self, most: usize) -> usize {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as usize % most
        }

        /// Few places, so that triangles meet, coincide, and have no area.
        fn place(&mut self) -> [f64; 3] {
            [0, 1, 2].map(|_| self.below(4) as f64 * 0.5)
        }
    }

    /// Changes a few vertices and triangles somewhere.
    fn change(scene: &mut Scene, random: &mut Random) {
        for _ in 0..random.below(3) {
            let at = random.below(scene.vertices.len() + 1);
            match random.below(3) {
                // All that follow get other numbers.
                0 => {
                    scene.vertices.insert(at, random.place());
                    for i in scene.triangles.as_flattened_mut() {
                        *i += u32::from(*i as usize >= at);
                    }
                }
                1 => scene.vertices.push(random.place()),
                _ => {
                    let at = at % scene.vertices.len();
                    scene.vertices[at] = random.place();
                }
            }
        }
        for _ in 0..random.below(3) {
            let at = random.below(scene.triangles.len() + 1);
            let corners = [0, 1, 2].map(|_| random.below(scene.vertices.len()) as u32);
            let part = random.below(scene.parts.len()) as u32;
            match random.below(4) {
                0 if at < scene.triangles.len() => {
                    scene.triangles.remove(at);
                    scene.triangle_parts.remove(at);
                }
                1 if at < scene.triangles.len() => scene.triangles[at] = corners,
                2 if at < scene.triangles.len() => scene.triangle_parts[at] = part,
                _ => {
                    scene.triangles.insert(at, corners);
                    scene.triangle_parts.insert(at, part);
                }
            }
        }
    }

    #[test]
    fn a_scene_that_is_converted_again_gives_the_same_level_whatever_changed() {
        let mut random = Random(1);
        let (mut empty, mut warned) = (0, 0);
        for round in 0..300 {
            let part = |k| Part { node: format!("{k}"), double_sided: k == 1, ..Part::default() };
            let mut scene = Scene { parts: (0..4).map(part).collect(), ..Scene::default() };
            scene.vertices.push([0.0; 3]);
            let mut roles = vec![Role::Ground, Role::Obstacle, Role::Ground, Role::Ignored];
            let mut settings = LevelSettings {
                bits: 4,
                origin: None,
                winding: Winding::Ccw,
                bounds: (round % 3 == 0).then_some([[0.0; 3], [1.0; 3]]),
            };
            let mut earlier = EarlierLevel::default();
            for step in 0..40 {
                change(&mut scene, &mut random);
                match step {
                    // The whole level moves, further than the grid's origin stays.
                    10 => scene.vertices.iter_mut().for_each(|p| p[0] += 3000.0),
                    20 => roles.swap(0, 3),
                    25 => scene.parts[2].double_sided = true,
                    30 => settings.winding = Winding::Both,
                    // Out of range, until it is mended.
                    34 => scene.vertices[0][2] = 1e8,
                    36 => scene.vertices[0][2] = 1.0,
                    _ => {}
                }
                let now = Arc::new(scene.clone());
                let again = Level::again(&now, &roles, &settings, &mut earlier);
                let fresh = Level::new(&now, &roles, &settings);
                assert_eq!(format!("{again:?}"), format!("{fresh:?}"), "{round} {step}");
                empty += usize::from(fresh.is_err());
                warned += fresh.map_or(0, |fresh| fresh.1.len());
            }
        }
        assert!(empty > 300 && warned > 3000, "{empty} {warned}");
    }
}

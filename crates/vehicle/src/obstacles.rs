//! Obstacles on the tiles of a ground: which tiles they take.

use alloc::vec::Vec;

use navbake_format::{NavMesh, TileGroundView};
use navbake_navmesh::{Obstacle, Outline};
use navbake_search::{Error, NavQuery};

use crate::ground::Ground;

/// Overlaps of an obstacle and a tile of no more than this are contact, in sides of a tile.
const CONTACT: f64 = 1e-6;

impl Ground<'_> {
    /// Puts an obstacle on the ground, moves it, or with `None` takes it away, and gives the number
    /// of tiles that are blocked or free from now on. The caller numbers obstacles.
    ///
    /// The mesh is that of the vehicle's agent, as baked. An obstacle takes the tiles that it, and
    /// all within the agent's radius of it, reaches into, by more than a millionth of a tile. So
    /// footprints keep off it as they keep off walls. A wall without width along the side of tiles
    /// takes those at the greater x or z. On a navmesh it takes a tile only where the ground at the
    /// tile's middle, its corners and the middles of its sides is at the obstacle's height or less
    /// than the agent's height below it; on a grid map likewise by the height of the map. An
    /// obstacle beyond the ground takes nothing, and a number without an obstacle has none to take
    /// away.
    ///
    /// Tiles that are blocked for other reasons stay so, and may change meanwhile. Once all
    /// obstacles are gone, answers are what they were without.
    ///
    /// Takes time by the tiles in the box around the obstacle, before and after, and the layers of
    /// the ground. The first obstacle takes four bytes and a bit a tile; later changes allocate
    /// nothing once memory has grown.
    ///
    /// # Errors
    /// [`Error::OtherGround`] for a mesh of another agent class.
    ///
    /// ```
    /// # fn run(
    /// #     nav: navbake_search::NavMesh<'_>,
    /// #     mut ground: navbake_vehicle::Ground<'_>,
    /// # ) -> Result<(), Box<dyn std::error::Error>> {
    /// use navbake_vehicle::Obstacle;
    ///
    /// let barrel = Obstacle::cylinder([3.0, 2.0], 0.5, [0.0, 1.0])?;
    /// ground.set_obstacle(&nav, 7, Some(&barrel))?;
    /// ground.set_obstacle(&nav, 7, Some(&barrel.moved([0.2, 0.0, 0.0])?))?;
    /// ground.set_obstacle(&nav, 7, None)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_obstacle(
        &mut self,
        mesh: &NavMesh<'_>,
        number: u32,
        obstacle: Option<&Obstacle>,
    ) -> Result<usize, Error> {
        if self.layers.is_some_and(|layers| layers.class() != mesh.class()) {
            return Err(Error::OtherGround);
        }
        let mut taken = core::mem::take(&mut self.taken);
        let list = obstacle.map(|obstacle| {
            let [radius, height] = mesh.agent_size();
            let [low, high] = obstacle.heights();
            let outline = obstacle.outline(radius, CONTACT * self.tile());
            let own = Reach { ground: self, outline, heights: [low - height, high] };
            move |tiles: &mut Vec<u32>| match own.ground.layers() {
                Some(layers) => own.each_on_layers(layers, &NavQuery::new(*mesh), tiles),
                None => own.each_on_map(tiles),
            }
        });
        taken.set(number, self.ids() as usize, list);
        self.taken = taken;
        Ok(self.take_changed())
    }

    /// Runs queries on the ground without one obstacle.
    ///
    /// Use it for the path of a unit that is an obstacle to others but not to itself. Afterwards
    /// the ground is unchanged. If no obstacle has the number, `ask` gets the ground as it is.
    ///
    /// O(tiles that the obstacle takes). Allocates nothing.
    ///
    /// ```
    /// # fn run(vehicle: &navbake_vehicle::Vehicle<'_>, mut ground: navbake_vehicle::Ground<'_>) {
    /// use navbake_vehicle::TurningQuery;
    ///
    /// // Unit 7 is parked at its start.
    /// let found = ground.without(7, |ground| {
    ///     let query = TurningQuery::new(vehicle, ground);
    ///     // query.path(...)
    /// # query.is_some()
    /// });
    /// # }
    /// ```
    pub fn without<T>(&mut self, number: u32, ask: impl FnOnce(&Self) -> T) -> T {
        /// Puts the obstacle back even if `ask` panics.
        struct PutBack<'a, 'g>(&'a mut Ground<'g>, u32);
        impl Drop for PutBack<'_, '_> {
            fn drop(&mut self) {
                self.0.set_aside(self.1, true);
            }
        }
        self.set_aside(number, false);
        let ground = PutBack(self, number);
        ask(ground.0)
    }

    fn set_aside(&mut self, number: u32, back: bool) {
        self.taken.set_aside(number, back);
        self.take_changed();
    }

    /// Blocks or frees the tiles that changed, and returns their number.
    fn take_changed(&mut self) -> usize {
        for k in 0..self.taken.changed().len() {
            self.take(self.taken.changed()[k]);
        }
        self.taken.changed().len()
    }
}

/// What an obstacle takes of a ground.
struct Reach<'a, 'g> {
    ground: &'a Ground<'g>,
    outline: Outline,
    /// Ground at these heights is taken, metres.
    heights: [f64; 2],
}

impl Reach<'_, '_> {
    fn each_on_map(&self, tiles: &mut Vec<u32>) {
        let ground = self.ground;
        let [corner_x, y, corner_z] = ground.point([-0.5; 2]);
        if !self.is_at([y; 2]) {
            return;
        }
        let size = [ground.width() as i32, ground.height() as i32];
        self.each_in([corner_x, corner_z], [0; 2], size, |tile| tiles.push(ground.id(tile)));
    }

    fn each_on_layers(
        &self,
        layers: &TileGroundView<'_>,
        query: &NavQuery<'_>,
        tiles: &mut Vec<u32>,
    ) {
        let ground = self.ground;
        for number in 0..layers.sheet_count() {
            let Some(layer) = layers.sheet(number) else {
                continue;
            };
            let size = [layer.width as i32, layer.height as i32]; // below 2^26
            self.each_in([0.0; 2], layer.least, size, |plan| {
                let own = [0, 1].map(|k| (plan[k] - layer.least[k]) as u32);
                let tile = [own[0] as i32, (own[1] + layer.first_row) as i32];
                let id = ground.id(tile);
                // A place on several layers is looked at once.
                let middle = ground.layer_height(tile).filter(|_| ground.home(id) == id);
                if middle.is_some_and(|middle| self.is_at(self.range(query, plan, middle))) {
                    tiles.extend(ground.images(id));
                }
            });
        }
    }

    /// Calls `f` with each tile of a box that the outline takes; the box begins at a tile.
    fn each_in(
        &self,
        corner: [f64; 2],
        least: [i32; 2],
        size: [i32; 2],
        mut f: impl FnMut([i32; 2]),
    ) {
        let side = self.ground.tile();
        let [low, high] = self.outline.bounds().map(|place| {
            [0, 1].map(|k| {
                let tiles = (place[k] - corner[k]) / side - f64::from(least[k]);
                // The one before as well: casts cut towards zero.
                tiles.clamp(-1.0, f64::from(size[k])) as i32
            })
        });
        for row in low[1].max(0)..=high[1].min(size[1] - 1) {
            for column in low[0].max(0)..=high[0].min(size[0] - 1) {
                let tile = [least[0] + column, least[1] + row];
                let at = |k: usize, more: i32| corner[k] + f64::from(tile[k] + more) * side;
                let ring = [[0, 0], [0, 1], [1, 1], [1, 0]].map(|[dx, dz]| [at(0, dx), at(1, dz)]);
                if self.outline.takes(&ring) {
                    f(tile);
                }
            }
        }
    }

    /// Is ground between two heights taken?
    fn is_at(&self, [low, high]: [f64; 2]) -> bool {
        low <= self.heights[1] && self.heights[0] <= high
    }

    /// From which height to which the ground of a tile reaches.
    fn range(&self, query: &NavQuery<'_>, tile: [i32; 2], middle: f64) -> [f64; 2] {
        let side = self.ground.tile();
        let mut range = [middle; 2];
        for k in 0..9 {
            let at = [tile[0], tile[1]].map(f64::from);
            let [x, z] = [(at[0] + 0.5 * f64::from(k % 3)), (at[1] + 0.5 * f64::from(k / 3))];
            let place = query.locate([x * side, middle, z * side], f64::INFINITY);
            if let Some(y) = place.map(|place| place.position()[1]) {
                range = [range[0].min(y), range[1].max(y)];
            }
        }
        range
    }
}

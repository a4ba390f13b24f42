//! Tiles of a navmesh: layers below one another in the bits of a [`Ground`].
//!
//! A place has a tile on each layer that covers it, its *images*; the least number is its *home*
//! and names it in states. Moves are tested from every image, each on its own layer. So a path
//! changes layer at a place that is on both. In the bits a path jumps from layer to layer; on the
//! *plan*, the level seen from above, it does not.

use navbake_format::{SHEET_GAP, Sheet, TileGroundView};

use crate::curve::Pose;
use crate::ground::Ground;
use navbake_navmesh::math::round;

/// Tiles to each side that decide which image of a place has the most room around it.
const ROOM: u32 = 5;

impl<'g> Ground<'g> {
    /// Frees the tiles that ground covers, and ties the images of each place into a ring.
    pub(crate) fn lay_layers(
        &mut self,
        view: &TileGroundView<'_>,
        twins: &mut [u32],
    ) -> Option<()> {
        for (id, twin) in twins.iter_mut().enumerate() {
            *twin = id as u32; // below 2^26
        }
        for number in 0..view.sheet_count() {
            let layer = view.sheet(number)?;
            for row in 0..layer.height {
                for column in 0..layer.width {
                    let Some(tile) = view.tile_at(number, [column, row]) else {
                        continue;
                    };
                    let own = [column as i32, (row + layer.first_row) as i32]; // below 2^26
                    self.set(own, false);
                    let Some(first) = view.twin(tile) else {
                        continue;
                    };
                    let other = view.sheet(first as usize)?;
                    let plan = from_layer(&layer, own);
                    let (home, own) = (self.id(to_layer(&other, plan)), self.id(own));
                    let next = *twins.get(home as usize)?;
                    *twins.get_mut(own as usize)? = next;
                    *twins.get_mut(home as usize)? = own;
                }
            }
        }
        Some(())
    }

    /// The tiles of the navmesh, where it is one.
    pub fn layers(&self) -> Option<&TileGroundView<'g>> {
        self.layers.as_ref()
    }

    /// May a tile be freed? Of a navmesh those that ground covers.
    pub(crate) fn may_be_free(&self, tile: [i32; 2]) -> bool {
        self.layers.is_none() || self.layer_height(tile).is_some()
    }

    /// The height of a tile that ground covers.
    pub(crate) fn layer_height(&self, [column, row]: [i32; 2]) -> Option<f64> {
        let view = self.layers.as_ref()?;
        let number = self.layer_of(f64::from(row));
        let first = view.sheet(number)?.first_row as i32; // below 2^26
        let at = [u32::try_from(column).ok()?, u32::try_from(row - first).ok()?];
        view.height(number, view.tile_at(number, at)?)
    }

    /// The next image of a place; itself when it is the only one.
    #[inline]
    pub(crate) fn next_twin(&self, tile: u32) -> u32 {
        self.twins.get(tile as usize).copied().unwrap_or(tile)
    }

    /// Is a place on one layer only?
    #[inline]
    pub(crate) fn is_single(&self, tile: u32) -> bool {
        self.next_twin(tile) == tile
    }

    /// All images of a place, from one of them on.
    #[inline]
    pub(crate) fn images(&self, tile: u32) -> impl Iterator<Item = u32> + use<'_, 'g> {
        let mut next = Some(tile);
        core::iter::from_fn(move || {
            let now = next?;
            next = Some(self.next_twin(now)).filter(|&n| n != tile);
            Some(now)
        })
    }

    /// The image that names a place.
    #[inline]
    pub(crate) fn home(&self, tile: u32) -> u32 {
        if self.twins.is_empty() {
            return tile;
        }
        self.images(tile).fold(tile, u32::min)
    }

    /// The number of the layer that a row of the bits belongs to, those of the gaps to the nearer
    /// one.
    pub(crate) fn layer_of(&self, row: f64) -> usize {
        let Some(view) = &self.layers else {
            return 0;
        };
        let (mut low, mut high) = (0, view.sheet_count());
        while high - low > 1 {
            let middle = (low + high) / 2;
            let first = view.sheet(middle).map_or(0, |s| s.first_row);
            if row < f64::from(first) - f64::from(SHEET_GAP / 2) {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    }

    /// Do a tile and a row of the bits belong to one layer?
    #[inline]
    pub(crate) fn is_same_layer(&self, tile: u32, row: f64) -> bool {
        self.twins.is_empty()
            || self.layer_of(f64::from(self.tile_of(tile)[1])) == self.layer_of(row)
    }

    /// The offset from a row of the bits to the plan.
    fn to_plan(&self, row: f64) -> [i32; 2] {
        let layer = self.layers.as_ref().and_then(|v| v.sheet(self.layer_of(row)));
        layer.map_or([0; 2], |layer| from_layer(&layer, [0; 2]))
    }

    /// Column and row on the plan of a tile of the bits.
    #[inline]
    pub(crate) fn plan_tile(&self, tile: u32) -> [i32; 2] {
        let [x, z] = self.tile_of(tile);
        if self.layers.is_none() {
            return [x, z];
        }
        let [dx, dz] = self.to_plan(f64::from(z));
        [x + dx, z + dz]
    }

    /// A place of the bits on the plan.
    pub(crate) fn plan_place(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let [dx, dz] = self.to_plan(z).map(f64::from);
        [x + dx, z + dz]
    }

    /// A pose of the bits on the plan.
    pub(crate) fn plan_pose(&self, pose: Pose) -> Pose {
        let [x, z] = self.plan_place([pose.x, pose.z]);
        Pose { x, z, ..pose }
    }

    /// The offset from the plan to the bits of a layer.
    pub(crate) fn to_bits(&self, layer: u32) -> [i32; 2] {
        let layer = self.layers.as_ref().and_then(|v| v.sheet(layer as usize));
        layer.map_or([0; 2], |layer| to_layer(&layer, [0; 2]))
    }

    /// Is a tile of the plan blocked on a layer, or none of its tiles? On a grid map there is one
    /// layer, 0.
    pub fn is_blocked_on(&self, layer: u32, [x, z]: [i32; 2]) -> bool {
        let [dx, dz] = self.to_bits(layer);
        let tile = [x.saturating_add(dx), z.saturating_add(dz)];
        self.is_blocked(tile) || self.layer_of(f64::from(tile[1])) != layer as usize
    }

    /// The place of a point within the bits: whole at the middles of tiles. On a navmesh it is on
    /// the storey whose ground is nearest in height, on the layer with the most room around it; not
    /// a number where no layer reaches.
    pub fn entry(&self, point: [f64; 3]) -> [f64; 2] {
        let place = self.place(point);
        let Some(view) = &self.layers else {
            return place;
        };
        if !place.iter().all(|v| v.abs() < 1e9) {
            return [f64::NAN; 2];
        }
        let plan = place.map(round);
        let mut best: Option<((bool, f64), Sheet, [i32; 2])> = None;
        for number in 0..view.sheet_count() {
            let Some(layer) = view.sheet(number) else {
                continue;
            };
            let tile = to_layer(&layer, plan);
            let own = [tile[0], tile[1] - layer.first_row as i32];
            if own[0] < 0
                || own[1] < 0
                || own[0] as u32 >= layer.width
                || own[1] as u32 >= layer.height
            {
                continue;
            }
            let free = view.tile_at(number, own.map(|v| v as u32));
            let height = free.and_then(|tile| view.height(number, tile));
            let off = height.map_or(f64::INFINITY, |h| (h - point[1]).abs());
            let rank = (height.is_none(), off);
            if best.as_ref().is_none_or(|(known, _, _)| rank < *known) {
                best = Some((rank, layer, tile));
            }
        }
        let Some((_, _, tile)) = best else {
            return [f64::NAN; 2];
        };
        let room = |&tile: &u32| {
            let blocked = self.window::<2>(tile, ROOM);
            blocked.iter().map(|w| w.count_ones()).sum::<u32>()
        };
        let image = self.images(self.id(tile)).min_by_key(room);
        let image = self.tile_of(image.unwrap_or(0));
        [0, 1].map(|k| place[k] - f64::from(plan[k]) + f64::from(image[k]))
    }

    /// The tile under a point, for [`Ground::set_blocked`] and [`Ground::is_blocked`]; on a navmesh
    /// that of the storey whose ground is nearest in height.
    pub fn tile_at(&self, point: [f64; 3]) -> Option<[i32; 2]> {
        let place = self.entry(point);
        let tile = place.map(round);
        (place.iter().all(|v| v.abs() < 1e9) && self.is_inside(tile)).then_some(tile)
    }
}

/// A tile of the bits, of a layer, on the plan.
fn from_layer(layer: &Sheet, [x, z]: [i32; 2]) -> [i32; 2] {
    [
        x.wrapping_add(layer.least[0]),
        z.wrapping_sub(layer.first_row as i32).wrapping_add(layer.least[1]),
    ]
}

/// A tile of the plan in the bits, where a layer has it.
fn to_layer(layer: &Sheet, [x, z]: [i32; 2]) -> [i32; 2] {
    [
        x.wrapping_sub(layer.least[0]),
        z.wrapping_sub(layer.least[1]).wrapping_add(layer.first_row as i32),
    ]
}

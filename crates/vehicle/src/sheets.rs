//! Tiles of a navmesh: sheets below one another in the bits of a [`Ground`], and tiles that are one place of several sheets.
//!
//! A place has a tile on each sheet that it lies on, its *images*; the one of the least number is its *home* and names it in states. Moves are tested from every
//! image, each on its own sheet; so a way passes from sheet to sheet where it comes to a place that lies on both. Within the bits a path leaps from
//! sheet to sheet; on the *plan*, the level seen from above, it does not.

use navbake_format::{SHEET_GAP, Sheet, TileGroundView};

use crate::curve::Pose;
use crate::ground::Ground;
use navbake_navmesh::math::round;

/// Tiles each way that decide which image of a place there is the most room around.
const ROOM: u32 = 5;

impl<'g> Ground<'g> {
    /// Frees the tiles that ground covers, and ties the images of each place into a ring.
    pub(crate) fn lay_sheets(
        &mut self,
        view: &TileGroundView<'_>,
        twins: &mut [u32],
    ) -> Option<()> {
        for (id, twin) in twins.iter_mut().enumerate() {
            *twin = id as u32; // below 2^26
        }
        for number in 0..view.sheet_count() {
            let sheet = view.sheet(number)?;
            for row in 0..sheet.height {
                for column in 0..sheet.width {
                    let Some(tile) = view.tile_at(number, [column, row]) else {
                        continue;
                    };
                    let own = [column as i32, (row + sheet.first_row) as i32]; // below 2^26
                    self.set(own, false);
                    let Some(first) = view.twin(tile) else {
                        continue;
                    };
                    let other = view.sheet(first as usize)?;
                    let plan = of_sheet(&sheet, own);
                    let (home, own) = (self.id(on_sheet(&other, plan)), self.id(own));
                    let next = *twins.get(home as usize)?;
                    *twins.get_mut(own as usize)? = next;
                    *twins.get_mut(home as usize)? = own;
                }
            }
        }
        Some(())
    }

    /// The tiles of the navmesh, where it is one.
    pub fn sheets(&self) -> Option<&TileGroundView<'g>> {
        self.sheets.as_ref()
    }

    /// May a tile be freed? Of a navmesh those that ground covers.
    pub(crate) fn may_be_free(&self, tile: [i32; 2]) -> bool {
        self.sheets.is_none() || self.sheet_height(tile).is_some()
    }

    /// The height of a tile that ground covers.
    pub(crate) fn sheet_height(&self, [column, row]: [i32; 2]) -> Option<f64> {
        let view = self.sheets.as_ref()?;
        let number = self.sheet_of(f64::from(row));
        let first = view.sheet(number)?.first_row as i32; // below 2^26
        let at = [
            u32::try_from(column).ok()?,
            u32::try_from(row - first).ok()?,
        ];
        view.height(number, view.tile_at(number, at)?)
    }

    /// The next image of a place; itself when it is the only one.
    #[inline]
    pub(crate) fn next_twin(&self, tile: u32) -> u32 {
        self.twins.get(tile as usize).copied().unwrap_or(tile)
    }

    /// Is a place on one sheet only?
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

    /// The number of the sheet that a row of the bits belongs to, those of the gaps to the nearer one.
    pub(crate) fn sheet_of(&self, row: f64) -> usize {
        let Some(view) = &self.sheets else {
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

    /// Do a tile and a row of the bits belong to one sheet?
    #[inline]
    pub(crate) fn is_one_sheet(&self, tile: u32, row: f64) -> bool {
        self.twins.is_empty()
            || self.sheet_of(f64::from(self.tile_of(tile)[1])) == self.sheet_of(row)
    }

    /// What is added to a place of a row of the bits to have it on the plan.
    fn to_plan(&self, row: f64) -> [i32; 2] {
        let sheet = self
            .sheets
            .as_ref()
            .and_then(|v| v.sheet(self.sheet_of(row)));
        sheet.map_or([0; 2], |sheet| of_sheet(&sheet, [0; 2]))
    }

    /// Column and row on the plan of a tile of the bits.
    #[inline]
    pub(crate) fn plan_tile(&self, tile: u32) -> [i32; 2] {
        let [x, z] = self.tile_of(tile);
        if self.sheets.is_none() {
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

    /// What is added to a place of the plan to have it in the bits, on a sheet.
    pub(crate) fn to_bits(&self, sheet: u32) -> [i32; 2] {
        let sheet = self.sheets.as_ref().and_then(|v| v.sheet(sheet as usize));
        sheet.map_or([0; 2], |sheet| on_sheet(&sheet, [0; 2]))
    }

    /// Is a tile of the plan blocked on a sheet, or none of its tiles? On a grid map there is one sheet, 0.
    pub fn is_blocked_on(&self, sheet: u32, [x, z]: [i32; 2]) -> bool {
        let [dx, dz] = self.to_bits(sheet);
        let tile = [x.saturating_add(dx), z.saturating_add(dz)];
        self.is_blocked(tile) || self.sheet_of(f64::from(tile[1])) != sheet as usize
    }

    /// The place of a point within the bits: whole at the middles of tiles. On a navmesh it is on the storey whose ground is nearest in height, on the sheet with the most
    /// room around it; not a number where no sheet reaches.
    pub fn entry(&self, point: [f64; 3]) -> [f64; 2] {
        let place = self.place(point);
        let Some(view) = &self.sheets else {
            return place;
        };
        if !place.iter().all(|v| v.abs() < 1e9) {
            return [f64::NAN; 2];
        }
        let plan = place.map(round);
        let mut best: Option<((bool, f64), Sheet, [i32; 2])> = None;
        for number in 0..view.sheet_count() {
            let Some(sheet) = view.sheet(number) else {
                continue;
            };
            let tile = on_sheet(&sheet, plan);
            let own = [tile[0], tile[1] - sheet.first_row as i32];
            if own[0] < 0
                || own[1] < 0
                || own[0] as u32 >= sheet.width
                || own[1] as u32 >= sheet.height
            {
                continue;
            }
            let free = view.tile_at(number, own.map(|v| v as u32));
            let height = free.and_then(|tile| view.height(number, tile));
            let off = height.map_or(f64::INFINITY, |h| (h - point[1]).abs());
            let rank = (height.is_none(), off);
            if best.as_ref().is_none_or(|(known, _, _)| rank < *known) {
                best = Some((rank, sheet, tile));
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

    /// The tile under a point, for [`Ground::set_blocked`] and [`Ground::is_blocked`]; on a navmesh that of the storey whose ground is nearest in height.
    pub fn tile_at(&self, point: [f64; 3]) -> Option<[i32; 2]> {
        let place = self.entry(point);
        let tile = place.map(round);
        (place.iter().all(|v| v.abs() < 1e9) && self.is_inside(tile)).then_some(tile)
    }
}

/// A tile of the bits, of a sheet, on the plan.
fn of_sheet(sheet: &Sheet, [x, z]: [i32; 2]) -> [i32; 2] {
    [
        x.wrapping_add(sheet.least[0]),
        z.wrapping_sub(sheet.first_row as i32)
            .wrapping_add(sheet.least[1]),
    ]
}

/// A tile of the plan in the bits, where a sheet has it.
fn on_sheet(sheet: &Sheet, [x, z]: [i32; 2]) -> [i32; 2] {
    [
        x.wrapping_sub(sheet.least[0]),
        z.wrapping_sub(sheet.least[1])
            .wrapping_add(sheet.first_row as i32),
    ]
}

//! The tiles of a level as bits: blocked ones are set. The caller owns them, so a parked unit or a
//! cone blocks a tile with no rebake.

use navbake_format::{GridMapView, TileGroundView};

/// Blocked tiles all around the map, so that no window leaves the bits.
pub(crate) const RIM: i32 = 16;

/// The number of a word without ground; its slots are beyond all others.
const NO_WORD: u32 = u32::MAX / 64;

/// Which tiles are blocked: bits in borrowed memory.
pub struct Ground<'g> {
    bits: &'g mut [u64],
    words: usize,
    width: u32,
    height: u32,
    tile: f64,
    corner: [f64; 3],
    /// Of a navmesh: its layers, which are below one another in the bits, and for each tile the
    /// next image of the same place.
    pub(crate) layers: Option<TileGroundView<'g>>,
    pub(crate) twins: &'g [u32],
    /// Of a navmesh: the number of each word that has a tile on ground, [`NO_WORD`] for others.
    kept: &'g [u32],
    /// How many words have a number, or how many there are.
    kept_words: u32,
    /// Tiles that obstacles take, and which of them are blocked without.
    #[cfg(feature = "alloc")]
    pub(crate) taken: navbake_navmesh::Taken,
    #[cfg(feature = "alloc")]
    pub(crate) others: alloc::vec::Vec<u64>,
}

impl<'g> Ground<'g> {
    /// Words that the bits of a map need.
    pub fn words(map: &GridMapView<'_>) -> usize {
        let rows = map.height() as usize + 2 * RIM as usize;
        words_a_row(map.width()) * rows
    }

    /// The tiles of a grid map, which are its cells. `None` when the memory is too small.
    pub fn new(map: &GridMapView<'_>, bits: &'g mut [u64]) -> Option<Ground<'g>> {
        let bits = bits.get_mut(..Ground::words(map))?;
        bits.fill(u64::MAX);
        let mut ground = Ground {
            bits,
            words: words_a_row(map.width()),
            width: map.width(),
            height: map.height(),
            tile: map.cell(),
            corner: map.corner(),
            layers: None,
            twins: &[],
            kept: &[],
            kept_words: Ground::words(map) as u32, // below 2^26
            #[cfg(feature = "alloc")]
            taken: Default::default(),
            #[cfg(feature = "alloc")]
            others: Default::default(),
        };
        for row in 0..map.height() {
            for column in 0..map.width() {
                let tile = [column as i32, row as i32]; // below 2^28
                let id = map.id(tile.map(i64::from));
                if id.is_some_and(|id| map.is_free(id)) {
                    ground.set(tile, false);
                }
            }
        }
        Some(ground)
    }

    /// Words that the bits of the tiles of a navmesh need, and the numbers that twins need: one a
    /// tile, and one a word.
    pub fn layer_words(view: &TileGroundView<'_>) -> [usize; 2] {
        let [width, height] = view.size();
        let words = words_a_row(width) * (height as usize + 2 * RIM as usize);
        [words, 65 * words]
    }

    /// The tiles of a navmesh: free where its ground covers all of a tile. `None` when the memory
    /// is smaller than [`Ground::layer_words`] says.
    pub fn of_layers(
        view: TileGroundView<'g>,
        bits: &'g mut [u64],
        twins: &'g mut [u32],
    ) -> Option<Ground<'g>> {
        let [words, numbers] = Ground::layer_words(&view);
        let bits = bits.get_mut(..words)?;
        let (twins, kept) = twins.get_mut(..numbers)?.split_at_mut(64 * words);
        bits.fill(u64::MAX);
        let [width, height] = view.size();
        let mut ground = Ground {
            bits,
            words: words_a_row(width),
            width,
            height,
            tile: view.tile(),
            corner: [0.0; 3],
            layers: Some(view),
            twins: &[],
            kept: &[],
            kept_words: 0,
            #[cfg(feature = "alloc")]
            taken: Default::default(),
            #[cfg(feature = "alloc")]
            others: Default::default(),
        };
        ground.lay_layers(&view, twins)?;
        ground.twins = twins;
        // Tiles that no ground covers stay blocked, so most words of a wide level with little
        // ground need no memory in a search.
        for (number, word) in kept.iter_mut().zip(ground.bits.iter()) {
            *number = NO_WORD;
            if *word != u64::MAX {
                *number = ground.kept_words;
                ground.kept_words += 1;
            }
        }
        ground.kept = kept;
        Some(ground)
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Side of a tile, m.
    pub fn tile(&self) -> f64 {
        self.tile
    }

    /// Is there a tile in that column and row?
    #[inline]
    pub fn is_inside(&self, [column, row]: [i32; 2]) -> bool {
        (0..self.width as i32).contains(&column) && (0..self.height as i32).contains(&row)
    }

    /// Blocks a tile or frees it; nothing happens where no tile exists. A tile of a navmesh that
    /// ground does not cover stays blocked, and one that is on several layers is blocked on all of
    /// them. A tile that an obstacle takes stays blocked until that has gone.
    pub fn set_blocked(&mut self, tile: [i32; 2], blocked: bool) {
        if !self.is_inside(tile) || !(blocked || self.may_be_free(tile)) {
            return;
        }
        let first = self.id(tile);
        let mut at = first;
        loop {
            self.set(self.tile_of(at), blocked);
            at = self.next_twin(at);
            if at == first {
                break;
            }
        }
    }

    pub(crate) fn set(&mut self, tile: [i32; 2], blocked: bool) {
        let id = self.id(tile);
        #[cfg(feature = "alloc")]
        if self.taken.is_taken(id) {
            set_bit(&mut self.others, id, blocked);
            return;
        }
        set_bit(self.bits, id, blocked);
    }

    /// An obstacle takes a tile now, or none does any more.
    #[cfg(feature = "alloc")]
    pub(crate) fn take(&mut self, id: u32) {
        self.others.resize(self.bits.len(), 0);
        if self.taken.is_taken(id) {
            let before = self.is_set(id);
            set_bit(&mut self.others, id, before);
            set_bit(self.bits, id, true);
        } else {
            set_bit(self.bits, id, has_bit(&self.others, id));
        }
    }

    /// Is a tile blocked by anything else than an obstacle? Tiles outside the map are.
    pub fn is_blocked_but_for_obstacles(&self, tile: [i32; 2]) -> bool {
        #[cfg(feature = "alloc")]
        if self.is_inside(tile) && self.taken.is_taken(self.id(tile)) {
            return has_bit(&self.others, self.id(tile));
        }
        self.is_blocked(tile)
    }

    /// Is a tile blocked? Tiles outside the map are.
    #[inline]
    pub fn is_blocked(&self, [column, row]: [i32; 2]) -> bool {
        let around = -RIM..self.width.max(self.height) as i32 + RIM;
        if !around.contains(&column) || !around.contains(&row) {
            return true;
        }
        self.is_inside([column, row]) && self.is_set(self.id([column, row]))
            || !self.is_inside([column, row])
    }

    #[inline]
    pub(crate) fn is_set(&self, id: u32) -> bool {
        has_bit(self.bits, id)
    }

    /// The number of a tile within the rim.
    #[inline]
    pub(crate) fn id(&self, [column, row]: [i32; 2]) -> u32 {
        ((row + RIM) as u32 * self.words as u32 * 64).wrapping_add((column + RIM) as u32)
    }

    /// All numbers are less.
    #[inline]
    pub(crate) fn ids(&self) -> u32 {
        self.bits.len() as u32 * 64
    }

    /// Where a search keeps what it knows of a tile: a number below [`Ground::slots`] for each tile
    /// that can be free, so that memory follows the ground and not the box around it.
    #[inline]
    pub(crate) fn slot(&self, tile: u32) -> u32 {
        if self.kept.is_empty() {
            return tile;
        }
        let word = self.kept.get(tile as usize / 64).copied().unwrap_or(NO_WORD);
        word * 64 + tile % 64
    }

    /// All slots are less.
    pub(crate) fn slots(&self) -> usize {
        64 * self.kept_words as usize
    }

    /// Column and row of a number.
    #[inline]
    pub(crate) fn tile_of(&self, id: u32) -> [i32; 2] {
        let stride = self.stride();
        [(id % stride) as i32 - RIM, (id / stride) as i32 - RIM]
    }

    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        (self.words as u32 * 64).max(1)
    }

    /// The tiles around a tile as bits, row by row: `2 half + 1` of them in each direction.
    #[inline]
    pub(crate) fn window<const W: usize>(&self, id: u32, half: u32) -> [u64; W] {
        window(self.bits, self.stride(), id, half, u64::MAX)
    }

    /// The middle of a tile that can be driven on, y-up metres; `None` if it is blocked, unless by
    /// an obstacle.
    pub fn tile_middle(&self, tile: [i32; 2]) -> Option<[f64; 3]> {
        if self.is_blocked_but_for_obstacles(tile) {
            return None;
        }
        let place = self.plan_place(tile.map(f64::from));
        let mut point = self.point(place);
        if self.layers.is_some() {
            point[1] = self.layer_height(tile)?;
        }
        Some(point)
    }

    /// Columns and rows of a point, whole at the middles of tiles.
    pub(crate) fn place(&self, point: [f64; 3]) -> [f64; 2] {
        [
            (point[0] - self.corner[0]) / self.tile - 0.5,
            (point[2] - self.corner[2]) / self.tile - 0.5,
        ]
    }

    /// The point of a place, y-up metres; on tiles of a navmesh the height is 0.
    pub fn point(&self, [x, z]: [f64; 2]) -> [f64; 3] {
        [
            self.corner[0] + (x + 0.5) * self.tile,
            self.corner[1],
            self.corner[2] + (z + 0.5) * self.tile,
        ]
    }
}

/// Is a bit set? All beyond are.
#[inline]
fn has_bit(bits: &[u64], id: u32) -> bool {
    let word = bits.get(id as usize / 64);
    word.is_none_or(|w| w >> (id % 64) & 1 != 0)
}

fn set_bit(bits: &mut [u64], id: u32, is_set: bool) {
    if let Some(word) = bits.get_mut(id as usize / 64) {
        let bit = 1 << (id % 64);
        *word = if is_set { *word | bit } else { *word & !bit };
    }
}

/// Words of a row with its rim, and one to read beyond.
fn words_a_row(width: u32) -> usize {
    (width as usize + 2 * RIM as usize).div_ceil(64)
}

/// The bits around a tile, `2 half + 1` of them in each direction, row by row; `beyond` is read
/// where there are none.
#[inline]
pub(crate) fn window<const W: usize>(
    bits: &[u64],
    stride: u32,
    id: u32,
    half: u32,
    beyond: u64,
) -> [u64; W] {
    let side = 2 * half + 1;
    let row_mask = (1u64 << side) - 1;
    let mut out = [0u64; W];
    let mut at = id.wrapping_sub(half).wrapping_sub(half * stride);
    let mut place = 0u32;
    for _ in 0..side {
        let (word, bit) = ((at / 64) as usize, at % 64);
        let low = bits.get(word).copied().unwrap_or(beyond);
        let high = bits.get(word + 1).copied().unwrap_or(beyond);
        let row = (low >> bit | (high << 1) << (63 - bit)) & row_mask;
        let (to, shift) = ((place / 64) as usize, place % 64);
        if let Some(w) = out.get_mut(to) {
            *w |= row << shift;
        }
        if shift + side > 64
            && let Some(w) = out.get_mut(to + 1)
        {
            *w |= row >> (64 - shift);
        }
        place += side;
        at = at.wrapping_add(stride);
    }
    out
}

//! What a unit may use, and what it costs: the counterpart of `dtQueryFilter`.

use navbake_format::{AreaId, NavMesh, WeightRow};

use crate::Error;
use crate::closings::Closings;
use crate::costs::{AreaCosts, Slopes};

/// The memory of a [`QueryFilter`] where nothing else is said.
#[cfg(feature = "alloc")]
pub type Words = alloc::vec::Vec<u64>;
/// The memory of a [`QueryFilter`] where nothing else is said: none, so it cannot block anything.
#[cfg(not(feature = "alloc"))]
pub type Words = [u64; 0];

/// What a unit may use and what it costs: agents, areas, slopes, and what is blocked now.
///
/// A new one allows everything, at a cost of 1 per metre. Keep it beside the unit: it borrows
/// nothing. Names are those of the mesh, so methods that take a name take the mesh as well.
///
/// What is blocked is a wall for every query: paths, lines of sight, motion, distances to walls.
/// Blocked ground can be left, but not entered from other ground, however it is cut into polygons.
///
/// ```
/// # let bytes = navbake_testkit::level();
/// use navbake_search::{NavMeshBuf, NavQuery, QueryFilter};
///
/// let nav = NavMeshBuf::open(&bytes)?;
/// let mesh = nav.mesh();
/// let filter = QueryFilter::new()
///     .agent(&mesh, "default")?
///     .block(&mesh, "gate")?
///     .cost(&mesh, "mud", 4.0)?;
/// let query = NavQuery::new(mesh).with_filter(&filter);
/// # let _ = query;
/// # Ok::<(), navbake_search::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct QueryFilter<W = Words> {
    pub(crate) agents: u32,
    pub(crate) costs: AreaCosts,
    /// Bits: closed switches, then the links, polygons and edges that they and the areas block.
    words: W,
    /// Words of closed switches, of one set of edges, of links and of polygons.
    filled: [usize; 4],
    areas: u64,
    switched: bool,
    /// The generation of the mesh that the bits belong to.
    generation: u32,
}

impl Default for QueryFilter {
    fn default() -> QueryFilter {
        QueryFilter::new()
    }
}

impl QueryFilter {
    /// Everything is open and costs 1 per metre. Allocates nothing.
    ///
    /// ```
    /// # use navbake_search::QueryFilter;
    /// let anyone = QueryFilter::new();
    /// # let _ = anyone;
    /// ```
    pub const fn new() -> QueryFilter {
        #[cfg(feature = "alloc")]
        return QueryFilter::in_memory(Words::new());
        #[cfg(not(feature = "alloc"))]
        return QueryFilter::in_memory([]);
    }
}

impl<W> QueryFilter<W> {
    /// The same in memory of a fixed size: [`QueryFilter::words`] says how much a mesh needs.
    ///
    /// For targets without an allocator. Contents do not matter.
    ///
    /// ```
    /// use navbake_search::QueryFilter;
    ///
    /// let filter = QueryFilter::in_memory([0u64; 256]);
    /// # let _ = filter;
    /// ```
    pub const fn in_memory(words: W) -> QueryFilter<W> {
        QueryFilter {
            agents: u32::MAX,
            costs: AreaCosts::PLAIN,
            words,
            filled: [0; 4],
            areas: 0,
            switched: false,
            generation: 0,
        }
    }

    /// Only links for this agent may be taken. Without this call every link is allowed.
    ///
    /// # Errors
    /// [`Error::NoAgent`] when the file has no such agent, or it walks on another mesh.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let filter = QueryFilter::new().agent(&nav.mesh(), "default")?;
    /// assert_eq!(filter.agent(&nav.mesh(), "dragon"), Err(Error::NoAgent));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn agent(mut self, mesh: &NavMesh<'_>, name: &str) -> Result<Self, Error> {
        let mut agents = (0u32..).zip(mesh.file().agents());
        let own = agents.find(|(_, a)| a.name == name && a.class == mesh.class());
        let (number, _) = own.ok_or(Error::NoAgent)?;
        self.agents = 1u32.checked_shl(number).unwrap_or(u32::MAX);
        Ok(self)
    }

    /// Links of at least one of these agents may be taken: bit k for agent k of the file.
    ///
    /// ```
    /// # use navbake_search::QueryFilter;
    /// let mut filter = QueryFilter::new();
    /// filter.set_agents(0b11); // the first two agents
    /// ```
    pub fn set_agents(&mut self, agents: u32) {
        self.agents = agents;
    }

    /// Sets the cost of a metre on an area; infinity forbids it.
    ///
    /// Paths never enter forbidden ground from other ground, and leave it at the least cost. For
    /// other queries it is no wall; [`QueryFilter::cost`] makes it one.
    ///
    /// # Errors
    /// [`Error::Cost`] when it is neither infinite nor from 2⁻²⁰ to 2²⁰.
    ///
    /// ```
    /// use navbake_search::blob::AreaId;
    /// # use navbake_search::{Error, QueryFilter};
    /// let mut filter = QueryFilter::new();
    /// filter.set_cost(AreaId(2), 4.0)?;
    /// assert_eq!(filter.area_cost(AreaId(2)), 4.0);
    /// assert_eq!(filter.set_cost(AreaId(2), -1.0), Err(Error::Cost(-1.0)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn set_cost(&mut self, area: AreaId, cost: f64) -> Result<(), Error> {
        self.costs.set(area, cost).then_some(()).ok_or(Error::Cost(cost))
    }

    /// The cost of a metre on an area.
    ///
    /// ```
    /// # use navbake_search::{QueryFilter, blob::AreaId};
    /// assert_eq!(QueryFilter::new().area_cost(AreaId(0)), 1.0);
    /// ```
    pub fn area_cost(&self, area: AreaId) -> f64 {
        self.costs.get(area)
    }

    /// Sets the cost of height, in metres of plain ground per metre up or down.
    ///
    /// # Errors
    /// [`Error::Cost`] when one is not from 0 to 2²⁰.
    ///
    /// ```
    /// # use navbake_search::{Error, QueryFilter};
    /// let mut cart = QueryFilter::new();
    /// cart.set_slopes(3.0, 0.5)?;
    /// assert_eq!(cart.slopes(), [3.0, 0.5]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn set_slopes(&mut self, uphill: f64, downhill: f64) -> Result<(), Error> {
        let bad = if Slopes::RANGE.contains(&uphill) { downhill } else { uphill };
        let sound = self.costs.set_slopes(Slopes { uphill, downhill });
        sound.then_some(()).ok_or(Error::Cost(bad))
    }

    /// The costs of a metre up and of a metre down.
    ///
    /// ```
    /// # use navbake_search::QueryFilter;
    /// assert_eq!(QueryFilter::new().slopes(), [0.0, 0.0]);
    /// ```
    pub fn slopes(&self) -> [f64; 2] {
        let Slopes { uphill, downhill } = self.costs.slopes();
        [uphill, downhill]
    }

    /// Sets the costs of all areas and of height from a row of the file.
    ///
    /// Forbidden areas are no walls for queries other than paths; [`QueryFilter::weights`] makes
    /// them walls.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let mut filter = QueryFilter::new();
    /// for row in nav.mesh().file().weights() {
    ///     filter.set_weights(&row);
    /// }
    /// ```
    pub fn set_weights(&mut self, row: &WeightRow<'_>) {
        self.costs = AreaCosts::from(row);
    }

    /// The forbidden areas: bit k for area k.
    ///
    /// ```
    /// # use navbake_search::{QueryFilter, blob::AreaId};
    /// let mut filter = QueryFilter::new();
    /// filter.set_cost(AreaId(3), f64::INFINITY)?;
    /// assert_eq!(filter.forbidden(), 1 << 3);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn forbidden(&self) -> u64 {
        self.costs.blocked()
    }

    /// Words of memory that blocking anything on a mesh takes.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// assert!(QueryFilter::<[u64; 256]>::words(&nav.mesh()) < 256);
    /// ```
    pub fn words(mesh: &NavMesh<'_>) -> usize {
        Self::parts(mesh).into_iter().zip([1, 3, 1, 1]).map(|(words, sets)| words * sets).sum()
    }

    fn parts(mesh: &NavMesh<'_>) -> [usize; 4] {
        let switches = mesh.file().switches().len();
        [
            switches,
            mesh.edge_count() as usize,
            mesh.link_count() as usize,
            mesh.polygon_count() as usize,
        ]
        .map(|bits| bits.div_ceil(64))
    }
}

impl<W: AsRef<[u64]>> QueryFilter<W> {
    /// Does it block ground of a mesh that has changed since?
    pub(crate) fn is_stale(&self, mesh: &NavMesh<'_>) -> bool {
        let blocks = self.switched || self.areas != 0;
        blocks && self.generation != mesh.polys().pieces.generation
    }

    /// What is blocked, as queries read it.
    pub(crate) fn closings(&self) -> Closings<'_> {
        let [switches, edges, links, polygons] = self.filled;
        let words = self.words.as_ref();
        let part = |at: usize, len: usize| words.get(at..at + len).unwrap_or(&[]);
        let rest = switches + links + polygons;
        let [shut, touched, corners] = [0, 1, 2].map(|k| part(rest + k * edges, edges));
        Closings {
            shut,
            touched,
            corners,
            links: part(switches, links),
            polygons: part(switches + links, polygons),
            areas: self.areas,
            switched: self.switched,
        }
    }

    /// Is a polygon blocked: it can be left, but not entered from other ground?
    ///
    /// ```
    /// # use navbake_search::{QueryFilter, PolyId};
    /// assert!(!QueryFilter::new().is_blocked(PolyId(0)));
    /// ```
    pub fn is_blocked(&self, polygon: navbake_format::PolyId) -> bool {
        self.closings().is_closed(polygon)
    }

    /// Is a link blocked, by itself or because it leads onto blocked ground from other ground?
    ///
    /// ```
    /// # use navbake_search::QueryFilter;
    /// assert!(!QueryFilter::new().is_link_blocked(0));
    /// ```
    pub fn is_link_blocked(&self, link: u32) -> bool {
        self.closings().is_link_closed(link)
    }
}

impl<W: AsRef<[u64]> + AsMut<[u64]> + Room> QueryFilter<W> {
    /// Blocks what a switch closes: doors, bridges, areas of the level.
    ///
    /// Costs one pass over the doors and links of the mesh.
    ///
    /// # Errors
    /// [`Error::NoSwitch`] for a name that no switch has, [`Error::OtherMesh`] for too little
    /// memory.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let filter = QueryFilter::new().block(&nav.mesh(), "gate")?;
    /// let filter = filter.unblock(&nav.mesh(), "gate")?;
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn block(self, mesh: &NavMesh<'_>, switch: &str) -> Result<Self, Error> {
        self.switch(mesh, switch, true)
    }

    /// Opens what a switch closes.
    ///
    /// # Errors
    /// Those of [`QueryFilter::block`].
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let filter = QueryFilter::new().unblock(&nav.mesh(), "gate")?;
    /// assert_eq!(filter.unblock(&nav.mesh(), "hatch"), Err(Error::NoSwitch));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn unblock(self, mesh: &NavMesh<'_>, switch: &str) -> Result<Self, Error> {
        self.switch(mesh, switch, false)
    }

    fn switch(mut self, mesh: &NavMesh<'_>, name: &str, closed: bool) -> Result<Self, Error> {
        let number = mesh.file().switches().position(|s| s.name == name);
        let number = number.ok_or(Error::NoSwitch)?;
        self.make_room(mesh)?;
        if let Some(word) = self.words.as_mut().get_mut(number / 64) {
            let bit = 1 << (number % 64);
            *word = if closed { *word | bit } else { *word & !bit };
        }
        self.fill(mesh)?;
        Ok(self)
    }

    /// Sets the cost of a metre on the areas of a name; infinity forbids and blocks them.
    ///
    /// # Errors
    /// [`Error::NoArea`] for a name that no area has, [`Error::Cost`] for a cost out of range, and
    /// those of [`QueryFilter::block`].
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let cart = QueryFilter::new().cost(&nav.mesh(), "mud", f64::INFINITY)?;
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn cost(mut self, mesh: &NavMesh<'_>, area: &str, cost: f64) -> Result<Self, Error> {
        let areas = mesh.file().areas_named(area);
        if areas == 0 {
            return Err(Error::NoArea);
        }
        for number in (0..64u8).filter(|k| areas >> k & 1 == 1) {
            self.set_cost(AreaId(number), cost)?;
        }
        let blocked = if cost.is_finite() { self.areas & !areas } else { self.areas | areas };
        if blocked != self.areas {
            self.make_room(mesh)?;
            self.areas = blocked;
            self.fill(mesh)?;
        }
        Ok(self)
    }

    /// Sets the costs of the file's row of weights of this name for the first agent that is
    /// allowed, and blocks the areas that it forbids.
    ///
    /// # Errors
    /// [`Error::NoWeights`] for a name that no row has, and those of [`QueryFilter::block`].
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// assert_eq!(QueryFilter::new().weights(&nav.mesh(), "nobody"), Err(Error::NoWeights));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn weights(mut self, mesh: &NavMesh<'_>, name: &str) -> Result<Self, Error> {
        let agent = self.agents.trailing_zeros() as u16;
        let row = mesh.file().weights_for(name, agent).ok_or(Error::NoWeights)?;
        self.set_weights(&row);
        self.make_room(mesh)?;
        self.areas = self.costs.blocked();
        self.fill(mesh)?;
        Ok(self)
    }

    /// Blocks what these switches close and these areas, and opens all else.
    ///
    /// Bit k of `switches` is switch k of the file, bit k of `areas` area k. Costs one pass over
    /// doors and links, and with areas one over the polygons.
    ///
    /// # Errors
    /// [`Error::OtherMesh`] when the memory is too short.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let mut filter = QueryFilter::new();
    /// filter.set_blocked(&nav.mesh(), &[0b1], 0)?; // the first switch
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn set_blocked(
        &mut self,
        mesh: &NavMesh<'_>,
        switches: &[u64],
        areas: u64,
    ) -> Result<(), Error> {
        self.make_room(mesh)?;
        let own = self.words.as_mut().get_mut(..self.filled[0]).unwrap_or(&mut []);
        for (k, word) in own.iter_mut().enumerate() {
            *word = switches.get(k).copied().unwrap_or(0);
        }
        self.areas = areas;
        self.fill(mesh)
    }

    /// Blocks the same switches and areas on a mesh that has changed: a world with obstacles, after
    /// a commit. Until then paths are refused with [`Error::StaleFilter`].
    ///
    /// # Errors
    /// [`Error::OtherMesh`] when the memory is too short.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let mut filter = QueryFilter::new().block(&nav.mesh(), "gate")?;
    /// filter.refresh(&nav.mesh())?; // after each commit of a world
    /// # Ok::<(), Error>(())
    /// ```
    pub fn refresh(&mut self, mesh: &NavMesh<'_>) -> Result<(), Error> {
        self.make_room(mesh)?;
        self.fill(mesh)
    }

    /// Makes room for a mesh. What was blocked on a mesh of another size is open.
    fn make_room(&mut self, mesh: &NavMesh<'_>) -> Result<(), Error> {
        let parts = Self::parts(mesh);
        if self.filled[0] != parts[0] {
            self.words.extend(Self::words(mesh));
            self.words.as_mut().fill(0);
        }
        self.words.extend(Self::words(mesh));
        if self.words.as_ref().len() < Self::words(mesh) {
            self.filled = [0; 4];
            return Err(Error::OtherMesh);
        }
        self.filled[0] = parts[0];
        Ok(())
    }

    /// Computes what the closed switches and areas block.
    fn fill(&mut self, mesh: &NavMesh<'_>) -> Result<(), Error> {
        let parts = Self::parts(mesh);
        let words = self.words.as_mut();
        let (switches, rest) = words.split_at_mut_checked(parts[0]).ok_or(Error::OtherMesh)?;
        let closings = Closings::new(mesh, switches, self.areas, parts, rest);
        let Closings { shut, switched, .. } = closings.ok_or(Error::OtherMesh)?;
        // Nothing is read of edges where none is blocked.
        self.filled = [parts[0], shut.len(), parts[2], parts[3]];
        self.switched = switched;
        self.generation = mesh.polys().pieces.generation;
        Ok(())
    }
}

/// Memory of a filter that may grow.
pub trait Room {
    /// Makes it at least so long, if it can.
    fn extend(&mut self, words: usize);
}

#[cfg(feature = "alloc")]
impl Room for alloc::vec::Vec<u64> {
    fn extend(&mut self, words: usize) {
        if self.len() < words {
            self.resize(words, 0);
        }
    }
}

impl<const N: usize> Room for [u64; N] {
    fn extend(&mut self, _: usize) {}
}

impl Room for &mut [u64] {
    fn extend(&mut self, _: usize) {}
}

//! Goals that many starts have in common.

use alloc::vec::Vec;

use super::super::nodes::Goal;
use super::buckets::{Buckets, Entry, Kind, fill};
use super::hubs::kind;
use crate::scratch::{Memory, Need};
use crate::{NavPoint, NavQuery};

/// Goals made ready for the lengths from many starts: a matrix, row by row.
///
/// With [labels](navbake_format::Labels), what each goal sees and the hubs of its labels are read
/// once, for all starts. [`NavQuery::distances_to`] finds a row. Threads share the goals and have a
/// scratch each:
///
/// ```
/// # let bytes = navbake_testkit::level();
/// use navbake_search::{Goals, NavMeshBuf, NavQuery, Scratch};
///
/// let nav = NavMeshBuf::open(&bytes)?;
/// let query = NavQuery::new(nav.mesh());
/// let place = |x, z| query.locate([x, 0.0, z], 2.0).expect("ground");
/// let starts = [place(1.0, 1.0), place(2.0, 3.0), place(8.0, 5.0)];
/// let goals = Goals::new(&query, &[place(4.0, 1.0), place(1.0, 1.0)], &mut Scratch::new());
///
/// let mut matrix = vec![None; starts.len() * goals.len()];
/// std::thread::scope(|scope| {
///     for (start, row) in starts.iter().zip(matrix.chunks_mut(goals.len())) {
///         let (query, goals) = (&query, &goals);
///         scope.spawn(move || query.distances_to(start, goals, row, &mut Scratch::new()));
///     }
/// });
/// assert_eq!(matrix[..2], [Some(3.0), Some(0.0)]);
/// # Ok::<(), navbake_search::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Goals {
    places: Vec<NavPoint>,
    points: Vec<[i32; 2]>,
    kinds: Vec<Kind>,
    /// For each hub its first entry; one more at the end. Empty without labels.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// Entries with their hubs, before they are in buckets.
    found: Vec<(u32, Entry)>,
    generation: u32,
}

impl Goals {
    /// Makes goals ready: see [`Goals::set`].
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let place = query.locate([1.0, 0.0, 1.0], 2.0).expect("ground");
    /// let goals = navbake_search::Goals::new(&query, &[place], &mut scratch);
    /// assert_eq!(goals.places(), [place]);
    /// ```
    pub fn new(query: &NavQuery<'_>, places: &[NavPoint], scratch: &mut dyn Memory) -> Goals {
        let mut goals = Goals::default();
        goals.set(query, places, scratch);
        goals
    }

    /// Makes other goals ready in the same memory. It allocates only where that has to grow.
    ///
    /// The goals serve all queries on this mesh, whatever their filters, until obstacles or chunks
    /// change it. Time and memory with labels: the hubs that each goal reaches, 12 bytes each;
    /// some hundreds, on large levels some thousands.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let place = query.locate([1.0, 0.0, 1.0], 2.0).expect("ground");
    /// let mut goals = navbake_search::Goals::default();
    /// goals.set(&query, &[place, place], &mut scratch);
    /// assert_eq!(goals.len(), 2);
    /// ```
    pub fn set(&mut self, query: &NavQuery<'_>, places: &[NavPoint], scratch: &mut dyn Memory) {
        self.places.clear();
        self.places.extend_from_slice(places);
        self.points.clear();
        self.points.extend(places.iter().map(NavPoint::point));
        self.kinds.clear();
        self.found.clear();
        let polys = query.mesh().polys();
        self.generation = polys.pieces.generation;
        let hubs = self.find(query, scratch);
        match hubs {
            Some(hubs) => fill(hubs, &self.found, &mut self.starts, &mut self.entries),
            None => self.starts.clear(),
        }
        self.kinds.resize(places.len(), Kind::None);
    }

    /// Finds the hubs of all goals; returns the number of all hubs of the mesh. `None` without
    /// labels.
    fn find(&mut self, query: &NavQuery<'_>, scratch: &mut dyn Memory) -> Option<usize> {
        scratch.prepare(query.mesh(), Need::Row(0));
        let mut slices = scratch.lend();
        let tables = &mut slices.tables;
        let changed = query.mesh().polys().is_changed();
        let baked = changed.then(|| NavQuery::new(query.mesh().baked()));
        let own = &tables.labels(baked.as_ref().unwrap_or(query))?;
        let hubs = own.corners.len();
        let found = &mut self.found;
        for (goal, place) in (0..).zip(&self.places) {
            let place = Goal::of(place, goal).as_baked(query);
            let spread = place.as_ref().and_then(|place| {
                let spread = tables.write_hubs(own, place)?;
                tables.each_hub(own, place, spread, |hub| {
                    if hub.hub < hubs {
                        let entry = Entry { goal, corner: hub.corner, length: hub.length };
                        found.push((hub.hub as u32, entry));
                    }
                })?;
                Some(spread)
            });
            self.kinds.push(kind(spread));
        }
        Some(hubs)
    }

    /// The goals, in order.
    ///
    /// ```
    /// assert!(navbake_search::Goals::default().places().is_empty());
    /// ```
    pub fn places(&self) -> &[NavPoint] {
        &self.places
    }

    /// Number of goals.
    ///
    /// ```
    /// assert_eq!(navbake_search::Goals::default().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Are there none?
    ///
    /// ```
    /// assert!(navbake_search::Goals::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Bytes that they take.
    ///
    /// ```
    /// assert_eq!(navbake_search::Goals::default().size(), 0);
    /// ```
    pub fn size(&self) -> usize {
        self.places.capacity() * size_of::<NavPoint>()
            + self.points.capacity() * size_of::<[i32; 2]>()
            + self.kinds.capacity() * size_of::<Kind>()
            + self.starts.capacity() * size_of::<u32>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.found.capacity() * size_of::<(u32, Entry)>()
    }

    pub(super) fn buckets(&self) -> Buckets<'_> {
        Buckets {
            starts: &self.starts,
            entries: &self.entries,
            kinds: &self.kinds,
            points: &self.points,
            generation: self.generation,
        }
    }
}

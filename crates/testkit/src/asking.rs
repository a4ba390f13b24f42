//! Asks a navmesh everything, in one order, to compare the answers of two or to find a panic.

use std::fmt::Debug;

use navbake_rooms::{Hop, RoomMemory, RoomReach, RoomScratch, RoomSearch, Walk, middle_of_door};
use navbake_search::around::{MoveLog, Random, Shape};
use navbake_search::blob::RoomId;
use navbake_search::{Algorithm, MoveRequest, NavPoint, NavQuery, PathRequest, PolyId, Scratch};

/// Entries that a search on a small level may take off its open list before it counts as endless.
const MOST_STEPS: u32 = 400;
/// Entries of one step.
const STEP: u32 = 500;
/// Legs of one walk.
const MOST_LEGS: u32 = 400;

/// Working memory of [`Asking::all`].
#[derive(Debug)]
pub struct Asking {
    paths: RoomScratch,
    flood: Scratch,
    sums: Vec<u64>,
    route: Vec<Hop>,
    /// Searches that reached the goal, by algorithm in the order of [`Algorithm::NAMES`], and over
    /// rooms.
    pub reached: [u32; 6],
    /// Paths over at least one link.
    pub linked: u32,
}

impl Asking {
    /// With searches of at most this many nodes.
    pub fn bounded(nodes: usize) -> Asking {
        Asking {
            paths: RoomScratch::with(Scratch::bounded(nodes)),
            flood: Scratch::bounded(nodes),
            sums: Vec::new(),
            route: vec![Hop::default(); 64],
            reached: [0; 6],
            linked: 0,
        }
    }

    /// Asks each kind of query between random places, and gives all answers to `answer`.
    ///
    /// # Panics
    /// When a search does not end.
    pub fn all(
        &mut self,
        query: &NavQuery<'_>,
        rounds: usize,
        random: &mut Random,
        answer: &mut dyn FnMut(&dyn Debug),
    ) {
        let mesh = query.mesh();
        self.sums.resize(mesh.polygon_count() as usize, 0);
        let [least, greatest] = mesh.bounds().map(|c| mesh.grid().metres(c.map(f64::from)));
        for round in 0..rounds {
            let mut place = || {
                let anywhere = [0, 1, 2]
                    .map(|k| least[k] - 1.0 + (greatest[k] - least[k] + 2.0) * random.unit());
                let areas = query.areas(&mut self.sums)?;
                let on = query.random_place(&areas, random);
                let island = on.map(|on| mesh.island(on.polygon()))?;
                let near = query.random_on_island(&areas, island, random);
                match round % 3 {
                    0 => query.nearest(anywhere, [3.0, 30.0, 3.0]),
                    1 => on,
                    _ => near,
                }
            };
            let ends = [place(), place()];
            answer(&ends);
            if let [Some(from), Some(to)] = ends {
                self.around(query, [&from, &to], random, answer);
                self.paths(query, [&from, &to], answer);
            }
        }
        if let Some(rooms) = mesh.rooms() {
            for door in 0..rooms.door_count().min(4) {
                answer(&middle_of_door(query, rooms, door));
            }
            let mut sets = vec![0; rooms.count() as usize];
            let reach = RoomReach::new(query, rooms, &mut sets);
            answer(&reach.map(|reach| reach.connected(RoomId(0), RoomId(1))));
        }
    }

    /// What is asked of one place, and between two.
    fn around(
        &mut self,
        query: &NavQuery<'_>,
        [from, to]: [&NavPoint; 2],
        random: &mut Random,
        answer: &mut dyn FnMut(&dyn Debug),
    ) {
        let towards = to.position();
        answer(&query.locate(towards, 5.0));
        let mut entered = [PolyId(0); 8];
        answer(&query.raycast_through(from, towards, &mut entered));
        answer(&(entered, query.sees(from, to), query.reachable(from, to), query.height(from)));
        let motion = query.move_along(from, &MoveRequest::new(towards), MoveLog::default());
        answer(&(motion, query.place(motion.end)));
        answer(&query.wall_distance(from, 3.0, &mut self.flood));
        for shape in [Shape::Circle(3.0), Shape::Walk(4.0)] {
            answer(&query.around(from, shape, &mut self.flood));
        }
        answer(&query.random_within(from, 3.0, random, &mut self.flood));
    }

    /// Paths by each algorithm, whole and in steps, and from room to room.
    fn paths(
        &mut self,
        query: &NavQuery<'_>,
        [from, to]: [&NavPoint; 2],
        answer: &mut dyn FnMut(&dyn Debug),
    ) {
        let ends = [from.position(), to.position()];
        let names = Algorithm::NAMES.iter().chain([&navbake_rooms::NAME]);
        for (name, reached) in names.zip(&mut self.reached) {
            let request = PathRequest::new(ends[0], ends[1]).partial(true);
            let memory = &mut self.paths;
            let search = match name.parse() {
                Ok(algorithm) => {
                    let request = request.algorithm(algorithm);
                    let search = query.start_path_between(from, to, &request, memory.ground());
                    search.map(RoomSearch::from)
                }
                Err(_) => RoomSearch::between(query, from, to, &request, memory),
            };
            let Ok(mut search) = search else {
                answer(&search.err());
                continue;
            };
            let mut steps = 0;
            while !search.step(query, memory, STEP).is_over() {
                steps += 1;
                assert!(steps < MOST_STEPS, "{name} from {from:?} to {to:?} does not end");
            }
            let path = search.path(query, memory);
            assert!(path.points.iter().flatten().all(|c| c.is_finite()));
            *reached += u32::from(path.status == navbake_search::Status::Reached);
            self.linked += u32::from(path.legs().any(|leg| leg.link.is_some()));
            answer(&(path, path.length_3d(query)));
        }
        let request = PathRequest::new(ends[0], ends[1]);
        let Ok(mut walk) = Walk::new(query, &request, &mut self.route) else {
            return;
        };
        for _ in 0..MOST_LEGS {
            let Some(leg) = walk.next_leg(query, &mut self.paths) else {
                answer(&walk.status());
                return;
            };
            answer(&leg);
        }
        panic!("a walk from {from:?} to {to:?} does not end");
    }
}

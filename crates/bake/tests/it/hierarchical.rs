//! Paths from room to room on levels with rooms, beside the shortest ones.

use std::path::Path;
use std::sync::Mutex;

use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, CheckedBlob, RoomId};
use navbake_import::{Import, ImportOptions};
use navbake_queue::PathQueue;
use navbake_rooms::{FixedRoomScratch, Hop, RoomMemory, RoomScratch, RoomSearch, Walk, find_path};
use navbake_search::around::Random;
use navbake_search::{
    Algorithm, Error, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};

pub(crate) const DOORS: &str = "[rooms.doors]\ngate = [13, 0, 18]\nhall = [9, 0, -0.4]\n\
    chapel = [26.4, 0, 8.8]\nkitchen = [17.3, 0, -5]\nsolar = [24.5, 4, -16.6]\n";

pub(crate) fn baked(name: &str, rooms: &str, doors: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/rooms");
    let level = folder.join(format!("{name}.obj"));
    let Import { source, .. } = navbake_import::read(&level, &ImportOptions::default()).unwrap();
    let seed = match name {
        "spiral" | "tower" => "[-5.0, 0.0, 0.0]",
        _ => "[5.0, 0.0, 5.0]",
    };
    let text = format!(
        "seeds = [{seed}]\n[[agent]]\nradius = 0.3\nheight = 1.8\nclimb = 0.4\n[rooms]\nenabled = true\n{rooms}\n{doors}"
    );
    bake(source, &Config::parse(&text).unwrap(), &Options::default()).unwrap().bytes
}

pub(crate) fn two_places(query: &NavQuery<'_>, random: &mut Random) -> [NavPoint; 2] {
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    [(); 2].map(|()| query.random_place(&areas, random).unwrap())
}

/// Compares whole paths with the shortest ones; gives how many pairs could be reached, and the sum
/// of lengths over the shortest.
pub(crate) fn compare(query: &NavQuery<'_>, pairs: usize, random: &mut Random) -> (usize, f64) {
    let (mut optimal, mut own) = (Scratch::new(), RoomScratch::new());
    let (mut reached, mut sum) = (0, 0.0);
    for _ in 0..pairs {
        let [from, to] = two_places(query, random);
        let request = PathRequest::new(from.position(), to.position());
        let best = query.find_path(&request.algorithm(Algorithm::Optimal), &mut optimal).unwrap();
        let found = find_path(query, &request, &mut own).unwrap().path;
        assert_eq!(found.status, best.status, "{from:?} {to:?}");
        if best.status != Status::Reached {
            continue;
        }
        let (length, least) = (found.length_xz, best.length_xz);
        assert!(length >= least * (1.0 - 1e-9), "{length} of {least}");
        assert!(length <= 1.1 * least + 1e-9, "{length} of {least}");
        assert!(found.bound <= least * (1.0 + 1e-9), "{} of {least}", found.bound);
        if found.certified_optimal {
            assert!(length <= least * (1.0 + 1e-9), "{length} of {least}");
        }
        for pair in found.points.windows(2) {
            let ends = [pair[0], pair[1]].map(|p| query.end(p, [0.01, 0.5, 0.01]).unwrap());
            let away = (pair[0][0] - pair[1][0]).hypot(pair[0][2] - pair[1][2]);
            assert!(query.sees(&ends[0], &ends[1]) || away < 0.01, "{pair:?}");
        }
        reached += 1;
        sum += if least > 0.0 { length / least } else { 1.0 };
    }
    (reached, sum)
}

#[test]
fn whole_paths_are_at_most_a_tenth_longer_than_the_shortest() {
    for name in ["office", "dungeon", "castle", "tower"] {
        let bytes = baked(name, "", "");
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let query = NavQuery::new(nav.mesh());
        assert!(blob.rooms(0).unwrap().has_ways());
        let (reached, sum) = compare(&query, 300, &mut Random::new(3));
        assert!(reached > 200, "{name}: {reached}");
        assert!(sum / reached as f64 <= 1.01, "{name}: {}", sum / reached as f64);
    }
}

#[test]
fn with_doors_closed_it_reaches_what_the_shortest_path_reaches() {
    let bytes = baked("castle", "", DOORS);
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut filter = QueryFilter::new();
    let mut random = Random::new(5);
    let (mut all, mut reached) = (0, 0);
    for closed in 0..32 {
        filter.set_blocked(&mesh, &[closed], 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        reached += compare(&query, 40, &mut random).0;
        all += 40;
    }
    assert!(reached > all / 4 && reached < all, "{reached} of {all}");
}

/// Every field of open land is a room, and their divides have many portals.
#[test]
fn fields_are_crossed_as_rooms_are() {
    let bytes = baked("castle", "max_room_area = 20.0", "");
    let blob = Blob::open_checked(&bytes).unwrap();
    let rooms = blob.rooms(0).unwrap();
    assert!((0..rooms.door_count()).any(|d| rooms.door(d).unwrap().is_divide));
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut random = Random::new(9);
    let (reached, _) = compare(&query, 300, &mut random);
    assert!(reached > 200, "{reached}");

    // Where fields meet in a corner, a unit passes several doors without a step and returns to a
    // room. No other planner is needed for that.
    let mut scratch = RoomScratch::new();
    let mut route = vec![Hop::default(); 1000];
    for _ in 0..1000 {
        let [from, to] = two_places(&query, &mut random);
        let request = PathRequest::new(from.position(), to.position());
        let mut walk = Walk::new(&query, &request, &mut route).unwrap();
        while let Some(leg) = walk.next_leg(&query, &mut scratch) {
            assert!(leg.by_rooms, "{from:?} {to:?}");
        }
    }
}

#[test]
fn a_walk_on_ground_that_gets_costs_ends_with_one_weighted_leg() {
    let bytes = baked("castle", "", "");
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut uphill = QueryFilter::new();
    uphill.set_slopes(2.0, 1.0).unwrap();
    let dear = query.with_filter(&uphill);
    let (mut random, mut scratch) = (Random::new(4), RoomScratch::new());
    let mut route = vec![Hop::default(); 1000];
    let mut tried = 0;
    for _ in 0..60 {
        let [from, to] = two_places(&query, &mut random);
        let request = PathRequest::new(from.position(), to.position());
        let mut walk = Walk::new(&query, &request, &mut route).unwrap();
        if walk.next_leg(&query, &mut scratch).is_none() || walk.status() != Status::Looking {
            continue;
        }
        let leg = walk.next_leg(&dear, &mut scratch).unwrap();
        assert_eq!(leg.path.algorithm, Algorithm::weighted(Algorithm::GAP));
        assert_eq!(walk.status(), Status::Reached);
        tried += 1;
    }
    assert!(tried > 10, "{tried}");
}

/// How far a unit walks in a tick, m: six metres a second at sixty ticks.
const STEP: f64 = 0.1;

/// A unit asks for its next leg when it knows less of its path than this, m.
const KNOWN: f64 = 2.0;

/// The work for a unit that walks tick by tick and asks for one leg a tick at most.
#[derive(Debug, Default)]
struct Ticks {
    /// How far it came, m.
    length: f64,
    /// Ticks before it set out.
    waited: u32,
    /// The most entries taken off open lists in a tick, and all of them.
    most: u32,
    entries: u64,
    /// All ticks.
    count: u32,
}

/// Walks tick by tick. It never waits at a door for a next leg.
fn walk_by_ticks(query: &NavQuery<'_>, request: &PathRequest, scratch: &mut RoomScratch) -> Ticks {
    let mut route = vec![Hop::default(); 1000];
    let mut walk = Walk::new(query, request, &mut route).unwrap();
    let (mut ticks, mut known) = (Ticks::default(), 0.0);
    let (mut at, mut is_out) = (walk.place().position(), false);
    loop {
        ticks.count += 1;
        assert!(ticks.count < 100_000);
        if known < KNOWN
            && let Some(leg) = walk.next_leg(query, scratch)
        {
            let (first, last) = (leg.path.points[0], *leg.path.points.last().unwrap());
            assert!(
                (0..3).all(|k| (first[k] - at[k]).abs() < 1e-9),
                "a leg begins where the one before ends: {at:?} {first:?}"
            );
            at = last;
            known += leg.path.length_xz;
            ticks.length += leg.path.length_xz;
            ticks.most = ticks.most.max(leg.expanded);
            ticks.entries += u64::from(leg.expanded);
        }
        let all = walk.status() == Status::Reached;
        assert!(all || walk.status() == Status::Looking);
        is_out |= all || known >= KNOWN;
        if !is_out {
            ticks.waited += 1;
            continue;
        }
        assert!(all || known > STEP, "{known} m before a door: {request:?}");
        known -= STEP;
        if all && known <= 0.0 {
            let goal = query.end(request.to, request.extents).unwrap().position();
            assert_eq!(at, goal);
            return ticks;
        }
    }
}

#[test]
fn a_thousand_walks_have_their_next_leg_before_the_door() {
    // On a stair of forty quarter turns, and in a castle.
    for (name, walks, bound) in [("tower", 600, 500), ("castle", 400, 500)] {
        let bytes = baked(name, "", "");
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let query = NavQuery::new(nav.mesh());
        let mut scratch = RoomScratch::new();
        let mut random = Random::new(11);
        let (mut sum, mut worst) = (0.0, 1.0f64);
        let (mut most, mut waited, mut entries, mut ticks) = (0, 0, 0, 0u64);
        for _ in 0..walks {
            let [from, to] = two_places(&query, &mut random);
            let request = PathRequest::new(from.position(), to.position());
            let best =
                query.find_path(&request.algorithm(Algorithm::Optimal), scratch.ground()).unwrap();
            assert_eq!(best.status, Status::Reached);
            let least = best.length_xz;
            let own = walk_by_ticks(&query, &request, &mut scratch);
            assert!(own.length >= least * (1.0 - 1e-9));
            let share = if least > 0.1 { own.length / least } else { 1.0 };
            (sum, worst) = (sum + share, worst.max(share));
            (most, waited) = (most.max(own.most), waited.max(own.waited));
            (entries, ticks) = (entries + own.entries, ticks + u64::from(own.count));
        }
        let mean = sum / f64::from(walks);
        println!(
            "{name}: length over optimal mean {mean} worst {worst}; {ticks} ticks, at most {waited} before a unit set out; entries a tick at most {most}, {:.2} in the mean",
            entries as f64 / ticks as f64
        );
        assert!(mean <= 1.01 && worst <= 1.1, "{name}: {mean} {worst}");
        assert!(most < bound && waited < 8, "{name}: {most} {waited}");
    }
}

#[test]
fn a_door_that_closes_on_the_way_is_gone_around() {
    let bytes = baked("castle", "", DOORS);
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let mut filter = QueryFilter::new();
    let mut scratch = RoomScratch::new();
    let mut random = Random::new(17);
    let (mut around, mut given_up) = (0, 0);
    for round in 0..300u64 {
        let open = NavQuery::new(mesh);
        let [from, to] = two_places(&open, &mut random);
        let request = PathRequest::new(from.position(), to.position());
        let mut route = vec![Hop::default(); 1000];
        let mut walk = Walk::new(&open, &request, &mut route).unwrap();
        if walk.next_leg(&open, &mut scratch).is_none() || walk.status() == Status::Reached {
            continue;
        }
        let here = walk.place();
        filter.set_blocked(&mesh, &[1 + round % 31], 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        let place = query.on_polygon(here.polygon(), here.position()).unwrap();
        let goal = query.end(request.to, request.extents).unwrap();
        let asked = request.algorithm(Algorithm::Optimal);
        let still =
            query.find_path_between(&place, &goal, &asked, scratch.ground()).unwrap().status;
        while walk.next_leg(&query, &mut scratch).is_some() {}
        assert_eq!(walk.status(), still);
        around += usize::from(still == Status::Reached);
        given_up += usize::from(still == Status::Unreachable);
    }
    assert!(around > 50 && given_up > 5, "{around} {given_up}");
}

#[test]
fn steps_and_memory_change_no_answer() {
    let bytes = baked("castle", "", "");
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut random = Random::new(23);
    // Scratch that was used for other questions before, and is stepped one entry at a time.
    let mut used = RoomScratch::new();
    for _ in 0..100 {
        let [from, to] = two_places(&query, &mut random);
        let request = PathRequest::new(from.position(), to.position());
        let mut fresh = RoomScratch::new();
        let answer = find_path(&query, &request, &mut fresh).unwrap().path;
        let mut search = RoomSearch::new(&query, &request, &mut used).unwrap();
        while search.step(&query, &mut used, 1) == Status::Looking {}
        let stepped = search.path(&query, &mut used);
        assert_eq!(answer.points, stepped.points);
        assert_eq!(
            (answer.status, answer.expanded, answer.bound),
            (stepped.status, stepped.expanded, stepped.bound)
        );
        // With little memory it says so, or finds the same.
        let mut small = RoomScratch::with(Scratch::bounded(8));
        let little = find_path(&query, &request, &mut small).unwrap().path;
        assert!(matches!(little.status, Status::Reached | Status::OutOfNodes));
    }
}

#[test]
fn memory_of_a_fixed_size_gives_the_same_path() {
    static SCRATCH: Mutex<FixedRoomScratch<1024>> = Mutex::new(FixedRoomScratch::new());
    let bytes = baked("office", "", "");
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    assert!(query.mesh().polygon_count() <= 512);
    let (mut random, mut grown) = (Random::new(29), RoomScratch::new());
    let mut fixed = SCRATCH.lock().unwrap();
    let mut searched = 0;
    for _ in 0..100 {
        let [from, to] = two_places(&query, &mut random);
        let request = PathRequest::new(from.position(), to.position());
        let one = find_path(&query, &request, &mut grown).unwrap();
        let other = find_path(&query, &request, &mut *fixed).unwrap();
        assert_eq!(one, other);
        searched += u32::from(one.path.expanded > 0);
    }
    assert!(searched > 30, "{searched}");
}

#[test]
fn a_queue_answers_requests_over_rooms_as_one_call_does() {
    let bytes = baked("castle", "", "");
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut random = Random::new(31);
    let mut queue = PathQueue::new(40, 3);
    let mut requests = vec![];
    for unit in 0..40 {
        let [from, to] = two_places(&query, &mut random);
        let request = PathRequest::new(from.position(), to.position());
        assert!(queue.ask_over_rooms(unit, &request));
        requests.push(request);
    }
    let mut scratch = RoomScratch::new();
    let mut answered = 0;
    while !queue.is_empty() {
        queue.tick(&query, 200, |unit, path| {
            let path = path.unwrap();
            let found = find_path(&query, &requests[unit as usize], &mut scratch).unwrap().path;
            assert_eq!((path.status, path.points), (found.status, found.points));
            assert_eq!(path.expanded, found.expanded);
            answered += 1;
        });
    }
    assert_eq!(answered, 40);
}

#[test]
fn without_rooms_it_says_so() {
    let blob: Vec<u8> = {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/rooms");
        let level = folder.join("office.obj");
        let Import { source, .. } =
            navbake_import::read(&level, &ImportOptions::default()).unwrap();
        let config = Config::parse("seeds = [[5.0, 0.0, 5.0]]\n").unwrap();
        bake(source, &config, &Options::default()).unwrap().bytes
    };
    let blob: CheckedBlob<'_> = Blob::open_checked(&blob).unwrap();
    let nav = blob.decode(0).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut scratch = RoomScratch::new();
    let [from, to] = two_places(&query, &mut Random::new(1));
    let request = PathRequest::new(from.position(), to.position());
    assert_eq!(find_path(&query, &request, &mut scratch), Err(Error::NoRooms));
    let mut route = [Hop::default(); 4];
    assert_eq!(Walk::new(&query, &request, &mut route).err(), Some(Error::NoRooms));
}

/// Distances within clusters equal those of a search among doors, one room at a time.
#[test]
fn clusters_are_crossed_as_their_rooms_are() {
    let bytes = baked("castle", "max_room_area = 20.0", "");
    let blob = Blob::open_checked(&bytes).unwrap();
    let rooms = blob.rooms(0).unwrap();
    assert!(rooms.cluster_count() > 1);
    let mut pairs = 0;
    for cell in rooms.count()..rooms.count() + rooms.cluster_count() {
        let inside = |room: u32| {
            let mut at = Some(room);
            while at.is_some() && at != Some(cell) {
                at = at.and_then(|at| rooms.parent(at));
            }
            at.is_some()
        };
        let own = rooms.cell(cell);
        for (place, from) in (0u32..).zip(own.doors()) {
            let mut best = vec![f64::INFINITY; rooms.door_count() as usize];
            best[from as usize] = 0.0;
            loop {
                let before = best.clone();
                for room in (0..rooms.count()).filter(|&r| inside(r)) {
                    let doors: Vec<u32> = rooms.doors_of(RoomId(room)).collect();
                    for (i, &a) in doors.iter().enumerate() {
                        for (k, &b) in doors.iter().enumerate() {
                            let way = rooms.way(RoomId(room), i as u32, k as u32).unwrap();
                            let length = best[a as usize] + f64::from(way);
                            best[b as usize] = best[b as usize].min(length);
                        }
                    }
                }
                if best == before {
                    break;
                }
            }
            for (other, to) in (0u32..).zip(own.doors()) {
                let way = f64::from(own.way(place, other).unwrap());
                assert!((way - best[to as usize]).abs() < 1e-3);
                pairs += 1;
            }
            let each = (0u32..).zip(own.doors()).filter(|d| d.0 != place);
            let each = each.map(|(other, to)| (to, own.way(place, other).unwrap()));
            assert!(own.ways_from(place).eq(each));
        }
    }
    assert!(pairs > 20, "{pairs}");
}

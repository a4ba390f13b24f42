//! What a queue searches.

use core::fmt::Debug;

use navbake_search::Error;

/// What a queue searches: [`Mesh`](crate::Mesh), [`Cells`](crate::Cells) or
/// [`Routes`](crate::Routes).
///
/// The queue itself calls its functions; a game has no use for them. Works are counted in entries
/// of an open list of a search over polygons.
pub trait Space: Clone + Debug {
    /// What searches read.
    type Query<'q>;
    /// What a unit asks for, kept until it is answered.
    type Request: Clone + PartialEq + Debug;
    /// A search under way.
    type Search: Clone + Debug;
    /// The memory of a search.
    type Memory: Clone + Debug;
    /// A place where a path may end.
    type Place: Copy;
    /// An answer.
    type Path<'s>: Copy;

    /// Begins a search. Also gives its work, without that of locating the ends.
    ///
    /// # Errors
    /// Those of the space's requests.
    fn begin(
        query: &Self::Query<'_>,
        request: &Self::Request,
        memory: &mut Self::Memory,
    ) -> Result<(Self::Search, u32), Error>;

    /// Continues a search for about this much work. Gives the work done, and whether it is over.
    fn step(
        query: &Self::Query<'_>,
        search: &mut Self::Search,
        memory: &mut Self::Memory,
        work: u32,
    ) -> (u32, bool);

    /// The answer of a search that is over, and the work of making it.
    fn path<'s>(
        query: &Self::Query<'_>,
        search: &Self::Search,
        memory: &'s mut Self::Memory,
    ) -> (Self::Path<'s>, u32);

    /// The path of a search that is over for another unit, from the start of its request to a
    /// place or to the search's goal, and the work of making it.
    fn fitted<'s>(
        query: &Self::Query<'_>,
        search: &Self::Search,
        request: &Self::Request,
        end: Option<Self::Place>,
        memory: &'s mut Self::Memory,
    ) -> Option<(Self::Path<'s>, u32)>;

    /// The next free place around the goal that a search reached, `spacing` metres apart; `next`
    /// counts the places tried.
    fn place_near_goal(
        query: &Self::Query<'_>,
        search: &Self::Search,
        next: &mut u32,
        spacing: f64,
        memory: &mut Self::Memory,
    ) -> Option<Self::Place>;

    /// Gives a request the goals of another one, and its kind of search.
    fn aim_like(request: &mut Self::Request, other: &Self::Request);

    /// Gives a request a place as its goal.
    fn aim_at(query: &Self::Query<'_>, request: &mut Self::Request, place: Self::Place);

    /// The start of a request and one of its goals, y-up metres.
    fn ends(request: &Self::Request) -> [[f64; 3]; 2];

    /// The direction of what a search has found up to now, a unit vector `[x, z]`.
    fn direction(
        query: &Self::Query<'_>,
        search: &Self::Search,
        memory: &mut Self::Memory,
    ) -> Option<[f64; 2]>;
}

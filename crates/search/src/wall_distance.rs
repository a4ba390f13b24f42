//! How far the nearest wall is.
//!
//! Portals are crossed in order of their distance from the place, as long as no wall is nearer. What is crossed so lies in a circle without
//! walls, which is a piece of the plane however many storeys there are: its distances are those of the plane.

use navbake_format::PolyId;

use crate::flood::{Flood, nearest_on_segment};
use crate::locate::extent;
use crate::math::{float, sqrt};
use crate::ray::wall_at;
use crate::{FloodScratch, Location, Query, Wall};

/// The wall nearest to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallDistance {
    /// In the ground plane, m. Without a wall, so far there is none: what was asked, or less where the scratch did not allow more.
    pub distance: f64,
    /// The wall and what is known of it; `None` when there is none so near.
    pub nearest: Option<NearestWall>,
}

/// A wall seen from a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestWall {
    /// The wall. Of walls equally near, the one with the lowest edge.
    pub wall: Wall,
    /// The polygon that the wall belongs to.
    pub polygon: PolyId,
    /// Its point nearest to the place: y-up metres at the height of the surface, within a rounding of the grid's exact point.
    pub point: [f64; 3],
}

/// A wall found so far, by its distance squared.
#[derive(Clone, Copy)]
struct Found {
    square: f64,
    polygon: PolyId,
    edge: u32,
    at: [f64; 2],
}

impl Query<'_> {
    /// The distance to the nearest wall or shut edge, up to `most` metres. Walls are met by walking straight: those of other storeys do not count.
    pub fn wall_distance<'s>(
        &self,
        from: &Location,
        most: f64,
        scratch: impl Into<FloodScratch<'s>>,
    ) -> WallDistance {
        let (mesh, p) = (self.mesh(), float(from.point()));
        let most = extent(mesh.grid(), most);
        let mut square = most * most;
        let mut found: Option<Found> = None;
        let mut flood = Flood::new(scratch.into());
        flood.offer(from.polygon(), from.polygon(), 0.0, p);
        while let Some(here) = flood.next() {
            if here.distance() > square {
                break;
            }
            let polygon = mesh.polygon(here.polygon());
            // What one sees straight ahead is seen from its inner side, and no nearer than the polygon was entered. All else is ground that
            // winds around a corner and comes back over or under the place. (The slack is for rounding.)
            let begin = here.distance() * (1.0 - 1e-12);
            let mut a = float(polygon.corner(0));
            for edge in 0..polygon.len() {
                let b = float(polygon.corner(polygon.next(edge)));
                let (u, v) = (a, b);
                a = b;
                // Exact: no more than 53 bits.
                if (v[1] - u[1]) * (p[0] - u[0]) < (v[0] - u[0]) * (p[1] - u[1]) {
                    continue;
                }
                let (at, away) = nearest_on_segment(u, v, p);
                if away < begin || away > square {
                    continue;
                }
                if let Some(beyond) = self.beyond(&polygon, edge) {
                    if Some(beyond) != here.from() {
                        flood.offer(beyond, here.polygon(), away, at);
                    }
                    continue;
                }
                let id = (polygon.id(), edge);
                if away < square || found.is_none_or(|f| id < (f.polygon, f.edge)) {
                    square = away;
                    found = Some(Found {
                        square: away,
                        polygon: polygon.id(),
                        edge,
                        at,
                    });
                }
            }
        }
        let units = mesh.grid().units();
        // Nothing is known beyond a polygon that there was no room for.
        let lost = flood.lost();
        let found = found.filter(|f| f.square <= lost);
        let nearest = found.map(|f| {
            let polygon = mesh.polygon(f.polygon);
            let height = polygon.edge_height(f.edge, f.at);
            NearestWall {
                wall: wall_at(&polygon, f.edge),
                polygon: f.polygon,
                point: mesh.grid().metres([f.at[0], height, f.at[1]]),
            }
        });
        WallDistance {
            distance: sqrt(square.min(lost)) / units,
            nearest,
        }
    }
}

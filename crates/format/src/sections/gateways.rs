//! Gateways of a world in chunks: the sections `gateways` and `gateway-distances` of its index.
//!
//! A gateway is a stretch of a side between two chunks over which the ground goes on. The index has
//! the distances between the gateways of each chunk, so that a path can be planned over chunks
//! that are not loaded.

use navbake_navmesh::record::Records;

use super::chunks::Chunk;
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::{Blob, NavMesh, Section};

navbake_navmesh::record! {
    /// Section `gateways`: a stretch of a side between two chunks over which ground goes on.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Gateway: 28 {
        /// The two chunks, by their numbers in the index; the lesser first.
        pub chunks: [u32; 2],
        /// A place on both chunks' ground: x, y, z, grid units. `y` is that of the first chunk.
        pub at: [i32; 3],
        /// The island of the world.
        pub island: u32,
        /// All places of the stretch are at most so far along the side, grid units.
        pub reach: u32,
    }
}

navbake_navmesh::record! {
    /// Section `gateway-distances`: the shortest path between two gateways within one chunk.
    #[derive(Debug, PartialEq)]
    pub struct GatewayDistance: 16 {
        /// The two gateways; the lesser first.
        pub gateways: [u32; 2],
        /// The length of the path between their places, seen from above, metres.
        pub length: f64,
    }
}

impl Gateway {
    /// The chunk that two gateways have in common, by its number in the index.
    pub fn shared(&self, other: &Gateway) -> Option<u32> {
        self.chunks.into_iter().find(|chunk| other.chunks.contains(chunk))
    }
}

impl<'a> NavMesh<'a> {
    /// Gateways between the chunks of a world; none in other files.
    pub fn gateways(&self) -> Records<'a, Gateway> {
        self.blob.records(Section::GATEWAYS, self.class)
    }

    /// Distances between gateways within a chunk. Two gateways without one are not connected within
    /// a chunk.
    pub fn gateway_distances(&self) -> Records<'a, GatewayDistance> {
        self.blob.records(Section::GATEWAY_DISTANCES, self.class)
    }
}

/// Gateways are between chunks of an index, and distances between two of one chunk.
pub(crate) fn check_class(blob: &Blob<'_>, _: &NavMeshView<'_>, at: &Place) -> Checked {
    let chunks = blob.records::<Chunk>(Section::CHUNKS, 0);
    let Some(first) = chunks.first().filter(|chunk| chunk.bytes > 0) else {
        let both = [Section::GATEWAYS, Section::GATEWAY_DISTANCES];
        return at.alone(blob, both, "gateways in the index of a world");
    };
    let gateways = blob.records::<Gateway>(Section::GATEWAYS, at.class);
    let mut last = None;
    for (it, own) in at.each(Section::GATEWAYS, gateways.iter()) {
        let [a, b] = own.chunks;
        it.refuse(a >= b || b as usize >= chunks.len(), b, "two chunks, the lesser number first")?;
        it.coordinates(&own.at)?;
        it.refuse(own.island >= first.islands, own.island, "an island of the world")?;
        let expected = "gateways sorted by chunks and place, each once";
        it.refuse(last >= Some((own.chunks, own.at)), a, expected)?;
        last = Some((own.chunks, own.at));
    }
    let distances = blob.records::<GatewayDistance>(Section::GATEWAY_DISTANCES, at.class);
    let mut last = None;
    for (it, own) in at.each(Section::GATEWAY_DISTANCES, distances.iter()) {
        let [a, b] = own.gateways;
        let ends = own.gateways.map(|g| gateways.get(g as usize));
        let [Some(from), Some(to)] = ends else {
            return it.fail(b, "gateways");
        };
        let connects = a < b && from.island == to.island && from.shared(&to).is_some();
        it.refuse(!connects, b, "two gateways of one chunk and island, the lesser number first")?;
        it.amount(own.length, "a finite length")?;
        it.refuse(last >= Some(own.gateways), a, "distances sorted by gateways, each once")?;
        last = Some(own.gateways);
    }
    Ok(())
}

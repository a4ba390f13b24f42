//! Links of a scene.

use navbake_format::write::LinkParts;
use navbake_search::blob::LinkKind;

use super::{Scene, UNITS};
use crate::Random;

/// A link from a point on a face to a point on another face, or on the same.
#[derive(Clone, Debug)]
pub struct SceneLink {
    pub face: usize,
    pub from: [i32; 2],
    pub beyond: usize,
    pub to: [i32; 2],
    /// In metres.
    pub cost: f64,
    pub agents: u32,
    pub switch: Option<u16>,
}

impl SceneLink {
    pub fn parts(&self) -> LinkParts<'static> {
        LinkParts {
            from: (self.face as u32, self.from),
            to: (self.beyond as u32, self.to),
            cost: self.cost,
            width: 0.0,
            agents: self.agents,
            switch: self.switch,
            kind: LinkKind::Teleport,
            name: "",
        }
    }
}

impl Scene {
    /// Adds `count` links between random points; `cheap` percent are shortcut links.
    ///
    /// A shortcut link costs less than its length.
    pub fn join(&mut self, random: &mut Random, count: usize, cheap: u64) {
        for _ in 0..count {
            let [face, beyond] = [0; 2].map(|_| random.below(self.faces.len()));
            let [from, to] = [face, beyond].map(|f| self.point_in(random, f));
            let length = f64::from(to[0] - from[0]).hypot(f64::from(to[1] - from[1])) / UNITS;
            let share = match random.chance(cheap) {
                true => random.below(4) as f64 / 4.0,
                false => 1.0 + random.below(5) as f64 / 4.0,
            };
            self.links.push(SceneLink {
                face,
                from,
                beyond,
                to,
                cost: length * share,
                agents: 1 + random.below(3) as u32,
                switch: random.chance(30).then(|| random.below(3) as u16),
            });
        }
        self.links.sort_by_key(|l| l.face);
    }

    /// May the link be taken?
    pub fn can_take(&self, link: &SceneLink) -> bool {
        link.agents & self.agents != 0
            && (link.switch).is_none_or(|s| self.closed.switches >> s & 1 == 0)
            && self.closed.enters(link.face, link.beyond)
    }
}

//! Bad places, merged where they are close together.

/// A bad place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// y-up metres.
    pub(crate) at: [f64; 3],
    /// Size of the error, m.
    pub(crate) depth: f64,
}

/// Bad places that are close together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cluster {
    /// The worst place of the cluster.
    pub(crate) at: [f64; 3],
    pub(crate) depth: f64,
    pub(crate) count: u32,
}

/// Merges places; the clusters with the most places come first.
///
/// The worst place takes all places that are nearer than `far`. Then the worst of the rest does the
/// same, and so on.
pub(crate) fn gather(mut places: Vec<Place>, far: f64) -> Vec<Cluster> {
    let by_place = |a: &Place, b: &Place| {
        let axes = a.at.iter().zip(&b.at);
        let mut axes = axes.map(|(a, b)| a.total_cmp(b));
        axes.find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    };
    places.sort_by(|a, b| b.depth.total_cmp(&a.depth).then_with(|| by_place(a, b)));
    let mut found: Vec<Cluster> = vec![];
    for place in places {
        let near = |c: &&mut Cluster| {
            let square: f64 = (0..3).map(|k| (c.at[k] - place.at[k]).powi(2)).sum();
            square <= far * far
        };
        match found.iter_mut().find(near) {
            Some(cluster) => cluster.count += 1,
            None => found.push(Cluster { at: place.at, depth: place.depth, count: 1 }),
        }
    }
    // The sort is stable: among equals the worst comes first.
    found.sort_by_key(|c| std::cmp::Reverse(c.count));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_lie_together_are_reported_once_at_the_worst() {
        let place = |x: f64, depth: f64| Place { at: [x, 0.0, 0.0], depth };
        let places = vec![place(0.0, 0.2), place(0.5, 0.4), place(9.0, 1.0), place(1.0, 0.3)];
        let mut turned = places.clone();
        turned.reverse();
        let found = gather(places, 1.0);
        assert_eq!(found, gather(turned, 1.0));
        let reported: Vec<(f64, u32)> = found.iter().map(|c| (c.depth, c.count)).collect();
        assert_eq!(reported, [(0.4, 3), (1.0, 1)]);
    }
}

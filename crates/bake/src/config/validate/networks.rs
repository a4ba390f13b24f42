//! Refuses networks that cannot be made.

use navbake_format::NetworkKind;

use super::Validity;
use crate::config::{Config, End};

impl Config {
    pub(super) fn validate_networks(&self) -> Validity {
        for (i, network) in self.networks.iter().enumerate() {
            self.name_is_own(["network", "networks"], i, |k| &self.networks[k].name, "")?;
            if let Some((key, kind)) = network.misplaced() {
                let path = format!("network[{i}].{key}");
                let found = format!(
                    "`{path}` is for networks of kind `{kind}`, and this one is of kind `{}`; leave it out",
                    network.kind
                );
                return Err(self.fault(&path, found));
            }
            for name in network.agents.iter().flatten() {
                self.agent_is_known(&format!("network[{i}].agents"), name)?;
            }
            let is_drawn = !network.chains.is_empty() || !network.edges.is_empty();
            if network.kind == NetworkKind::Waypoints && !is_drawn {
                let path = format!("network[{i}]");
                let found = format!(
                    "`{path}` has no edges; give `chains` of points or markers, or `[[network.edge]]`"
                );
                return Err(self.fault(&path, found));
            }
            for (k, chain) in network.chains.iter().enumerate() {
                let path = format!("network[{i}].chains[{k}]");
                let is_pattern =
                    |end: &End| matches!(end, End::Marker(n) if n.contains(['*', '?']));
                if chain.len() < 2 && !chain.iter().any(is_pattern) {
                    let found = format!(
                        "`{path}` has fewer than two points; give two or more, or a pattern of marker names"
                    );
                    return Err(self.fault(&path, found));
                }
                for end in chain {
                    if let End::Point(p) = end {
                        self.finite(&path, *p)?;
                    }
                }
            }
            for (k, edge) in network.edges.iter().enumerate() {
                for (key, end) in [("from", &edge.from), ("to", &edge.to)] {
                    if let End::Point(p) = end {
                        self.finite(&format!("network[{i}].edge[{k}].{key}"), *p)?;
                    }
                }
            }
        }
        Ok(())
    }
}

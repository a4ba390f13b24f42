//! Names of findings that hold while messages change.

use std::collections::BTreeMap;

use crate::finding::Finding;

/// The fingerprints of findings: sixteen hexadecimal digits.
///
/// A fingerprint depends on rule, agent, names and place (to the metre), and on the order of
/// findings that are alike in these.
pub(crate) fn fingerprints(findings: &[Finding]) -> Vec<String> {
    let mut seen = BTreeMap::new();
    let print = |finding: &Finding| {
        let mut text = format!("{}|{}", finding.rule, finding.agent.as_deref().unwrap_or(""));
        for name in &finding.names {
            text.push('|');
            text.push_str(name);
        }
        for c in finding.place.into_iter().flatten() {
            text.push_str(&format!("|{}", c.round() + 0.0));
        }
        let nth = seen.entry(text.clone()).or_insert(0u32);
        *nth += 1;
        if *nth > 1 {
            text.push_str(&format!("#{nth}"));
        }
        format!("{:016x}", fnv(text.as_bytes()))
    };
    findings.iter().map(print).collect()
}

/// FNV-1a of 64 bits (Fowler, Noll, Vo).
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_hold_while_messages_change() {
        let one = Finding::new("sliver", "2.01 m").at([1.2, 0.0, 3.0]);
        let moved = Finding::new("sliver", "2.02 m").at([1.4, 0.0, 3.0]);
        let far = Finding::new("sliver", "2.02 m").at([7.4, 0.0, 3.0]);
        let all = fingerprints(&[one.clone(), moved.clone(), far]);
        assert_eq!(fingerprints(&[one])[0], fingerprints(&[moved])[0]);
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
    }
}

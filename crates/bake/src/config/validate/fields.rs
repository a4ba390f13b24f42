//! Clearance and cost fields.

use navbake_level::MAX_FIELDS;
use navbake_level::number::exact;

use super::Validity;
use crate::config::clearance::MOST_RANGE;
use crate::config::{Config, Seed, Surface};

impl Config {
    pub(super) fn validate_clearance(&self) -> Validity {
        let range = self.clearance.range;
        let radii = self.agents.iter().filter_map(|a| a.radius);
        let least = radii.fold(f64::INFINITY, f64::min);
        // Cells of grid maps, whose agents are points, have distances of their own.
        if least > 0.0 && range > MOST_RANGE * least {
            let found = format!(
                "`clearance.range` is {}; it may be {MOST_RANGE} times the least radius of an agent at most, which is {}",
                exact(range),
                exact(least)
            );
            return Err(self.fault_of("clearance.range", range, found));
        }
        if range > 0.0 && self.surface == Surface::Floor {
            let found = "`clearance` is for `surface = \"generate\"`: a designer's floor has the polygons that its triangles give";
            return Err(self.fault("clearance.range", found));
        }
        Ok(())
    }

    pub(super) fn validate_fields(&self) -> Validity {
        if self.fields.len() > MAX_FIELDS {
            let found = format!(
                "there are {} tables `[[field]]`; there may be {MAX_FIELDS} at most: put sources of the same range and peak into one",
                self.fields.len()
            );
            return Err(self.fault(&format!("field[{MAX_FIELDS}]"), found));
        }
        for (i, field) in self.fields.iter().enumerate() {
            if field.points.is_empty() && field.areas.is_empty() {
                let path = format!("field[{i}]");
                let found = format!("`{path}` has no sources; give `points` or `areas`");
                return Err(self.fault(&path, found));
            }
            for (k, point) in field.points.iter().enumerate() {
                if let Seed::Point(p) = point {
                    self.finite(&format!("field[{i}].points[{k}]"), *p)?;
                }
            }
            for (k, area) in field.areas.iter().enumerate() {
                self.area_is_known(&format!("field[{i}].areas[{k}]"), Some(area))?;
            }
            for name in field.agents.iter().flatten() {
                self.agent_is_known(&format!("field[{i}].agents"), name)?;
            }
        }
        Ok(())
    }
}

//! Steps over hexagons: six neighbours, each at the cost of entering it.

use crate::cells::Cells;
use crate::scratch::GridNode;
use crate::search::NONE;
use crate::space::Step;

impl Cells<'_, '_> {
    /// Calls `each` with every step and link out of the cell of a node.
    pub(crate) fn each_step_over_hexagons(&self, node: &GridNode, mut each: impl FnMut(Step)) {
        let (map, metric) = (&self.map, self.metric);
        let shape = map.shape();
        let cell = self.cell(node.state);
        let at = map.column_row(cell).map(i64::from);
        let walls = self.closed.walls_of(cell);
        for side in 0..shape.sides() {
            let Some(to) = map.id(shape.neighbour(at, side)) else {
                continue;
            };
            let [first, last] = if self.reverse { [to, cell] } else { [cell, to] };
            let is_free = self.is_free(to) || self.tight == Some(to);
            if !is_free || walls >> side & 1 != 0 || !self.may_enter(first, last) {
                continue;
            }
            let direction = side as u8;
            let mut cost = metric.step(self.units(last), false);
            if node.direction != NONE && node.direction != direction {
                cost += metric.penalty;
            }
            each(Step { to: self.state(to, direction), cost, direction });
        }
        self.each_link(cell, each);
    }
}

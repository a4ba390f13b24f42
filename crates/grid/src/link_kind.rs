//! Kinds of off-mesh links.

/// The action of a unit on an off-mesh link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// Walk: a gap in the baked ground that the game does not have.
    #[default]
    Walk,
    /// Step or fall down.
    Drop,
    /// Jump.
    Jump,
    /// Climb up or down.
    Climb,
    /// Be somewhere else at once.
    Teleport,
    /// Be carried: a lift, an escalator.
    Ride,
    /// Open a door.
    Door,
    /// Something that only the game knows.
    Other,
}

impl LinkKind {
    /// All kinds, in the order of their numbers in files.
    pub const ALL: [LinkKind; 8] = [
        LinkKind::Walk,
        LinkKind::Drop,
        LinkKind::Jump,
        LinkKind::Climb,
        LinkKind::Teleport,
        LinkKind::Ride,
        LinkKind::Door,
        LinkKind::Other,
    ];

    /// The kind's word in configs, reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            LinkKind::Walk => "walk",
            LinkKind::Drop => "drop",
            LinkKind::Jump => "jump",
            LinkKind::Climb => "climb",
            LinkKind::Teleport => "teleport",
            LinkKind::Ride => "ride",
            LinkKind::Door => "door",
            LinkKind::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LinkKind;

    #[test]
    fn numbers_are_positions_in_all() {
        for (i, kind) in LinkKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, i);
        }
    }
}

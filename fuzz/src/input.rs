//! Numbers out of a target's bytes; zeros where they end.

/// Bytes that are read from the front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl Input<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first
    }

    pub(crate) fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// Less than `most`, which is above 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        match most {
            0..=256 => usize::from(self.byte()) % most,
            _ => (usize::from(self.word()) << 8 | usize::from(self.byte())) % most,
        }
    }

    /// True for this many of 256 bytes.
    pub(crate) fn chance(&mut self, of_256: u8) -> bool {
        self.byte() < of_256
    }
}

//! Tests of navbake-level through its public interface.

mod cut;

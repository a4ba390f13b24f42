//! The command `navbake`.
fn main() {}

//! The plugin in apps without a window, on fixtures that the command `navbake` bakes: `NAVBAKE`
//! names it, else it is that of the `PATH`.

mod agents;
mod budgets;
mod chunks;
mod files;
#[cfg(feature = "gizmos")]
mod gizmos;
mod levels;
mod obstacles;
mod saves;
mod support;

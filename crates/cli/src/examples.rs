//! Examples at the end of each `--help`; a test runs every line.

pub(crate) const ALL: &str = "\
Examples:
  navbake bake level.obj -o level.nav
  navbake query path level.nav --from 1,0,1 --to 9,0,9
  navbake view level.nav --no-open";

pub(crate) const BAKE: &str = "\
Examples:
  navbake bake level.obj -o level.nav
  navbake bake level.obj -o level.nav --radius 0.4 --climb 0.5 --rooms
  navbake bake level.obj town.map --out-dir build --cache build/cache
  navbake bake level.obj -o level.nav --config bake.toml --depfile level.d
  navbake bake level.obj --dry-run --format json";

pub(crate) const INFO: &str = "\
Examples:
  navbake info level.nav
  navbake info level.nav --verify --format json";

pub(crate) const QUERY: &str = "\
Examples:
  navbake query path level.nav --from 1,0,1 --to 9,0,9
  navbake query nearest level.nav --at 1,3,1";

pub(crate) const PATH: &str = "\
Examples:
  navbake query path level.nav --from 1,0,1 --to 9,0,9
  navbake query path level.nav --from spawn_red --to flag_blue --to 9,0,9 --format json
  navbake query path level.nav --from 1,0,1 --to 9,0,9 --expect reached --trace search.svg";

pub(crate) const NEAREST: &str = "\
Examples:
  navbake query nearest level.nav --at 1,3,1
  navbake query nearest level.nav --at spawn_red --extents 5,5,5";

pub(crate) const RAYCAST: &str = "\
Examples:
  navbake query raycast level.nav --from 1,0,1 --to 9,0,9";

pub(crate) const REACHABLE: &str = "\
Examples:
  navbake query reachable level.nav --from spawn_red --to flag_blue --expect reached";

pub(crate) const MOVE: &str = "\
Examples:
  navbake query move level.nav --from 1,0,1 --to 5,0,5";

pub(crate) const DISTANCE: &str = "\
Examples:
  navbake query distance level.nav --at 1,0,1
  navbake query distance level.nav --at spawn_red --within 2";

pub(crate) const FITS: &str = "\
Examples:
  navbake query fits level.nav --at 1,0,1 --radius 0.8";

pub(crate) const RANDOM: &str = "\
Examples:
  navbake query random level.nav --count 3 --seed 7
  navbake query random level.nav --near spawn_red --within 5";

pub(crate) const BENCH: &str = "\
Examples:
  navbake bench level.nav --random 100
  navbake bench level.nav --random 100 --planner corridor --format json";

pub(crate) const TUNE: &str = "\
Examples:
  navbake tune level.nav --random 50 --plot tune.svg";

pub(crate) const EXPORT: &str = "\
Examples:
  navbake export level.nav --to svg -o level.svg
  navbake export level.nav --to glb -o level.glb --coords input";

pub(crate) const CONFIG: &str = "\
Examples:
  navbake config --template";

pub(crate) const EXPLAIN: &str = "\
Examples:
  navbake explain level.obj --at 1,0,1
  navbake explain level.nav --at spawn_red";

pub(crate) const DIFF: &str = "\
Examples:
  navbake diff old.nav level.nav
  navbake diff old.nav level.nav --svg changes.svg --format json";

pub(crate) const CHECK: &str = "\
Examples:
  navbake check level.nav
  navbake check level.obj --config bake.toml --fail-on warning
  navbake check level.nav --html reports/level.html --sarif reports/level.sarif";

pub(crate) const VIEW: &str = "\
Examples:
  navbake view level.nav --no-open
  navbake view level.obj -o level.html --no-open";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  navbake completions bash
  navbake completions zsh";

pub(crate) const MAN: &str = "\
Examples:
  navbake man --out-dir man/man1";

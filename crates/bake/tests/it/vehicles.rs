//! `[[vehicle]]` as the config reads and writes it.

use navbake_bake::Config;
use navbake_bake::config::FootprintConfig;

const TEXT: &str = "\
[[vehicle]]
name = \"truck\"
turn_radius = 1.5
footprint = { polygon = [[1.0, 0.5], [-1.0, 0.5], [-1.0, -0.5]] }
headings = 16
reverse = { penalty = 3.0 }
";

#[test]
fn a_vehicle_is_read_with_its_defaults_and_comes_back_the_same() {
    let config = Config::parse(TEXT).unwrap().resolved(true).unwrap();
    let [truck] = &config.vehicles[..] else { panic!("{config:?}") };
    assert_eq!((truck.headings, truck.rings, truck.words), (16, 3, 1));
    assert_eq!((truck.window, truck.detour), (None, None));
    let reverse = truck.reverse.as_ref().unwrap();
    assert_eq!((reverse.penalty, reverse.change), (3.0, 0.0));
    assert!(matches!(&truck.footprint, FootprintConfig::Polygon(c) if c.len() == 3));
    let again = Config::from_brief(&config.brief()).unwrap();
    assert_eq!(again.vehicles, config.vehicles);
}

#[test]
fn what_a_vehicle_lacks_or_does_not_have_is_named() {
    let fault = |text: &str| Config::parse(text).unwrap_err().to_string();
    let no_name = fault("[[vehicle]]\nturn_radius = 1.0\nfootprint = { disc = 1.0 }\n");
    assert!(no_name.contains("`name`"), "{no_name}");
    let unknown = fault(&TEXT.replace("headings", "heading"));
    assert!(unknown.contains("line 5") && unknown.contains("`headings`"), "{unknown}");
    let empty = Config::parse(&TEXT.replace("truck", "")).unwrap();
    let empty = empty.resolved(true).unwrap_err().to_string();
    assert!(empty.contains("empty `name`") && empty.contains("line 2"), "{empty}");
}

//! `query fits`: which agents fit where, and how much room there is.

use crate::common::Place;
use serde_json::Value;

/// The floor with a box from -1 to 1, for a slim agent and a broad one.
fn bake(place: &Place) -> &'static str {
    place.floor();
    let config =
        "[[agent]]\nname = \"slim\"\nradius = 0.3\n[[agent]]\nname = \"broad\"\nradius = 0.9\n";
    place.write("bake.toml", config);
    let ran = place.run(&["bake", "floor.obj", "--config", "bake.toml", "-o", "two.nav"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    "two.nav"
}

#[test]
fn who_fits_is_reported_for_every_agent_with_the_room_there_is() {
    let place = Place::new();
    let blob = bake(&place);
    let ask = |at: &str, more: &[&str]| -> Value {
        let line = [&["query", "fits", blob, "--at", at, "--format", "json"], more].concat();
        place.run(&line).json()
    };
    let by_agent = |answer: &Value| -> Vec<(String, bool, Option<f64>)> {
        let agents = answer["agents"].as_array().unwrap().iter();
        let by_agent = agents.map(|a| {
            (
                a["agent"].as_str().unwrap().to_owned(),
                a["fits"].as_bool().unwrap(),
                a["clearance"].as_f64(),
            )
        });
        by_agent.collect()
    };
    // 2 m from the box both fit, and see the same room.
    let wide = ask("-3,0,0", &[]);
    assert_eq!(wide["status"], "fits");
    for (agent, fits, room) in by_agent(&wide) {
        assert!(fits && (room.unwrap() - 2.0).abs() < 0.002, "{agent}: {room:?}");
    }
    // Half a metre from it only the slim one does.
    let tight = by_agent(&ask("-1.5,0,0", &[]));
    assert_eq!((tight[0].1, tight[1].1, tight[1].2), (true, false, None));
    assert!((tight[0].2.unwrap() - 0.5).abs() < 0.002);
    // Would a radius of 0.45 or 0.55 fit there?
    assert!(by_agent(&ask("-1.5,0,0", &["--radius", "0.45"]))[0].1);
    let none = ask("-1.5,0,0", &["--radius", "0.55"]);
    assert_eq!(none["status"], "none");
    // Of the one that is named alone.
    assert_eq!(by_agent(&ask("-3,0,0", &["--agent", "broad"])).len(), 1);
    let text = place.run(&["query", "fits", blob, "--at", "-1.5,0,0"]).out;
    assert!(text.contains("slim: fits; clearance 0.500"), "{text}");
    assert!(text.contains("broad: does not fit"), "{text}");
    let off = ask("90,0,0", &[]);
    assert_eq!(off["status"], "none");
}

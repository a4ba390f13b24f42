//! Worlds: what is placed where, and faults.

use super::*;
use crate::ImportErrorKind;

const FLOOR: &str = "o floor\nv 0 0 0\nv 0 0 2\nv 4 0 2\nv 4 0 0\nf 1 2 3 4\n";

fn folder(world: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("floor.obj"), FLOOR).unwrap();
    let path = folder.path().join("world.toml");
    std::fs::write(&path, world).unwrap();
    (folder, path)
}

fn world(text: &str) -> World {
    let (_folder, path) = folder(text);
    read_world(&path, &ImportOptions::default()).unwrap().world
}

fn error(text: &str) -> String {
    let (_folder, path) = folder(text);
    let error = read_world(&path, &ImportOptions::default()).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::BadInput);
    error.to_string()
}

#[test]
fn a_quarter_turn_takes_x_to_minus_z() {
    let world =
        world("[[place]]\nfile = \"floor.obj\"\ntranslate = [10, 1, 0]\nrotate = 90\nscale = 2\n");
    let scene = world.scene();
    assert_eq!(
        scene.vertices,
        [[10.0, 1.0, 0.0], [14.0, 1.0, 0.0], [14.0, 1.0, -8.0], [10.0, 1.0, -8.0]]
    );
}

#[test]
fn any_angle_is_the_same_as_its_quaternion() {
    let half = 15f64.to_radians();
    let text = format!(
        "[[place]]\nfile = \"floor.obj\"\nrotate = 30\n[[place]]\nfile = \"floor.obj\"\nquaternion = [0, {}, 0, {}]\n",
        half.sin(),
        half.cos()
    );
    let scene = world(&text).scene();
    let (a, b) = scene.vertices.split_at(4);
    for (a, b) in a.as_flattened().iter().zip(b.as_flattened()) {
        assert!((a - b).abs() < 1e-12);
    }
}

#[test]
fn a_file_is_read_once_and_names_are_those_of_the_placement() {
    let text = "[[place]]\nfile = \"floor.obj\"\n[[place]]\nfile = \"floor.obj\"\nname = \"east\"\ntranslate = [4, 0, 0]\n[[place]]\nfile = \"floor.obj\"\ntranslate = [8, 0, 0]\n";
    let world = world(text);
    assert_eq!(world.files().len(), 1);
    let names: Vec<_> = world.parts().iter().map(|part| part.node.clone()).collect();
    assert_eq!(names, ["floor", "east/floor"]);
    assert_eq!(world.parts_of(2), [0]);
    assert_eq!(world.triangle_count(), 6);
}

#[test]
fn what_is_near_is_what_touches_the_rectangle() {
    let mut text = String::new();
    for k in 0..20 {
        text += &format!(
            "[[place]]\nfile = \"floor.obj\"\nrotate = {}\ntranslate = [{}, 0, {}]\n",
            17 * k,
            7 * (k % 5),
            5 * (k / 5)
        );
    }
    let world = world(&text);
    let all = world.scene();
    let corners = |scene: &Scene| -> Vec<_> {
        scene.triangles.iter().map(|t| t.map(|v| scene.vertices[v as usize])).collect()
    };
    for k in 0..30 {
        let low = [f64::from(k) - 4.0, f64::from(k % 7)];
        let bounds = [low, [low[0] + 6.5, low[1] + 3.0]];
        let wanted: Vec<_> = corners(&all).into_iter().filter(|t| touches(*t, bounds)).collect();
        assert_eq!(corners(&world.near(bounds)), wanted);
    }
    let mut each = vec![];
    world.each_triangle(|_, t| each.push(t));
    assert_eq!(each, corners(&all));
    let of_all = |by: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|k| each.iter().flatten().map(|p| p[k]).reduce(by).unwrap())
    };
    assert_eq!(world.bounds(|_| true), Some([of_all(f64::min), of_all(f64::max)]));
    assert_eq!(world.bounds(|_| false), None);
}

#[test]
fn faults_of_a_world_name_line_and_cure() {
    for (text, expected) in [
        ("", "add a [[place]]"),
        ("[[place]]\nname = \"x\"\n", "missing field `file`"),
        ("[[place]]\nfile = \"floor.obj\"\nshift = 1\n", "line 3: unknown field `shift`"),
        ("radius = 0.6\n", "a config is named by --config"),
        ("[[place]]\n\nfile = \"none.obj\"\n", "line 3, place[0]: `none.obj` cannot be read"),
        ("[[place]]\nfile = \"world.toml\"\n", "`world.toml` is a world"),
        ("[[place]]\nfile = \"a.map\"\n", "`a.map` is a MovingAI map"),
        ("[[place]]\nfile = \"a.fbx\"\n", "the extension of `a.fbx` is none of"),
        ("[[place]]\nfile = \"floor.obj\"\nscale = 0\n", "scale is 0; give a number"),
        ("[[place]]\nfile = \"floor.obj\"\nrotate = inf\n", "rotate is inf"),
        ("[[place]]\nfile = \"floor.obj\"\nquaternion = [0,0,0,0]\n", "no rotation"),
        ("[[place]]\nfile = \"floor.obj\"\ntranslate = [nan,0,0]\n", "not three numbers"),
        ("[[place]]\nfile = \"floor.obj\"\nscale = 1e308\n", "placed so far away"),
        ("[[place]]\nfile = \"../floor.obj\"\n", "cannot be read"),
    ] {
        let found = error(text);
        assert!(found.contains(expected), "{text:?}: {found}");
    }
}

#[test]
fn a_placed_file_that_is_there_and_cannot_be_read_is_no_fault_of_the_world() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.toml");
    std::fs::write(&path, "[[place]]\nfile = \"floor.obj\"\n").unwrap();
    let kind = || read_world(&path, &ImportOptions::default()).unwrap_err().kind;
    assert_eq!(kind(), ImportErrorKind::BadInput);
    // Longer than any file that is read, and without a byte on the disk.
    let long = std::fs::File::create(folder.path().join("floor.obj")).unwrap();
    long.set_len(1 << 32).unwrap();
    assert_eq!(kind(), ImportErrorKind::Io);
}

#[test]
fn a_file_outside_of_the_folder_is_read_only_if_allowed() {
    let outer = tempfile::tempdir().unwrap();
    std::fs::write(outer.path().join("floor.obj"), FLOOR).unwrap();
    let inner = outer.path().join("worlds");
    std::fs::create_dir(&inner).unwrap();
    let path = inner.join("world.toml");
    std::fs::write(&path, "[[place]]\nfile = \"../floor.obj\"\n").unwrap();
    let mut options = ImportOptions::default();
    let error = read_world(&path, &options).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::BadInput);
    assert!(error.to_string().contains("--allow-outside"), "{error}");
    options.outside = true;
    assert_eq!(read_world(&path, &options).unwrap().world.triangle_count(), 2);
}

#[test]
fn a_world_as_one_level_keeps_to_the_limit_of_memory() {
    let place = "[[place]]\nfile = \"floor.obj\"\n";
    let (_folder, path) = folder(&place.repeat(200));
    let mut options = ImportOptions { memory: Some(1 << 20), ..ImportOptions::default() };
    let import = crate::read(&path, &options).unwrap();
    assert_eq!(import.files.len(), 2);
    options.memory = Some(40_000);
    let error = crate::read(&path, &options).unwrap_err();
    assert_eq!(error.kind, ImportErrorKind::Budget);
    assert!(error.to_string().contains("--memory"), "{error}");
}

#[test]
fn a_long_world_is_read_in_linear_time() {
    // Counting lines for each placement would take 10^11 steps.
    let place = "[[place]]\nfile = \"floor.obj\"\nname = \"\"\n";
    assert_eq!(world(&place.repeat(100_000)).triangle_count(), 200_000);
}

//! The triangles of a glTF file against the crate `gltf`, which reads accessors by its own code.

use navbake_import::ImportOptions;
use navbake_level::{Scene, Source};

type Corners = [[f64; 3]; 3];

/// The scene as read by `gltf`: every triangle of every node, in metres, y up.
fn read(bytes: &[u8]) -> Vec<Corners> {
    let file = gltf::Gltf::from_slice(bytes).expect("a glTF file");
    let scene = file.default_scene().expect("a scene");
    let mut triangles = vec![];
    let mut open: Vec<(gltf::Node<'_>, [[f64; 4]; 4])> =
        scene.nodes().map(|n| (n, IDENTITY)).collect();
    while let Some((node, above)) = open.pop() {
        let own = node.transform().matrix().map(|column| column.map(f64::from));
        let matrix = product(&above, &own);
        open.extend(node.children().map(|n| (n, matrix)));
        for primitive in node.mesh().iter().flat_map(|m| m.primitives()) {
            let reader = primitive.reader(|_| file.blob.as_deref());
            let places: Vec<[f64; 3]> = reader
                .read_positions()
                .expect("positions")
                .map(|p| placed(&matrix, p.map(f64::from)))
                .collect();
            let corners: Vec<u32> = match reader.read_indices() {
                Some(indices) => indices.into_u32().collect(),
                None => (0..places.len() as u32).collect(),
            };
            // A mirrored node turns its triangles around.
            let order = if mirrors(&matrix) { [0, 2, 1] } else { [0, 1, 2] };
            triangles.extend(corners.chunks_exact(3).map(|t| order.map(|k| places[t[k] as usize])));
        }
    }
    triangles
}

const IDENTITY: [[f64; 4]; 4] =
    [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.], [0., 0., 0., 1.]];

/// Both by columns, as glTF writes them.
fn product(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    b.map(|column| [0, 1, 2, 3].map(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}

/// Is the determinant of the upper left 3 by 3 negative?
fn mirrors(m: &[[f64; 4]; 4]) -> bool {
    let minor = |a: usize, b: usize| m[1][a] * m[2][b] - m[1][b] * m[2][a];
    m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1) < 0.0
}

fn placed(matrix: &[[f64; 4]; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let m = matrix;
    [0, 1, 2].map(|row| m[0][row] * x + m[1][row] * y + m[2][row] * z + m[3][row])
}

/// In an order that neither reader decides, in hundredths of a millimetre.
fn sorted(triangles: &[Corners]) -> Vec<[[i64; 3]; 3]> {
    let whole = |t: &Corners| {
        let mut t = t.map(|p| p.map(|c| (c * 1e5).round() as i64));
        let least = (0..3).min_by_key(|&k| t[k]).unwrap_or(0);
        t.rotate_left(least);
        t
    };
    let mut all: Vec<_> = triangles.iter().map(whole).collect();
    all.sort_unstable();
    all
}

fn triangles(scene: &Scene) -> Vec<Corners> {
    scene.triangles.iter().map(|t| t.map(|v| scene.vertices[v as usize])).collect()
}

#[test]
fn both_readers_find_the_same_triangles() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/gatehouse/gatehouse.glb");
    let theirs = read(&std::fs::read(&path).expect("the fixture"));
    let import = navbake_import::read(&path, &ImportOptions::default()).expect("a level");
    let Source::Scene(scene) = import.source else { panic!("glTF holds triangles") };
    assert_eq!(theirs.len(), 100);
    assert_eq!(sorted(&triangles(&scene)), sorted(&theirs));
}

//! Wavefront OBJ, through tobj.
//!
//! tobj parses numbers and faces, but knows no line continuation, names no lines in its errors,
//! forgets material names whose library is missing and checks positive indices against the vertices
//! before the next object only. So [`text`] first rewrites the file into plain statements for it:
//! all vertices, then all faces in runs that are named by number. [`place`] finds the line when
//! something is wrong. [`face`] triangulates larger faces. Material libraries are not read: only
//! their names matter here.

mod face;
mod place;
mod text;

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use navbake_level::{Source, Warning};

use crate::budget::Budget;
use crate::soup::Soup;
use crate::{Format, Import, ImportError, ImportOptions};
use face::Cutter;
use text::Text;

/// Wavefront OBJ.
pub(crate) const FORMAT: Format =
    Format { name: "Wavefront OBJ", extensions: &["obj"], is_grid: false, read };

fn read(bytes: Vec<u8>, file: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let budget = Budget::new(file, options);
    budget.read(bytes.len() as u64)?;
    let mut soup = Soup::new(file, options);
    let text = Text::rewrite(&bytes, file, |part| soup.part(part))?;
    let models = parse(&text, &bytes, file)?;

    let (mut vertices, mut triangles) = (0u64, 0u64);
    for model in &models {
        vertices += model.mesh.positions.len() as u64 / 3;
        triangles += match &model.mesh.face_arities[..] {
            [] => model.mesh.indices.len() as u64 / 3,
            arities => arities.iter().map(|&n| u64::from(n.max(2) - 2)).sum(),
        };
    }
    soup.reserve(&budget, vertices, triangles)?;

    let mut cut = vec![];
    let mut cutter = Cutter::new(file, &text.polygons);
    for (number, model) in models.into_iter().enumerate() {
        let mesh = model.mesh;
        let position =
            |i: u32| -> [f64; 3] { std::array::from_fn(|k| mesh.positions[3 * i as usize + k]) };
        cut.clear();
        if mesh.face_arities.is_empty() {
            cut.extend(mesh.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]));
        } else {
            let mut rest = &mesh.indices[..];
            for &arity in &mesh.face_arities {
                let (face, behind) = rest.split_at(arity as usize);
                rest = behind;
                if let &[a, b, c] = face {
                    cut.push([a, b, c]);
                    continue;
                }
                let corners: Vec<[f64; 3]> = face.iter().map(|&i| position(i)).collect();
                let pieces = cutter.cut(&corners)?;
                cut.extend(pieces.iter().map(|t| t.map(|k| face[k])));
            }
        }
        let part = model.name.parse().unwrap_or(0);
        let count = mesh.positions.len() as u32 / 3;
        soup.add(part, (0..count).map(position), &cut, false, &|i| {
            place::of_vertex(&text, &bytes, number, i)
        })?;
    }

    let mut warnings = text.warnings(file);
    warnings.extend(cutter.warning());
    let scene = soup.finish(&mut warnings)?;
    if text.suspicious > 0 && !warnings.iter().any(|w| w.code == "nonfinite-vertices") {
        warnings.push(Warning {
            code: "nonfinite-vertices",
            message: format!(
                "{} vertices are not finite numbers; no triangle uses them",
                text.suspicious
            ),
            place: format!("{}, line {}", file.display(), text.first_suspicious).into(),
        });
    }
    let named = text.libraries.iter().map(|name| file.with_file_name(name)).collect();
    let files = vec![PathBuf::from(file)];
    Ok(Import { source: Source::Scene(scene), warnings, files, named })
}

fn parse(text: &Text, bytes: &[u8], file: &Path) -> Result<Vec<tobj::Model>, ImportError> {
    let options = tobj::LoadOptions {
        single_index: false,
        triangulate: false,
        ignore_points: true,
        ignore_lines: true,
    };
    let mut reader = text.vertices.as_slice().chain(text.faces.as_slice());
    let answer = catch_unwind(AssertUnwindSafe(|| {
        tobj::load_obj_buf(&mut reader, &options, |_| Err(tobj::LoadError::GenericFailure))
    }));
    match answer {
        Ok(Ok((models, _))) => Ok(models),
        Ok(Err(error)) => Err(place::of_error(bytes, file, &error.to_string())),
        Err(_) => Err(place::of_error(bytes, file, "the OBJ parser gave up")),
    }
}

//! `navbake export`: the navmesh as a drawing or for other programs.

use crate::args::{Export, ExportKind};
use crate::blob_file;
use crate::draw;
use crate::failure::{Exit, Failure};
use crate::output::{Output, is_dash, write_whole};
use crate::place::{Axes, Coords, UpAxis};
use crate::surface::Surface;

/// Runs it.
pub(crate) fn run(options: &Export, output: Output) -> Result<Exit, Failure> {
    let name = blob_file::name(&options.blob);
    let bytes = blob_file::load(&options.blob)?;
    let blob = blob_file::checked(&bytes, &name)?;
    let mesh = blob_file::mesh_of(&blob, options.agent.as_deref(), &name)?;
    let rooms = blob.rooms(mesh.class());
    let surface = Surface::of(&mesh).with_rooms(rooms.as_ref(), &mesh);
    let axes = blob_file::axes(&blob, options.coords);
    let text = match options.to {
        ExportKind::Obj => draw::obj::write(&surface.in_axes(axes)),
        ExportKind::Svg => {
            // Seen from above, a level whose z is up looks the same as ours: only its units differ.
            let units = Axes {
                up: UpAxis::Y,
                scale: axes.scale,
            };
            let unit = match options.coords {
                Coords::Metres => "m",
                Coords::Input => "units",
            };
            draw::svg::write(&surface.in_axes(units), &name, unit)
        }
        ExportKind::Mesh => draw::polyanya::write(&surface, axes),
    };
    write_whole(&options.output, text.as_bytes())?;
    if !is_dash(&options.output) {
        output.say(format_args!(
            "{}: {} polygons, {} bytes",
            options.output.display(),
            mesh.polygon_count(),
            text.len()
        ));
    }
    Ok(Exit::Done)
}

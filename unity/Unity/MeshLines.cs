using System;
using System.Collections.Generic;
using UnityEngine;

namespace Navbake
{
    /// <summary>A navmesh as lines in Unity's axes: two points a line.</summary>
    public sealed class MeshLines
    {
        /// <summary>Edges without ground beyond them.</summary>
        public Vector3[] Walls { get; }
        /// <summary>Edges between two polygons, each once.</summary>
        public Vector3[] Portals { get; }
        /// <summary>Links, from where they begin to where they end.</summary>
        public Vector3[] Links { get; }

        /// <summary>The lines of a mesh as it is now, raised by some metres.</summary>
        public MeshLines(Mesh mesh, float raised = 0)
        {
            var lift = new Vector3(0, raised, 0);
            var counts = mesh.Counts;
            List<Vector3> walls = new List<Vector3>(), portals = new List<Vector3>();
            var corners = new Point[16];
            var beyond = new uint[16];
            for (uint number = 0; number < counts.Polygons; number++)
            {
                var count = mesh.Polygon(number, corners, beyond).Corners;
                if (count > corners.Length)
                {
                    Array.Resize(ref corners, count);
                    Array.Resize(ref beyond, count);
                    mesh.Polygon(number, corners, beyond);
                }
                for (var k = 0; k < count; k++)
                {
                    var isWall = beyond[k] == Mesh.None;
                    // The polygon with the lesser number draws a portal.
                    if (!isWall && beyond[k] < number)
                        continue;
                    var to = isWall ? walls : portals;
                    to.Add(corners[k].ToVector3() + lift);
                    to.Add(corners[(k + 1) % count].ToVector3() + lift);
                }
            }
            Walls = walls.ToArray();
            Portals = portals.ToArray();
            Links = new Vector3[2 * counts.Links];
            for (uint number = 0; number < counts.Links; number++)
            {
                var link = mesh.Link(number);
                Links[2 * number] = link.From.ToVector3() + lift;
                Links[2 * number + 1] = link.To.ToVector3() + lift;
            }
        }
    }
}

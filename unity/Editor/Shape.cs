using System;
using System.Collections.Generic;

namespace Navbake.Editor
{
    /// <summary>
    /// Triangles of a shape: corners clockwise seen from outside, in left-handed axes.
    /// </summary>
    public sealed class Shape
    {
        /// <summary>x, y and z of each vertex.</summary>
        public float[] Vertices { get; }
        /// <summary>Three numbers of vertices a triangle.</summary>
        public int[] Corners { get; }

        private Shape(float[] vertices, int[] corners)
        {
            Vertices = vertices;
            Corners = corners;
        }

        /// <summary>A box by its middle and its size.</summary>
        public static Shape Box(Point middle, Point size)
        {
            var vertices = new float[24];
            for (var k = 0; k < 8; k++)
            {
                vertices[3 * k] = (float)(middle.X + Side(k, 1) * Math.Abs(size.X));
                vertices[3 * k + 1] = (float)(middle.Y + Side(k, 2) * Math.Abs(size.Y));
                vertices[3 * k + 2] = (float)(middle.Z + Side(k, 4) * Math.Abs(size.Z));
            }
            // Bits of a corner: 1 right, 2 up, 4 away from the viewer.
            return new Shape(vertices, new[]
            {
                2, 6, 7, 2, 7, 3, // up
                0, 1, 5, 0, 5, 4, // down
                0, 2, 3, 0, 3, 1, // towards the viewer
                4, 5, 7, 4, 7, 6, // away
                0, 4, 6, 0, 6, 2, // left
                1, 3, 7, 1, 7, 5, // right
            });
        }

        private static double Side(int corner, int bit) => (corner & bit) != 0 ? 0.5 : -0.5;

        /// <summary>
        /// A capsule, or a sphere where the height is at most twice the radius. Its triangles are
        /// inside of it, by at most 1 % of the radius.
        /// </summary>
        /// <param name="middle">Its middle.</param>
        /// <param name="axis">A unit vector along it.</param>
        /// <param name="radius">Radius, m.</param>
        /// <param name="height">From end to end, m.</param>
        public static Shape Capsule(Point middle, Point axis, double radius, double height)
        {
            const int around = 32, rings = 16;
            // Two unit vectors across the axis: with it a left-handed system like x, y, z.
            var aside = Math.Abs(axis.X) < 0.7 ? new Point(1, 0, 0) : new Point(0, 0, 1);
            var back = Unit(Cross(aside, axis));
            var right = Cross(axis, back);
            var straight = Math.Max(height / 2 - radius, 0);
            var vertices = new List<float>();
            for (var ring = 0; ring <= rings; ring++)
            {
                // From one end to the other; the middle ring is at both ends of the straight part.
                for (var half = 0; half < (ring == rings / 2 && straight > 0 ? 2 : 1); half++)
                {
                    var up = -Math.Cos(Math.PI * ring / rings) * radius;
                    up += ring < rings / 2 || ring == rings / 2 && half == 0 ? -straight : straight;
                    var wide = Math.Sin(Math.PI * ring / rings) * radius;
                    for (var k = 0; k < around; k++)
                    {
                        double a = 2 * Math.PI * k / around;
                        double u = Math.Cos(a) * wide, v = Math.Sin(a) * wide;
                        vertices.Add((float)(middle.X + right.X * u + axis.X * up + back.X * v));
                        vertices.Add((float)(middle.Y + right.Y * u + axis.Y * up + back.Y * v));
                        vertices.Add((float)(middle.Z + right.Z * u + axis.Z * up + back.Z * v));
                    }
                }
            }
            var corners = new List<int>();
            var bands = vertices.Count / 3 / around - 1;
            for (var ring = 0; ring < bands; ring++)
            {
                for (var k = 0; k < around; k++)
                {
                    int a = ring * around + k, b = ring * around + (k + 1) % around;
                    if (ring > 0)
                        corners.AddRange(new[] { a, a + around, b });
                    if (ring + 1 < bands)
                        corners.AddRange(new[] { b, a + around, b + around });
                }
            }
            return new Shape(vertices.ToArray(), corners.ToArray());
        }

        private static Point Cross(Point a, Point b)
            => new Point(a.Y * b.Z - a.Z * b.Y, a.Z * b.X - a.X * b.Z, a.X * b.Y - a.Y * b.X);

        private static Point Unit(Point a)
        {
            var length = Math.Sqrt(a.X * a.X + a.Y * a.Y + a.Z * a.Z);
            return new Point(a.X / length, a.Y / length, a.Z / length);
        }
    }
}

// Tests of what the export writes, without Unity: fronts, shapes, names.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Navbake;
using Navbake.Editor;
using static Tests;

internal static class Exports
{
    internal static void All()
    {
        Run("fronts stay on top under every turn, scale and mirror", Fronts);
        Run("shapes are closed, with their fronts outside", Shapes);
        Run("names, materials and numbers are written as they are read", Names);
        Run("faces without a vertex are refused", Faults);
    }

    /// <summary>The faces of an OBJ, as the corners of each.</summary>
    internal static List<Point[]> Faces(string obj)
    {
        var vertices = new List<Point>();
        var faces = new List<Point[]>();
        foreach (var line in obj.Split('\n'))
        {
            var words = line.Split(' ');
            if (words[0] == "v")
            {
                var at = words.Skip(1).Select(one => double.Parse(one,
                    CultureInfo.InvariantCulture)).ToArray();
                vertices.Add(new Point(at[0], at[1], at[2]));
            }
            else if (words[0] == "f")
                faces.Add(words.Skip(1).Select(one => vertices[int.Parse(one) - 1]).ToArray());
        }
        return faces;
    }

    private static string Written(Action<LevelWriter> write)
    {
        var text = new StringWriter();
        write(new LevelWriter(text));
        return text.ToString();
    }

    /// <summary>Six times the volume below a triangle, from the origin.</summary>
    private static double Volume(Point a, Point b, Point c)
        => a.X * (b.Y * c.Z - b.Z * c.Y) + a.Y * (b.Z * c.X - b.X * c.Z)
            + a.Z * (b.X * c.Y - b.Y * c.X);

    /// <summary>Twice the area seen from above: positive where corners of a right-handed triangle
    /// go around counter-clockwise.</summary>
    private static double Area(Point[] t)
        => (t[1].Z - t[0].Z) * (t[2].X - t[0].X) - (t[1].X - t[0].X) * (t[2].Z - t[0].Z);

    private static void Fronts()
    {
        // As Unity's Quad on the ground: clockwise seen from above, with z away.
        var floor = new[] { 0f, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0 };
        // Columns are where the axes go. A mirrored part keeps its front in Unity: what is up
        // stays up where y stays up.
        double c = Math.Cos(0.5), s = Math.Sin(0.5);
        var cases = new[]
        {
            new { At = Placement.None, Up = true, Area = 2.0 },
            new { At = Placement.At(5, 6, 7), Up = true, Area = 2.0 },
            new { At = Rows(c, 0, s, 0, 1, 0, -s, 0, c), Up = true, Area = 2.0 },
            new { At = Rows(2, 0, 0, 0, 3, 0, 0, 0, 5), Up = true, Area = 20.0 },
            new { At = Rows(-2, 0, 0, 0, 3, 0, 0, 0, 5), Up = true, Area = 20.0 },
            new { At = Rows(1, 0, 0, 0, 1, 0, 0, 0, -1), Up = true, Area = 2.0 },
            new { At = Rows(-1, 0, 0, 0, 1, 0, 0, 0, -1), Up = true, Area = 2.0 },
            // About x: half a turn, a third of one, and a small one of a mirrored part.
            new { At = Rows(1, 0, 0, 0, -1, 0, 0, 0, -1), Up = false, Area = 2.0 },
            new { At = Rows(1, 0, 0, 0, c, -s, 0, s, c), Up = true, Area = 2 * c },
            new { At = Rows(-1, 0, 0, 0, c, -s, 0, s, c), Up = true, Area = 2 * c },
            // Upside down as a mirror: Unity turns the front with the part.
            new { At = Rows(1, 0, 0, 0, -1, 0, 0, 0, 1), Up = false, Area = 2.0 },
        };
        foreach (var one in cases)
        {
            foreach (var each in new[] { 3, 4 })
            {
                var faces = Faces(Written(to =>
                {
                    to.Begin("floor", one.At, floor);
                    to.Add("", each == 4 ? new[] { 0, 1, 2, 3 } : new[] { 0, 1, 2, 0, 2, 3 }, each);
                }));
                Equal(faces.Count, each == 4 ? 1 : 2, "faces");
                var sum = faces.Sum(face => each == 4 ? 2 * Area(face) : Area(face));
                True(Math.Abs(sum - (one.Up ? one.Area : -one.Area)) < 1e-5,
                    one + ": " + sum);
            }
        }
        var corner = Faces(Written(to =>
        {
            to.Begin("floor", Rows(0, 0, 2, 0, 3, 0, -1, 0, 0),
                new[] { 1f, 2, 3, 0, 0, 0, 4, 5, 6 });
            to.Add("", new[] { 0, 1, 2 });
        })).Single().Last();
        Equal(corner, new Point(6, 6, 1), "a corner that is turned, scaled and z negated");
    }

    private static Placement Rows(double xx, double xy, double xz, double yx, double yy,
        double yz, double zx, double zy, double zz)
        => new Placement(xx, xy, xz, 0, yx, yy, yz, 0, zx, zy, zz, 0);

    private static void Shapes()
    {
        var (middle, slanted) = (new Point(1, 2, 3), new Point(0.6, 0, 0.8));
        var up = new Point(0, 1, 0);
        Check(Shape.Box(middle, new Point(2, 3, -4)), 24, 1e-4);
        Check(Shape.Capsule(middle, up, 2, 0), 4 / 3.0 * Math.PI * 8, 0.02);
        Check(Shape.Capsule(middle, slanted, 2, 4), 4 / 3.0 * Math.PI * 8, 0.02);
        Check(Shape.Capsule(middle, slanted, 2, 10), Math.PI * (32 / 3.0 + 24), 0.02);
        Check(Shape.Capsule(middle, new Point(1, 0, 0), 2, 10), Math.PI * (32 / 3.0 + 24), 0.02);
        var high = Faces(Written(to =>
        {
            to.Begin("mast", Placement.None, Shape.Capsule(middle, up, 0.5, 6).Vertices);
            to.Add("", Shape.Capsule(middle, up, 0.5, 6).Corners);
        })).SelectMany(face => face).ToList();
        True(Math.Abs(high.Max(p => p.Y) - 5) < 1e-5, "top");
        True(Math.Abs(high.Min(p => p.Y) + 1) < 1e-5, "bottom");
        True(Math.Abs(high.Max(p => p.X) - 1.5) < 1e-5, "side");
    }

    private static void Check(Shape shape, double volume, double share)
    {
        var faces = Faces(Written(to =>
        {
            to.Begin("shape", Placement.None, shape.Vertices);
            to.Add("", shape.Corners);
        }));
        var sum = faces.Sum(t => Volume(t[0], t[1], t[2])) / 6;
        True(Math.Abs(sum - volume) <= share * volume, sum + " m3, expected " + volume);
        // Closed: each side has its twin in the other direction.
        var sides = new HashSet<string>();
        foreach (var face in faces)
        {
            for (var k = 0; k < 3; k++)
            {
                if (!face[k].Equals(face[(k + 1) % 3]))
                    True(sides.Add(face[k] + ">" + face[(k + 1) % 3]), "a side twice");
            }
        }
        foreach (var side in sides)
            True(sides.Contains(string.Join(">", side.Split('>').Reverse())), "open at " + side);
    }

    private static void Names()
    {
        var before = CultureInfo.CurrentCulture;
        CultureInfo.CurrentCulture = new CultureInfo("de-DE");
        try
        {
            var text = Written(to =>
            {
                to.Begin("Town/the \"old\"\nhouse", Placement.At(0.25, 0, 0), new float[9]);
                to.Add("mud", new[] { 0, 1, 2 });
                to.Add("mud", new[] { 2, 1, 0 });
                to.Add("", new[] { 0, 1, 2 });
                to.Begin("next", Placement.None, new float[9]);
                to.Add("", new[] { 0, 1, 2 });
                Equal(to.Parts, 2, "parts");
                Equal(to.Faces, 4L, "faces");
            });
            var lines = string.Join("|", text.Split('\n').Skip(1));
            const string zeros = "v 0 0 0|v 0 0 0|v 0 0 0";
            Equal(lines, "o Town/the \"old\" house|" + zeros.Replace("v 0 ", "v 0.25 ")
                + "|usemtl mud|f 3 2 1|f 1 2 3|usemtl |f 3 2 1|o next|" + zeros
                + "|usemtl |f 6 5 4|", "lines");
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    private static void Faults()
    {
        Written(to =>
        {
            to.Begin("a", Placement.None, new float[9]);
            Throws<ArgumentOutOfRangeException>(() => to.Add("", new[] { 0, 1, 3 }));
            Throws<ArgumentOutOfRangeException>(() => to.Add("", new[] { 0, 1, -1 }));
            Throws<ArgumentException>(() => to.Add("", new[] { 0, 1 }));
            Throws<ArgumentException>(() => to.Begin("b", Placement.None, new float[8]));
        });
    }
}

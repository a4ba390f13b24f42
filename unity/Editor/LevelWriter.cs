using System;
using System.Globalization;
using System.IO;
using System.Text;

namespace Navbake.Editor
{
    /// <summary>
    /// Writes parts of a level as an OBJ that <c>navbake bake</c> reads. It takes parts as Unity
    /// has them: left-handed, y up, corners clockwise seen from the front. The file is right-handed
    /// with corners counter-clockwise: z is negated, and the order of corners is turned around.
    /// </summary>
    public sealed class LevelWriter
    {
        private readonly TextWriter to;
        private bool mirrors;
        private string material;
        private long first;
        private long next = 1;

        /// <summary>A writer; the caller disposes of <paramref name="to"/>.</summary>
        public LevelWriter(TextWriter to)
        {
            this.to = to;
            to.Write("# Right-handed, y up, metres; written by the Unity package of navbake.\n");
        }

        /// <summary>How many parts were written.</summary>
        public int Parts { get; private set; }

        /// <summary>How many faces were written.</summary>
        public long Faces { get; private set; }

        /// <summary>
        /// Begins a part. Rules of a config find it by its path of names joined by <c>/</c>.
        /// </summary>
        /// <param name="path">E.g. <c>Town/House/Floor</c>.</param>
        /// <param name="at">From its own space to the world.</param>
        /// <param name="vertices">x, y and z of each vertex, in its own space.</param>
        public void Begin(string path, Placement at, float[] vertices)
        {
            if (vertices.Length % 3 != 0)
                throw new ArgumentException("not three numbers a vertex", nameof(vertices));
            mirrors = at.Mirrors;
            material = null;
            first = next;
            next += vertices.Length / 3;
            Parts++;
            to.Write("o " + Name(path) + "\n");
            var line = new StringBuilder();
            for (var k = 0; k < vertices.Length; k += 3)
            {
                var point = at.Place(vertices[k], vertices[k + 1], vertices[k + 2]);
                line.Length = 0;
                line.Append('v');
                Append(line, point.X);
                Append(line, point.Y);
                Append(line, -point.Z);
                to.Write(line.Append('\n'));
            }
        }

        /// <summary>Writes faces of the part.</summary>
        /// <param name="material">Rules find it by this name; it may be empty.</param>
        /// <param name="corners">Numbers of vertices of the part.</param>
        /// <param name="each">Corners of a face, 3 or 4.</param>
        public void Add(string material, int[] corners, int each = 3)
        {
            if (corners.Length == 0)
                return;
            if (corners.Length % each != 0)
                throw new ArgumentException("not " + each + " corners a face", nameof(corners));
            if (this.material != material)
                to.Write("usemtl " + Name(material) + "\n");
            this.material = material;
            var line = new StringBuilder();
            for (var k = 0; k < corners.Length; k += each)
            {
                line.Length = 0;
                line.Append('f');
                for (var n = 0; n < each; n++)
                {
                    var corner = first + corners[k + (mirrors ? n : each - 1 - n)];
                    if (corner < first || corner >= next)
                        throw new ArgumentOutOfRangeException(nameof(corners),
                            "no vertex " + (corner - first) + " in the part");
                    line.Append(' ').Append(corner);
                }
                to.Write(line.Append('\n'));
            }
            Faces += corners.Length / each;
        }

        /// <summary>To a micrometre: the numbers of Unity have less to give.</summary>
        private static void Append(StringBuilder line, double value)
        {
            line.Append(' ').Append(value.ToString("0.######", CultureInfo.InvariantCulture));
        }

        /// <summary>A name ends with its line.</summary>
        private static string Name(string name)
            => name.Replace('\r', ' ').Replace('\n', ' ');
    }
}

using System;
using System.Collections.Generic;

namespace Navbake.Editor
{
    /// <summary>
    /// A terrain as triangles: two between four samples, cut from the sample with the least x and
    /// z to the one with the greatest.
    /// </summary>
    public sealed class Heights
    {
        /// <summary>From sample to sample along x, m.</summary>
        public double SpacingX;
        /// <summary>From sample to sample along z, m.</summary>
        public double SpacingZ;
        /// <summary>The height of a sample of 1, m.</summary>
        public double Scale;
        /// <summary>The samples, by row and column: z, then x.</summary>
        public float[,] Samples;
        /// <summary>Is there ground between samples? By row and column of the least; null: all.
        /// </summary>
        public bool[,] Ground;
        /// <summary>The materials of a row of squares; null: none.</summary>
        public Func<int, string[]> Materials;

        /// <summary>Writes the terrain as a part.</summary>
        public void Write(LevelWriter to, string path, Placement at)
        {
            int rows = Samples.GetLength(0), columns = Samples.GetLength(1);
            var vertices = new float[3 * rows * columns];
            for (int row = 0, k = 0; row < rows; row++)
            {
                for (var column = 0; column < columns; column++)
                {
                    vertices[k++] = (float)(column * SpacingX);
                    vertices[k++] = (float)(Samples[row, column] * Scale);
                    vertices[k++] = (float)(row * SpacingZ);
                }
            }
            to.Begin(path, at, vertices);
            for (var row = 0; row + 1 < rows; row++)
            {
                var materials = Materials?.Invoke(row);
                var faces = new SortedDictionary<string, List<int>>(StringComparer.Ordinal);
                for (var column = 0; column + 1 < columns; column++)
                {
                    if (Ground != null && !Ground[row, column])
                        continue;
                    var material = materials?[column] ?? "";
                    if (!faces.TryGetValue(material, out var corners))
                        faces.Add(material, corners = new List<int>());
                    int a = row * columns + column, b = a + columns;
                    corners.AddRange(new[] { a, b, b + 1, a, b + 1, a + 1 });
                }
                foreach (var one in faces)
                    to.Add(one.Key, one.Value.ToArray());
            }
        }
    }
}

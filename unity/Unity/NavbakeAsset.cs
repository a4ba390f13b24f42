using System;
using System.Globalization;
using System.Text;
using UnityEngine;

namespace Navbake
{
    /// <summary>A baked level: what the Editor makes of a file <c>.navbake</c>.</summary>
    [PreferBinarySerialization]
    public sealed class NavbakeAsset : ScriptableObject
    {
        [SerializeField, HideInInspector] private byte[] bytes;
        [SerializeField, TextArea(3, 12)] private string summary;

        /// <summary>The bytes of the file, not a copy: leave them as they are.</summary>
        public byte[] Bytes => bytes;

        /// <summary>Agents with their counts, switches and markers, a line each.</summary>
        public string Summary => summary;

        /// <summary>Opens the level. Dispose it.</summary>
        /// <exception cref="NavbakeException">The bytes are no blob of this version.</exception>
        public Level Open() => new Level(bytes ?? Array.Empty<byte>());

        /// <summary>Takes a blob once all of its bytes were checked.</summary>
        /// <exception cref="NavbakeException">The bytes are no blob; the asset stays as it was.
        /// </exception>
        public void Read(byte[] blob)
        {
            using (var level = new Level(blob))
                summary = Describe(level);
            bytes = blob;
        }

        private static string Describe(Level level)
        {
            var text = new StringBuilder();
            foreach (var agent in level.Agents)
            {
                using (var mesh = level.Mesh(agent.Name))
                {
                    var counts = mesh.Counts;
                    text.AppendFormat(CultureInfo.InvariantCulture,
                        "agent {0}, radius {1} m, height {2} m: {3} polygons, {4} links, "
                        + "{5} islands, {6} rooms\n", agent.Name, agent.Radius, agent.Height,
                        counts.Polygons, counts.Links, counts.Islands, counts.Rooms);
                }
            }
            foreach (var one in level.Switches)
                text.Append("switch ").Append(one.Name).Append(one.Closed ? ", closed\n" : "\n");
            foreach (var marker in level.Markers)
                text.Append("marker ").Append(marker.Name).Append(' ')
                    .Append(marker.Position.ToVector3()).Append('\n');
            return text.ToString();
        }
    }
}

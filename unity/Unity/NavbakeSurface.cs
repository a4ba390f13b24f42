using System;
using UnityEngine;

namespace Navbake
{
    /// <summary>
    /// Holds the level and the navmesh of an asset in a scene, and draws the navmesh in the Editor
    /// while it is selected. The navmesh is in world space, whatever the transform is.
    /// </summary>
    [AddComponentMenu("Navigation/Navbake Surface"), DisallowMultipleComponent]
    public sealed class NavbakeSurface : MonoBehaviour
    {
        /// <summary>How far the lines are above the navmesh, so that ground does not hide them, m.
        /// </summary>
        private const float Raised = 0.1f;

        [SerializeField] private NavbakeAsset asset;
        [SerializeField, Tooltip("Name of an agent of the file; empty: its first")]
        private string agent = "";

        private Level level;
        private Mesh mesh;
        private MeshLines lines;
        private byte[] drawn;

        /// <summary>The asset. Another one closes what is open.</summary>
        public NavbakeAsset Asset
        {
            get => asset;
            set
            {
                Close();
                asset = value;
            }
        }

        /// <summary>The name of the agent, empty for the first. Another one closes what is open.
        /// </summary>
        public string Agent
        {
            get => agent;
            set
            {
                Close();
                agent = value;
            }
        }

        /// <summary>The level, opened at the first call.</summary>
        /// <exception cref="InvalidOperationException">There is no asset.</exception>
        public Level Level
        {
            get
            {
                if (level != null)
                    return level;
                if (asset == null)
                    throw new InvalidOperationException("the surface `" + name
                        + "` has no asset: drag a .navbake file onto it");
                return level = asset.Open();
            }
        }

        /// <summary>
        /// The navmesh of the agent, opened at the first call, with switches, costs and obstacles
        /// of its own: until <see cref="Close"/>, or until the component is destroyed.
        /// </summary>
        /// <exception cref="ArgumentException">The file has no such agent.</exception>
        public Mesh Mesh => mesh ?? (mesh = MeshOf(Level));

        /// <summary>Disposes the level and the mesh. They open again when they are asked for.
        /// </summary>
        public void Close()
        {
            mesh?.Dispose();
            level?.Dispose();
            mesh = null;
            level = null;
            Redraw();
        }

        /// <summary>Draws the navmesh anew: call it after changes by obstacles.</summary>
        public void Redraw()
        {
            lines = null;
            drawn = null;
        }

        private Mesh MeshOf(Level from) => from.Mesh(string.IsNullOrEmpty(agent) ? null : agent);

        private void OnDestroy() => Close();

        private void OnValidate() => Redraw();

        private void OnDrawGizmosSelected()
        {
            if (asset == null || asset.Bytes == null)
                return;
            // Importing the file again gives the asset other bytes. What fails is tried once.
            if (drawn != asset.Bytes)
            {
                lines = null;
                drawn = asset.Bytes;
                lines = Lines();
            }
            if (lines == null)
                return;
            Draw(lines.Portals, new Color(0.2f, 0.6f, 1f, 0.45f));
            Draw(lines.Walls, new Color(0f, 0.25f, 0.8f, 1f));
            Draw(lines.Links, new Color(1f, 0.75f, 0f, 1f));
        }

        private MeshLines Lines()
        {
            if (mesh != null)
                return new MeshLines(mesh, Raised);
            using (var opened = asset.Open())
            using (var own = MeshOf(opened))
                return new MeshLines(own, Raised);
        }

        private static void Draw(Vector3[] ends, Color colour)
        {
            Gizmos.color = colour;
            for (var k = 0; k + 1 < ends.Length; k += 2)
                Gizmos.DrawLine(ends[k], ends[k + 1]);
        }
    }
}

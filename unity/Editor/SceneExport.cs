using System;
using System.Collections.Generic;
using System.Linq;
using Unity.Collections;
using UnityEditor;
using UnityEngine;
using UnityEngine.SceneManagement;
using Object = UnityEngine.Object;

namespace Navbake.Editor
{
    /// <summary>The geometry of a scene that an export writes.</summary>
    public enum Geometry
    {
        /// <summary>Visible: mesh renderers, the finest level of detail, and terrains.
        /// </summary>
        Meshes,
        /// <summary>Solid: colliders that are no triggers.</summary>
        Colliders,
    }

    /// <summary>
    /// Writes the static objects of the loaded scenes. A part has the path of its object as its
    /// name, and the materials of its renderer, its collider or its terrain layers.
    /// </summary>
    public sealed class SceneExport
    {
        private readonly LevelWriter to;
        private readonly Geometry geometry;
        private readonly HashSet<Renderer> coarse = new HashSet<Renderer>();
        private int movable;
        private readonly List<string> leftOut = new List<string>();

        private SceneExport(LevelWriter to, Geometry geometry)
        {
            this.to = to;
            this.geometry = geometry;
        }

        /// <summary>Writes the scenes that are loaded.</summary>
        /// <returns>What was written and what was left out, for people.</returns>
        /// <exception cref="InvalidOperationException">There is nothing to write.</exception>
        public static string Write(LevelWriter to, Geometry geometry)
        {
            var export = new SceneExport(to, geometry);
            for (var k = 0; k < SceneManager.sceneCount; k++)
            {
                var scene = SceneManager.GetSceneAt(k);
                if (!scene.isLoaded)
                    continue;
                foreach (var root in scene.GetRootGameObjects())
                    export.Walk(root.transform, root.name);
            }
            var what = geometry == Geometry.Meshes ? "mesh renderers" : "colliders";
            if (to.Faces == 0)
                throw new InvalidOperationException("no active static object of the scene has "
                    + what + "; tick Static in the inspector of ground and walls ("
                    + export.movable + " objects with " + what + " are not static)");
            var report = to.Parts + " parts, " + to.Faces + " faces";
            if (export.movable > 0)
                report += "; " + export.movable + " objects left out that are not static";
            if (export.leftOut.Count > 0)
                report += "; left out: " + string.Join(", ", export.leftOut);
            return report;
        }

        private void Walk(Transform at, string path)
        {
            var own = at.gameObject;
            if (!own.activeInHierarchy)
                return;
            foreach (var group in own.GetComponents<LODGroup>())
            {
                var levels = Array.ConvertAll(group.GetLODs(),
                    level => level.renderers ?? Array.Empty<Renderer>());
                coarse.UnionWith(levels.Skip(1).SelectMany(one => one));
                coarse.ExceptWith(levels.Take(1).SelectMany(one => one));
            }
            var parts = geometry == Geometry.Meshes ? Meshes(own, path) : Colliders(own, path);
            if (own.isStatic)
                parts.ForEach(part => part());
            else if (parts.Count > 0)
                movable++;
            for (var k = 0; k < at.childCount; k++)
                Walk(at.GetChild(k), path + "/" + at.GetChild(k).name);
        }

        private List<Action> Meshes(GameObject own, string path)
        {
            var parts = new List<Action>();
            var renderer = own.GetComponent<MeshRenderer>();
            var filter = own.GetComponent<MeshFilter>();
            if (renderer != null && renderer.enabled && !coarse.Contains(renderer)
                && filter != null && filter.sharedMesh != null)
                parts.Add(() => WriteMesh(path, own.transform, filter.sharedMesh,
                    Array.ConvertAll(renderer.sharedMaterials, Name)));
            var terrain = own.GetComponent<Terrain>();
            if (terrain != null && terrain.enabled && terrain.terrainData != null)
                parts.Add(() => WriteTerrain(path, terrain.GetPosition(), terrain.terrainData));
            return parts;
        }

        private List<Action> Colliders(GameObject own, string path)
        {
            var parts = new List<Action>();
            foreach (var collider in own.GetComponents<Collider>())
            {
                if (collider.enabled && !collider.isTrigger)
                    parts.Add(() => WriteCollider(path, own.transform, collider));
            }
            return parts;
        }

        private void WriteCollider(string path, Transform at, Collider collider)
        {
            var material = Name(collider.sharedMaterial);
            var lossy = at.lossyScale;
            var scale = new[] { Math.Abs(lossy.x), Math.Abs(lossy.y), Math.Abs(lossy.z) };
            if (collider is MeshCollider mesh)
            {
                if (mesh.sharedMesh != null)
                    WriteMesh(path, at, mesh.sharedMesh, new[] { material });
            }
            else if (collider is BoxCollider box)
                WriteShape(path, Of(at.localToWorldMatrix), material,
                    Shape.Box(Of(box.center), Of(box.size)));
            else if (collider is SphereCollider sphere)
                WriteRound(path, at, sphere.center, 1, sphere.radius * scale.Max(), 0, material);
            else if (collider is CapsuleCollider capsule)
            {
                var along = capsule.direction;
                var across = Math.Max(scale[(along + 1) % 3], scale[(along + 2) % 3]);
                WriteRound(path, at, capsule.center, along, capsule.radius * across,
                    capsule.height * scale[along], material);
            }
            else if (collider is TerrainCollider terrain)
            {
                if (terrain.terrainData != null)
                    WriteTerrain(path, at.position, terrain.terrainData);
            }
            else
                leftOut.Add(path + " (" + collider.GetType().Name + ")");
        }

        /// <summary>A sphere or a capsule, which no scale makes oval.</summary>
        private void WriteRound(string path, Transform at, Vector3 centre, int direction,
            float radius, float height, string material)
        {
            var axis = new Vector3(direction == 0 ? 1 : 0, direction == 1 ? 1 : 0,
                direction == 2 ? 1 : 0);
            var middle = Of(at.localToWorldMatrix).Place(centre.x, centre.y, centre.z);
            WriteShape(path, Placement.None, material,
                Shape.Capsule(middle, Of(at.TransformDirection(axis)), radius, height));
        }

        private void WriteShape(string path, Placement at, string material, Shape shape)
        {
            to.Begin(path, at, shape.Vertices);
            to.Add(material, shape.Corners);
        }

        private void WriteMesh(string path, Transform at, UnityEngine.Mesh mesh,
            string[] materials)
        {
            // Also of meshes without Read/Write.
            using (var read = MeshUtility.AcquireReadOnlyMeshData(mesh))
            {
                var data = read[0];
                using (var places = new NativeArray<Vector3>(data.vertexCount, Allocator.Temp))
                {
                    data.GetVertices(places);
                    to.Begin(path, Of(at.localToWorldMatrix), Flatten(places.ToArray()));
                }
                for (var k = 0; k < data.subMeshCount; k++)
                {
                    var part = data.GetSubMesh(k);
                    var each = part.topology == MeshTopology.Triangles ? 3
                        : part.topology == MeshTopology.Quads ? 4 : 0;
                    if (each == 0)
                        continue;
                    using (var corners = new NativeArray<int>(part.indexCount, Allocator.Temp))
                    {
                        data.GetIndices(corners, k);
                        // The last material is that of all further parts.
                        var material = materials.Length == 0 ? ""
                            : materials[Math.Min(k, materials.Length - 1)];
                        to.Add(material, corners.ToArray(), each);
                    }
                }
            }
        }

        private void WriteTerrain(string path, Vector3 at, TerrainData data)
        {
            var samples = data.heightmapResolution;
            var squares = samples - 1;
            var layers = Array.ConvertAll(data.terrainLayers, Name);
            var heights = new Heights
            {
                SpacingX = data.size.x / squares,
                SpacingZ = data.size.z / squares,
                Scale = data.size.y,
                Samples = data.GetHeights(0, 0, samples, samples),
                Ground = data.GetHoles(0, 0, squares, squares),
            };
            if (layers.Length > 0)
                heights.Materials = row => Strongest(data, layers, row, squares);
            heights.Write(to, path, Placement.At(at.x, at.y, at.z));
        }

        /// <summary>The layer with the greatest weight in the middle of each square of a row.
        /// </summary>
        private static string[] Strongest(TerrainData data, string[] layers, int row, int squares)
        {
            var texels = data.alphamapResolution;
            Func<int, int> texel = square => (int)((square + 0.5) / squares * texels);
            var weights = data.GetAlphamaps(0, texel(row), texels, 1);
            var strongest = new string[squares];
            for (var column = 0; column < squares; column++)
            {
                var (at, best) = (texel(column), 0);
                for (var layer = 1; layer < weights.GetLength(2); layer++)
                {
                    if (weights[0, at, layer] > weights[0, at, best])
                        best = layer;
                }
                strongest[column] = layers[best];
            }
            return strongest;
        }

        private static string Name(Object named) => named == null ? "" : named.name;

        private static Point Of(Vector3 vector) => new Point(vector.x, vector.y, vector.z);

        private static Placement Of(Matrix4x4 m)
            => new Placement(m.m00, m.m01, m.m02, m.m03, m.m10, m.m11, m.m12, m.m13,
                m.m20, m.m21, m.m22, m.m23);

        private static float[] Flatten(Vector3[] places)
        {
            var numbers = new float[3 * places.Length];
            for (var k = 0; k < places.Length; k++)
            {
                numbers[3 * k] = places[k].x;
                numbers[3 * k + 1] = places[k].y;
                numbers[3 * k + 2] = places[k].z;
            }
            return numbers;
        }
    }
}

// Meshes, colliders and terrains of UnityEngine, as in Engine.cs.
using System;
using System.Collections.Generic;
using System.Linq;
using Unity.Collections;

namespace Unity.Collections
{
    public enum Allocator
    {
        Temp = 2,
    }

    public struct NativeArray<T> : IDisposable where T : struct
    {
        public readonly T[] StubItems;

        public NativeArray(int length, Allocator allocator)
        {
            StubItems = new T[length];
        }

        public T[] ToArray() => (T[])StubItems.Clone();

        public void Dispose()
        {
        }
    }
}

namespace UnityEngine.Rendering
{
    public struct SubMeshDescriptor
    {
        public int indexCount { get; set; }
        public MeshTopology topology { get; set; }
    }
}

namespace UnityEngine
{
    public enum MeshTopology
    {
        Triangles = 0,
        Quads = 2,
        Lines = 3,
    }

    public sealed class Mesh : Object
    {
        public Vector3[] StubVertices;
        public readonly List<int[]> StubCorners = new List<int[]>();
        public readonly List<MeshTopology> StubTopologies = new List<MeshTopology>();

        public struct MeshDataArray : IDisposable
        {
            public Mesh StubMesh;

            public MeshData this[int index] => new MeshData { StubMesh = StubMesh };

            public void Dispose()
            {
            }
        }

        public struct MeshData
        {
            public Mesh StubMesh;

            public int vertexCount => StubMesh.StubVertices.Length;

            public int subMeshCount => StubMesh.StubCorners.Count;

            public void GetVertices(NativeArray<Vector3> outVertices)
                => StubMesh.StubVertices.CopyTo(outVertices.StubItems, 0);

            public Rendering.SubMeshDescriptor GetSubMesh(int index)
                => new Rendering.SubMeshDescriptor
                {
                    indexCount = StubMesh.StubCorners[index].Length,
                    topology = StubMesh.StubTopologies[index],
                };

            public void GetIndices(NativeArray<int> outIndices, int submesh,
                bool applyBaseVertex = true)
                => StubMesh.StubCorners[submesh].CopyTo(outIndices.StubItems, 0);
        }
    }

    public class Material : Object
    {
    }

    public class PhysicMaterial : Object
    {
    }

    public class Renderer : Component
    {
        public bool enabled { get; set; } = true;
        public Material[] sharedMaterials { get; set; } = new Material[0];
    }

    public class MeshRenderer : Renderer
    {
    }

    public sealed class MeshFilter : Component
    {
        public Mesh sharedMesh { get; set; }
    }

    public struct LOD
    {
        public Renderer[] renderers;
    }

    public class LODGroup : Component
    {
        public LOD[] StubLevels;

        public LOD[] GetLODs() => StubLevels;
    }

    public class Collider : Component
    {
        public bool enabled { get; set; } = true;
        public bool isTrigger { get; set; }
        public PhysicMaterial sharedMaterial { get; set; }
    }

    public class MeshCollider : Collider
    {
        public Mesh sharedMesh { get; set; }
    }

    public class BoxCollider : Collider
    {
        public Vector3 center { get; set; }
        public Vector3 size { get; set; }
    }

    public class SphereCollider : Collider
    {
        public Vector3 center { get; set; }
        public float radius { get; set; }
    }

    public class CapsuleCollider : Collider
    {
        public Vector3 center { get; set; }
        public float radius { get; set; }
        public float height { get; set; }
        public int direction { get; set; }
    }

    public class WheelCollider : Collider
    {
    }

    public class TerrainCollider : Collider
    {
        public TerrainData terrainData { get; set; }
    }

    public sealed class TerrainLayer : Object
    {
    }

    public sealed class TerrainData : Object
    {
        public float[,] StubHeights;
        public bool[,] StubHoles;
        public float[,,] StubWeights;

        public int heightmapResolution => StubHeights.GetLength(0);

        public Vector3 size { get; set; }

        public TerrainLayer[] terrainLayers { get; set; } = new TerrainLayer[0];

        public int alphamapResolution => StubWeights.GetLength(0);

        public float[,] GetHeights(int xBase, int yBase, int width, int height)
            => (float[,])StubHeights.Clone();

        public bool[,] GetHoles(int xBase, int yBase, int width, int height)
            => (bool[,])StubHoles.Clone();

        public float[,,] GetAlphamaps(int x, int y, int width, int height)
        {
            var layers = StubWeights.GetLength(2);
            var part = new float[height, width, layers];
            foreach (var k in Enumerable.Range(0, height * width * layers))
            {
                var (row, column, layer) = (k / layers / width, k / layers % width, k % layers);
                part[row, column, layer] = StubWeights[y + row, x + column, layer];
            }
            return part;
        }
    }

    public sealed class Terrain : Behaviour
    {
        public TerrainData terrainData { get; set; }

        public Vector3 GetPosition() => gameObject.transform.position;
    }
}

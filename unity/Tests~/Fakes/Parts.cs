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
        public readonly T[] FakeItems;

        public NativeArray(int length, Allocator allocator)
        {
            FakeItems = new T[length];
        }

        public T[] ToArray() => (T[])FakeItems.Clone();

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
        public Vector3[] FakeVertices;
        public readonly List<int[]> FakeCorners = new List<int[]>();
        public readonly List<MeshTopology> FakeTopologies = new List<MeshTopology>();

        public struct MeshDataArray : IDisposable
        {
            public Mesh FakeMesh;

            public MeshData this[int index] => new MeshData { FakeMesh = FakeMesh };

            public void Dispose()
            {
            }
        }

        public struct MeshData
        {
            public Mesh FakeMesh;

            public int vertexCount => FakeMesh.FakeVertices.Length;

            public int subMeshCount => FakeMesh.FakeCorners.Count;

            public void GetVertices(NativeArray<Vector3> outVertices)
                => FakeMesh.FakeVertices.CopyTo(outVertices.FakeItems, 0);

            public Rendering.SubMeshDescriptor GetSubMesh(int index)
                => new Rendering.SubMeshDescriptor
                {
                    indexCount = FakeMesh.FakeCorners[index].Length,
                    topology = FakeMesh.FakeTopologies[index],
                };

            public void GetIndices(NativeArray<int> outIndices, int submesh,
                bool applyBaseVertex = true)
                => FakeMesh.FakeCorners[submesh].CopyTo(outIndices.FakeItems, 0);
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
        public LOD[] FakeLevels;

        public LOD[] GetLODs() => FakeLevels;
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
        public float[,] FakeHeights;
        public bool[,] FakeHoles;
        public float[,,] FakeWeights;

        public int heightmapResolution => FakeHeights.GetLength(0);

        public Vector3 size { get; set; }

        public TerrainLayer[] terrainLayers { get; set; } = new TerrainLayer[0];

        public int alphamapResolution => FakeWeights.GetLength(0);

        public float[,] GetHeights(int xBase, int yBase, int width, int height)
            => (float[,])FakeHeights.Clone();

        public bool[,] GetHoles(int xBase, int yBase, int width, int height)
            => (bool[,])FakeHoles.Clone();

        public float[,,] GetAlphamaps(int x, int y, int width, int height)
        {
            var layers = FakeWeights.GetLength(2);
            var part = new float[height, width, layers];
            foreach (var k in Enumerable.Range(0, height * width * layers))
            {
                var (row, column, layer) = (k / layers / width, k / layers % width, k % layers);
                part[row, column, layer] = FakeWeights[y + row, x + column, layer];
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

// The members of UnityEngine that the package and its page use, with the signatures of Unity
// 2021.3, for compiling and testing without Unity. Members named Fake.. are for the tests: Unity
// has none of them.
using System;
using System.Collections.Generic;
using System.Linq;

namespace UnityEngine
{
    [AttributeUsage(AttributeTargets.Field)]
    public sealed class SerializeField : Attribute
    {
    }

    public sealed class HideInInspector : Attribute
    {
    }

    public sealed class PreferBinarySerialization : Attribute
    {
    }

    public sealed class DisallowMultipleComponent : Attribute
    {
    }

    public class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string tooltip)
        {
        }
    }

    public sealed class TextAreaAttribute : Attribute
    {
        public TextAreaAttribute(int minLines, int maxLines)
        {
        }
    }

    public sealed class AddComponentMenu : Attribute
    {
        public AddComponentMenu(string menuName)
        {
        }
    }

    public struct Vector3
    {
        public float x, y, z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public static Vector3 operator +(Vector3 a, Vector3 b)
            => new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);

        public override string ToString() => "(" + x + ", " + y + ", " + z + ")";
    }

    public struct Color
    {
        public float r, g, b, a;

        public Color(float r, float g, float b, float a)
        {
            this.r = r;
            this.g = g;
            this.b = b;
            this.a = a;
        }
    }

    public struct Matrix4x4
    {
        public float m00, m01, m02, m03, m10, m11, m12, m13, m20, m21, m22, m23;

        /// <summary>By rows, the last of which is 0 0 0 1.</summary>
        public static Matrix4x4 FakeRows(params float[] m) => new Matrix4x4
        {
            m00 = m[0], m01 = m[1], m02 = m[2], m03 = m[3],
            m10 = m[4], m11 = m[5], m12 = m[6], m13 = m[7],
            m20 = m[8], m21 = m[9], m22 = m[10], m23 = m[11],
        };

        private float[] Row(int row) => row == 0 ? new[] { m00, m01, m02, m03 }
            : row == 1 ? new[] { m10, m11, m12, m13 } : new[] { m20, m21, m22, m23 };

        public static Matrix4x4 operator *(Matrix4x4 lhs, Matrix4x4 rhs)
        {
            var product = new float[12];
            for (var k = 0; k < 12; k++)
            {
                var row = lhs.Row(k / 4);
                product[k] = k % 4 == 3 ? row[3] : 0;
                for (var n = 0; n < 3; n++)
                    product[k] += row[n] * rhs.Row(n)[k % 4];
            }
            return FakeRows(product);
        }
    }

    public class Object
    {
        public string name { get; set; } = "";

        public static bool operator ==(Object x, Object y) => ReferenceEquals(x, y);

        public static bool operator !=(Object x, Object y) => !ReferenceEquals(x, y);

        public override bool Equals(object other) => ReferenceEquals(this, other);

        public override int GetHashCode() => base.GetHashCode();
    }

    public class ScriptableObject : Object
    {
        public static T CreateInstance<T>() where T : ScriptableObject
            => Activator.CreateInstance<T>();
    }

    public class Component : Object
    {
        public GameObject gameObject { get; internal set; }

        public Transform transform => gameObject.transform;
    }

    public class Behaviour : Component
    {
        public bool enabled { get; set; } = true;
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public class Transform : Component
    {
        private static readonly Matrix4x4 Identity
            = Matrix4x4.FakeRows(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
        private readonly List<Transform> children = new List<Transform>();

        public Transform FakeParent { get; private set; }
        public Matrix4x4 FakeOwn { get; set; } = Identity;

        public Matrix4x4 localToWorldMatrix
            => FakeParent == null ? FakeOwn : FakeParent.localToWorldMatrix * FakeOwn;

        public int childCount => children.Count;

        public Transform GetChild(int index) => children[index];

        public Vector3 position
            => new Vector3(localToWorldMatrix.m03, localToWorldMatrix.m13, localToWorldMatrix.m23);

        public Vector3 lossyScale
        {
            get
            {
                var m = localToWorldMatrix;
                return new Vector3(Length(m.m00, m.m10, m.m20), Length(m.m01, m.m11, m.m21),
                    Length(m.m02, m.m12, m.m22));
            }
        }

        public Vector3 TransformDirection(Vector3 direction)
        {
            var (m, scale) = (localToWorldMatrix, lossyScale);
            float x = direction.x / scale.x, y = direction.y / scale.y, z = direction.z / scale.z;
            return new Vector3(m.m00 * x + m.m01 * y + m.m02 * z,
                m.m10 * x + m.m11 * y + m.m12 * z, m.m20 * x + m.m21 * y + m.m22 * z);
        }

        public void FakePutBelow(Transform parent)
        {
            FakeParent = parent;
            parent.children.Add(this);
        }

        private static float Length(float x, float y, float z)
            => (float)Math.Sqrt(x * x + y * y + z * z);
    }

    public sealed class GameObject : Object
    {
        private readonly List<Component> components = new List<Component>();

        public GameObject(string name)
        {
            this.name = name;
            transform = new Transform { gameObject = this, name = name };
        }

        public Transform transform { get; }
        public bool isStatic { get; set; } = true;
        public bool FakeActive { get; set; } = true;

        public bool activeInHierarchy => FakeActive && (transform.FakeParent == null
            || transform.FakeParent.gameObject.activeInHierarchy);

        public T AddComponent<T>() where T : Component
        {
            var added = Activator.CreateInstance<T>();
            added.gameObject = this;
            added.name = name;
            components.Add(added);
            return added;
        }

        public T GetComponent<T>() => components.OfType<T>().FirstOrDefault();

        public T[] GetComponents<T>() => components.OfType<T>().ToArray();
    }

    public static class Debug
    {
        public static readonly List<string> FakeSaid = new List<string>();

        public static void Log(object message) => FakeSaid.Add("log: " + message);

        public static void LogWarning(object message) => FakeSaid.Add("warning: " + message);

        public static void DrawLine(Vector3 start, Vector3 end)
        {
        }
    }

    public static class Application
    {
        public static string temporaryCachePath => FakeCache;

        public static string FakeCache { get; set; }
    }

    public static class Gizmos
    {
        public static readonly List<Vector3> FakeEnds = new List<Vector3>();

        public static Color color { get; set; }

        public static void DrawLine(Vector3 from, Vector3 to)
        {
            FakeEnds.Add(from);
            FakeEnds.Add(to);
        }
    }
}

namespace UnityEngine.SceneManagement
{
    public struct Scene
    {
        public string FakePath;
        public bool FakeClosed;
        public GameObject[] FakeRoots;

        public string path => FakePath;

        public string name => System.IO.Path.GetFileNameWithoutExtension(FakePath);

        public bool isLoaded => !FakeClosed;

        public GameObject[] GetRootGameObjects() => FakeRoots;
    }

    public static class SceneManager
    {
        public static readonly List<Scene> FakeScenes = new List<Scene>();

        public static int sceneCount => FakeScenes.Count;

        public static Scene GetSceneAt(int index) => FakeScenes[index];

        public static Scene GetActiveScene() => FakeScenes[0];
    }
}

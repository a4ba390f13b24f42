// The members of UnityEditor that the package uses, as in Engine.cs.
using System;
using System.Collections.Generic;
using UnityEngine.SceneManagement;
using Object = UnityEngine.Object;

namespace UnityEditor
{
    public sealed class MenuItem : Attribute
    {
        public MenuItem(string itemName)
        {
        }
    }

    public class MeshUtility
    {
        public static UnityEngine.Mesh.MeshDataArray AcquireReadOnlyMeshData(UnityEngine.Mesh mesh)
            => new UnityEngine.Mesh.MeshDataArray { FakeMesh = mesh };
    }

    public static class EditorPrefs
    {
        private static readonly Dictionary<string, string> Values
            = new Dictionary<string, string>();

        public static string GetString(string key, string defaultValue)
            => Values.TryGetValue(key, out var value) ? value : defaultValue;

        public static void SetString(string key, string value) => Values[key] = value;
    }

    public static class EditorUtility
    {
        public static string OpenFilePanel(string title, string directory, string extension) => "";

        public static string SaveFilePanel(string title, string directory, string defaultName,
            string extension) => "";
    }

    public static class AssetDatabase
    {
        public static readonly List<string> FakeImported = new List<string>();

        public static void ImportAsset(string path) => FakeImported.Add(path);
    }
}

namespace UnityEditor.SceneManagement
{
    public static class EditorSceneManager
    {
        public static string FakeOpened { get; private set; }

        public static Scene OpenScene(string scenePath)
        {
            FakeOpened = scenePath;
            return SceneManager.GetActiveScene();
        }
    }
}

namespace UnityEditor.AssetImporters
{
    public class ScriptedImporterAttribute : Attribute
    {
        public ScriptedImporterAttribute(int version, string ext)
        {
        }
    }

    public class AssetImporter : Object
    {
    }

    public abstract class ScriptedImporter : AssetImporter
    {
        public abstract void OnImportAsset(AssetImportContext ctx);
    }

    public class AssetImportContext
    {
        public readonly List<string> FakeErrors = new List<string>();
        public readonly List<Object> FakeObjects = new List<Object>();

        public string assetPath { get; set; }

        public Object mainObject { get; private set; }

        public void AddObjectToAsset(string identifier, Object obj) => FakeObjects.Add(obj);

        public void SetMainObject(Object obj) => mainObject = obj;

        public void LogImportError(string msg, Object obj = null) => FakeErrors.Add(msg);
    }
}

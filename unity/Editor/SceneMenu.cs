using System;
using System.IO;
using System.Text;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;

namespace Navbake.Editor
{
    /// <summary>The menu <c>Navbake</c>, and the same for the command line of Unity.</summary>
    public static class SceneMenu
    {
        private const string CommandKey = "Navbake.Command";

        [MenuItem("Navbake/Export Scene/From Meshes...")]
        private static void ExportMeshes() => Ask(Geometry.Meshes);

        [MenuItem("Navbake/Export Scene/From Colliders...")]
        private static void ExportColliders() => Ask(Geometry.Colliders);

        [MenuItem("Navbake/Bake Scene/From Meshes")]
        private static void BakeMeshes() => Bake(Geometry.Meshes);

        [MenuItem("Navbake/Bake Scene/From Colliders")]
        private static void BakeColliders() => Bake(Geometry.Colliders);

        [MenuItem("Navbake/Choose Command...")]
        private static void ChooseCommand()
        {
            var program = EditorUtility.OpenFilePanel("The command navbake", "", "");
            if (!string.IsNullOrEmpty(program))
                EditorPrefs.SetString(CommandKey, program);
        }

        /// <summary>
        /// For <c>Unity -batchmode -quit -executeMethod Navbake.Editor.SceneMenu.Batch</c> with
        /// <c>-navbakeOutput FILE.obj</c>, and if needed <c>-navbakeScene Assets/NAME.unity</c> and
        /// <c>-navbakeFrom meshes|colliders</c>. Faults end Unity with 1.
        /// </summary>
        public static void Batch() => Batch(Environment.GetCommandLineArgs());

        /// <summary>The same with these words.</summary>
        public static void Batch(string[] words)
        {
            var output = After(words, "-navbakeOutput");
            if (output == null)
                throw new ArgumentException("say where to write: -navbakeOutput FILE.obj");
            var from = After(words, "-navbakeFrom") ?? "meshes";
            if (from != "meshes" && from != "colliders")
                throw new ArgumentException("-navbakeFrom " + from + ": meshes or colliders");
            var scene = After(words, "-navbakeScene");
            if (scene != null)
                EditorSceneManager.OpenScene(scene);
            Export(output, from == "meshes" ? Geometry.Meshes : Geometry.Colliders);
        }

        /// <summary>Writes the loaded scenes to a file, and logs what was written.</summary>
        /// <exception cref="InvalidOperationException">There is nothing to write; a file that was
        /// there stays as it was.</exception>
        public static void Export(string file, Geometry geometry)
        {
            var unfinished = file + ".part";
            string report;
            try
            {
                using (var to = new StreamWriter(unfinished, false, new UTF8Encoding(false)))
                    report = SceneExport.Write(new LevelWriter(to), geometry);
                File.Delete(file);
                File.Move(unfinished, file);
            }
            finally
            {
                File.Delete(unfinished);
            }
            Debug.Log(file + ": " + report);
        }

        /// <summary>
        /// Bakes the loaded scenes to a file beside the active scene, with the settings of
        /// <c>NAME.toml</c> if that is there, and imports it.
        /// </summary>
        /// <exception cref="InvalidOperationException">The scene has no file yet, there is nothing
        /// to bake, or the bake failed.</exception>
        public static void Bake(Geometry geometry)
        {
            var scene = SceneManager.GetActiveScene().path;
            if (string.IsNullOrEmpty(scene))
                throw new InvalidOperationException("save the scene first: the navmesh is written "
                    + "beside it");
            var level = System.IO.Path.Combine(Application.temporaryCachePath, "navbake.obj");
            var (output, config) = (System.IO.Path.ChangeExtension(scene, ".navbake"),
                System.IO.Path.ChangeExtension(scene, ".toml"));
            Export(level, geometry);
            var program = EditorPrefs.GetString(CommandKey, "navbake");
            var (said, warnings) = File.Exists(config)
                ? Command.Run(program, "bake", level, "-o", output, "--config", config)
                : Command.Run(program, "bake", level, "-o", output);
            Debug.Log(said);
            if (warnings.Length > 0)
                Debug.LogWarning(warnings);
            AssetDatabase.ImportAsset(output);
        }

        private static void Ask(Geometry geometry)
        {
            var name = SceneManager.GetActiveScene().name;
            var file = EditorUtility.SaveFilePanel("Export the scene for navbake", "",
                string.IsNullOrEmpty(name) ? "level" : name, "obj");
            if (!string.IsNullOrEmpty(file))
                Export(file, geometry);
        }

        private static string After(string[] words, string option)
        {
            var at = Array.IndexOf(words, option);
            return at >= 0 && at + 1 < words.Length ? words[at + 1] : null;
        }
    }
}

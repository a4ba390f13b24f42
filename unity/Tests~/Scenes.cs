// Tests of the export: scenes of fakes, baked by the command.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Navbake;
using Navbake.Editor;
using UnityEditor;
using UnityEditor.SceneManagement;
using UnityEngine;
using UnityEngine.SceneManagement;
using static Tests;
using File = System.IO.File;
using Mesh = Navbake.Mesh;

internal static class Scenes
{
    private static string navbake;
    private static string folder;

    internal static void All(string command, string scratch)
    {
        (navbake, folder) = (command, scratch);
        Run("meshes of a scene bake to the ground that is seen", Meshes);
        Run("rules find objects by their path and materials by their name", Rules);
        Run("colliders of a scene bake to the ground that is touched", Colliders);
        Run("a terrain bakes with its heights, holes and layers", Terrains);
        Run("a scene without static ground is an error that keeps the old file", Empty);
        Run("baking a scene writes and imports the file beside it", Bakes);
        Run("what the command refuses is the error of the menu", Refused);
        Run("the command line names scene, source and output", Batches);
    }

    private static GameObject Put(string name, GameObject parent, params float[] rows)
    {
        var made = new GameObject(name);
        if (rows.Length > 0)
            made.transform.FakeOwn = Matrix4x4.FakeRows(rows);
        if (parent != null)
            made.transform.FakePutBelow(parent.transform);
        return made;
    }

    private static void Open(params GameObject[] roots)
    {
        SceneManager.FakeScenes.Clear();
        SceneManager.FakeScenes.Add(new Scene
        {
            FakePath = System.IO.Path.Combine(folder, "yard.unity"),
            FakeRoots = roots,
        });
    }

    private static MeshRenderer Show(GameObject own, UnityEngine.Mesh mesh, params string[] names)
    {
        own.AddComponent<MeshFilter>().sharedMesh = mesh;
        var renderer = own.AddComponent<MeshRenderer>();
        renderer.sharedMaterials = Array.ConvertAll(names, one => new Material { name = one });
        return renderer;
    }

    private static UnityEngine.Mesh Box(float x, float y, float z, float sx, float sy, float sz)
    {
        var shape = Shape.Box(new Point(x, y, z), new Point(sx, sy, sz));
        var mesh = new UnityEngine.Mesh { FakeVertices = new Vector3[8] };
        for (var k = 0; k < 8; k++)
            mesh.FakeVertices[k] = new Vector3(shape.Vertices[3 * k], shape.Vertices[3 * k + 1],
                shape.Vertices[3 * k + 2]);
        mesh.FakeCorners.Add(shape.Corners);
        mesh.FakeTopologies.Add(MeshTopology.Triangles);
        return mesh;
    }

    /// <summary>A floor of 1 by 1 m, z from 0 to 1: grass up to x 0.7 in triangles, then mud in a
    /// quad.</summary>
    private static UnityEngine.Mesh Floor()
    {
        var mesh = new UnityEngine.Mesh
        {
            FakeVertices = new[] { 0, 0.7f, 1 }.SelectMany(x => new[]
                { new Vector3(x, 0, 0), new Vector3(x, 0, 1) }).ToArray(),
        };
        mesh.FakeCorners.Add(new[] { 0, 1, 3, 0, 3, 2 });
        mesh.FakeCorners.Add(new[] { 0, 3, 2, 1 });
        mesh.FakeCorners.Add(new[] { 2, 3, 5, 4 });
        mesh.FakeTopologies.AddRange(new[]
            { MeshTopology.Triangles, MeshTopology.Lines, MeshTopology.Quads });
        return mesh;
    }

    /// <summary>20 by 20 m of floor with a wall from z 0 to 15, all mirrored along z.</summary>
    private static GameObject Yard()
    {
        var root = Put("Level", null, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 20);
        Show(Put("Floor", root, 20, 0, 0, 0, 0, 1, 0, 0, 0, 0, 20, 0), Floor(),
            "grass", "wire", "mud_wet");
        Show(Put("Wall", root), Box(10, 1.5f, 7.5f, 1, 3, 15), "stone");
        return root;
    }

    private static Level Bake(Geometry geometry, string config, out string report)
    {
        var level = System.IO.Path.Combine(folder, "scene.obj");
        var output = System.IO.Path.Combine(folder, "scene.navbake");
        var settings = System.IO.Path.Combine(folder, "scene.toml");
        using (var to = new StreamWriter(level))
            report = SceneExport.Write(new LevelWriter(to), geometry);
        File.WriteAllText(settings, config);
        // Tops of colliders are small islands.
        var warnings = Command.Run(navbake, "bake", level, "-o", output, "--config", settings)
            .Warnings;
        True(warnings.Length == 0 || warnings.Split('\n').All(one => one.Contains("small-islands")),
            warnings);
        return new Level(File.ReadAllBytes(output));
    }

    private static bool Find(Mesh mesh, double x, double y, double z, out Location place)
        => mesh.Locate(new Vector3((float)x, (float)y, (float)z).ToPoint(), 0.5, out place);

    /// <summary>
    /// Is there ground exactly where the middle of an agent has its radius of 0.6 m? Points nearer
    /// than 0.15 m to that border are left out.
    /// </summary>
    private static void Ground(Mesh mesh, Func<double, double, double> free)
    {
        var seen = new int[2];
        for (var x = -1.03; x < 21; x += 0.5)
        {
            for (var z = -1.04; z < 21; z += 0.5)
            {
                var room = free(x, z);
                if (Math.Abs(room - 0.6) < 0.15)
                    continue;
                Equal(Find(mesh, x, 0, z, out _), room > 0.6, "ground at " + x + ", " + z);
                seen[room > 0.6 ? 1 : 0]++;
            }
        }
        True(seen[0] > 100 && seen[1] > 100, "points without and with ground");
    }

    private static double InYard(double x, double z)
        => Math.Min(Math.Min(x, 20 - x), Math.Min(z, 20 - z));

    /// <summary>The distance to a box seen from above; below 0 inside.</summary>
    private static double Beside(double x, double z, double x0, double x1, double z0, double z1)
    {
        double dx = Math.Max(x0 - x, x - x1), dz = Math.Max(z0 - z, z - z1);
        return dx > 0 && dz > 0 ? Math.Sqrt(dx * dx + dz * dz) : Math.Max(dx, dz);
    }

    private static double Free(double x, double z)
        => Math.Min(InYard(x, z), Beside(x, z, 9.5, 10.5, 5, 20));

    private static void Meshes()
    {
        var root = Yard();
        // None of these is in the way: each would close the ground at (5, 5).
        var over = Box(5, 1, 5, 4, 1, 4);
        var movable = Put("Crate", root);
        movable.isStatic = false;
        Show(movable, over, "wood");
        var hidden = Put("Hidden", root);
        hidden.FakeActive = false;
        Show(Put("Below", hidden), over, "wood");
        Show(Put("Off", root), over, "wood").enabled = false;
        var rock = Put("Rock", root);
        var levels = new[] { "Fine", "Coarse" }.Select((name, k) => new LOD
        {
            renderers = new Renderer[]
                { Show(Put(name, rock), k == 0 ? Box(0, -3, 0, 1, 1, 1) : over, "stone") },
        });
        rock.AddComponent<LODGroup>().FakeLevels = levels.ToArray();
        Open(root);
        using (var level = Bake(Geometry.Meshes, "", out var report))
        using (var mesh = level.Mesh())
            Ground(mesh, Free);
        Equal(SceneExport.Write(new LevelWriter(new StringWriter()), Geometry.Meshes),
            "3 parts, 27 faces; 1 objects left out that are not static", "report");
        movable.isStatic = true;
        using (var level = Bake(Geometry.Meshes, "", out _))
        using (var mesh = level.Mesh())
            True(!Find(mesh, 5, 0, 15, out _), "ground below a static crate");
    }

    private static void Rules()
    {
        Open(Yard());
        const string rules = "[[area]]\nname = \"mud\"\n[[rule]]\nmaterial = \"mud_*\"\n"
            + "area = \"mud\"\n[[rule]]\nnode = \"Level/Wall\"\nrole = \"ignored\"\n";
        using (var level = Bake(Geometry.Meshes, rules, out _))
        using (var mesh = level.Mesh())
        {
            Ground(mesh, InYard);
            foreach (var z in new[] { 2, 10, 18 })
            {
                for (var x = 1.5; x < 19; x++)
                {
                    True(Find(mesh, x, 0, z, out var place), "ground");
                    Equal(mesh.Polygon(place.Polygon, null, null).Area, x < 14 ? 0u : 1u,
                        "area at " + x);
                }
            }
        }
    }

    private static void Colliders()
    {
        var root = Put("Level", null);
        var floor = Put("Floor", root, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0)
            .AddComponent<BoxCollider>();
        floor.center = new Vector3(5, -0.5f, 5);
        floor.size = new Vector3(10, 1, 10);
        var trigger = Put("Trigger", root).AddComponent<BoxCollider>();
        trigger.center = new Vector3(5, 1, 5);
        trigger.size = new Vector3(10, 1, 10);
        trigger.isTrigger = true;
        var off = Put("Off", root).AddComponent<BoxCollider>();
        (off.center, off.size, off.enabled) = (trigger.center, trigger.size, false);
        // About x by a right angle, so that its own z is up; twice as long, and half as thick.
        var mast = Put("Mast", root, 0.5f, 0, 0, 6, 0, 0, 2, 0, 0, -0.5f, 0, 14)
            .AddComponent<CapsuleCollider>();
        mast.center = new Vector3(0, 0, 0.5f);
        (mast.radius, mast.height, mast.direction) = (2, 3, 2);
        var ball = Put("Ball", root, 2, 0, 0, 14, 0, 1, 0, 1.2f, 0, 0, 1, 7)
            .AddComponent<SphereCollider>();
        ball.radius = 0.6f;
        var hill = Put("Block", root, 1, 0, 0, 14, 0, 1, 0, 0, 0, 0, 1, 15)
            .AddComponent<MeshCollider>();
        hill.sharedMesh = Box(0, 1.5f, 0, 2, 3, 1);
        Put("Wheel", root).AddComponent<WheelCollider>();
        Show(Put("Seen", root), Box(5, 1, 5, 20, 1, 20), "wood");
        Open(root);
        using (var level = Bake(Geometry.Colliders, "", out var report))
        using (var mesh = level.Mesh())
        {
            var heights = Exports.Faces(File.ReadAllText(System.IO.Path.Combine(folder,
                "scene.obj"))).SelectMany(face => face).Select(corner => corner.Y).ToList();
            Equal((heights.Min(), heights.Max()), (-2.0, 4.0), "ends of the mast");
            True(report.EndsWith("; left out: Level/Wheel (WheelCollider)"), report);
            Func<double, double, double, double, double> round = (x, z, atX, atZ)
                => Math.Sqrt((x - atX) * (x - atX) + (z - atZ) * (z - atZ));
            Ground(mesh, (x, z) => new[]
            {
                InYard(x, z), round(x, z, 6, 14) - 1, round(x, z, 14, 7) - 1.2,
                Beside(x, z, 13, 15, 14.5, 15.5),
            }.Min());
        }
    }

    private static void Terrains()
    {
        const int samples = 33;
        var data = new TerrainData
        {
            size = new Vector3(32, 10, 64),
            FakeHeights = new float[samples, samples],
            FakeHoles = new bool[samples - 1, samples - 1],
            FakeWeights = new float[64, 64, 2],
            terrainLayers = new[]
                { new TerrainLayer { name = "grass" }, new TerrainLayer { name = "mud" } },
        };
        // By row and column, which are z and x; two metres from row to row.
        Func<double, double, double> height = (x, z) => 5 + 0.1 * x + 0.05 * z;
        for (var row = 0; row < samples; row++)
        {
            for (var column = 0; column < samples; column++)
                data.FakeHeights[row, column] = (float)(height(column, 2 * row) - 5) / 10;
        }
        for (var row = 0; row < samples - 1; row++)
        {
            for (var column = 0; column < samples - 1; column++)
                data.FakeHoles[row, column] = !(column >= 10 && column < 14 && row >= 4 && row < 8);
        }
        for (var row = 0; row < 64; row++)
        {
            for (var column = 0; column < 64; column++)
                data.FakeWeights[row, column, row < 32 || column < 40 ? 0 : 1] = 0.8f;
        }
        var seen = Put("Hills", null, 1, 0, 0, 100, 0, 1, 0, 5, 0, 0, 1, 200);
        seen.AddComponent<Terrain>().terrainData = data;
        var collider = seen.AddComponent<TerrainCollider>();
        collider.terrainData = data;
        Open(seen);
        const string rules
            = "[[area]]\nname = \"mud\"\n[[rule]]\nmaterial = \"mud\"\narea = \"mud\"\n";
        foreach (var geometry in new[] { Geometry.Meshes, Geometry.Colliders })
        {
            using (var level = Bake(geometry, rules, out _))
            using (var mesh = level.Mesh())
            {
                var areas = new int[2];
                for (var x = 1.3; x < 31; x++)
                {
                    for (var z = 1.3; z < 63; z++)
                    {
                        var hole = Beside(x, z, 10, 14, 8, 16);
                        if (Math.Abs(hole - 0.6) < 0.15)
                            continue;
                        var found = Find(mesh, 100 + x, 5 + height(x, z) - 5, 200 + z,
                            out var place);
                        Equal(found, hole > 0.6, "ground at " + x + ", " + z);
                        if (!found)
                            continue;
                        True(Math.Abs(place.Position.Y - height(x, z)) < 0.1, "height");
                        var area = mesh.Polygon(place.Polygon, null, null).Area;
                        areas[area]++;
                        if (Math.Abs(z - 32) > 0.5 && Math.Abs(x - 20) > 0.5)
                            Equal(area, z > 32 && x > 20 ? 1u : 0u, "area at " + x + ", " + z);
                    }
                }
                True(areas[0] > 500 && areas[1] > 200, "points of both areas");
            }
        }
    }

    private static void Empty()
    {
        var root = Yard();
        foreach (var k in new[] { 0, 1 })
            root.transform.GetChild(k).gameObject.isStatic = false;
        Open(root);
        var file = System.IO.Path.Combine(folder, "old.obj");
        File.WriteAllText(file, "old");
        var fault = Throws<InvalidOperationException>(
            () => SceneMenu.Export(file, Geometry.Meshes));
        True(fault.Message.Contains("tick Static") && fault.Message.Contains("(2 objects"),
            fault.Message);
        Equal(File.ReadAllText(file), "old", "the file");
        True(!File.Exists(file + ".part"), "an unfinished file");
        root.transform.GetChild(0).gameObject.isStatic = true;
        SceneMenu.Export(file, Geometry.Meshes);
        Equal(Exports.Faces(File.ReadAllText(file)).Count, 3, "faces");
    }

    private static string Beside(string ending)
        => System.IO.Path.Combine(folder, "yard" + ending);

    private static void Bakes()
    {
        Open(Yard());
        Application.FakeCache = folder;
        EditorPrefs.SetString("Navbake.Command", navbake);
        File.WriteAllText(Beside(".toml"), "[[agent]]\nname = \"cart\"\nradius = 1.0\n");
        SceneMenu.Bake(Geometry.Meshes);
        Equal(AssetDatabase.FakeImported.Single(), Beside(".navbake"), "imported");
        using (var level = new Level(File.ReadAllBytes(Beside(".navbake"))))
            Equal(level.Agents.Single().Name, "cart", "agent of the settings");
        File.Delete(Beside(".toml"));
        Debug.FakeSaid.Clear();
        SceneMenu.Bake(Geometry.Meshes);
        True(Debug.FakeSaid.All(one => one.StartsWith("log: "))
            && Debug.FakeSaid.Any(one => one.Contains(" polygons, ")),
            string.Join("\n", Debug.FakeSaid));
        using (var level = new Level(File.ReadAllBytes(Beside(".navbake"))))
            Equal(level.Agents.Single().Name, "default", "agent without settings");
        File.WriteAllText(Beside(".toml"), "[[rule]]\nnode = \"Nowhere\"\nrole = \"ignored\"\n");
        SceneMenu.Bake(Geometry.Meshes);
        True(Debug.FakeSaid.Any(one => one.StartsWith("warning: ") && one.Contains("Nowhere")),
            string.Join("\n", Debug.FakeSaid));
        SceneManager.FakeScenes[0] = new Scene { FakePath = "", FakeRoots = new GameObject[0] };
        True(Throws<InvalidOperationException>(() => SceneMenu.Bake(Geometry.Meshes)).Message
            .Contains("save the scene"), "a scene without a file");
    }

    private static void Refused()
    {
        Open(Yard());
        File.WriteAllText(Beside(".toml"), "[[aera]]\n");
        var fault = Throws<InvalidOperationException>(() => SceneMenu.Bake(Geometry.Meshes));
        True(fault.Message.Contains("aera"), fault.Message);
        EditorPrefs.SetString("Navbake.Command", System.IO.Path.Combine(folder, "missing"));
        fault = Throws<InvalidOperationException>(() => SceneMenu.Bake(Geometry.Meshes));
        True(fault.Message.Contains("missing") && fault.Message.Contains("Choose Command"),
            fault.Message);
        fault = Throws<InvalidOperationException>(() => Command.Run(navbake, "a\"b"));
        True(fault.Message.Contains("quote"), fault.Message);
    }

    private static void Batches()
    {
        var root = Yard();
        Put("Step", root).AddComponent<BoxCollider>().size = new Vector3(1, 1, 1);
        Open(root);
        var file = Beside(".obj");
        SceneMenu.Batch(new[] { "Unity", "-batchmode", "-navbakeOutput", file,
            "-navbakeScene", "Assets/Yard.unity" });
        Equal(EditorSceneManager.FakeOpened, "Assets/Yard.unity", "scene");
        Equal(Exports.Faces(File.ReadAllText(file)).Count, 15, "faces of meshes");
        SceneMenu.Batch(new[] { "-navbakeFrom", "colliders", "-navbakeOutput", file });
        Equal(Exports.Faces(File.ReadAllText(file)).Count, 12, "faces of colliders");
        True(Throws<ArgumentException>(() => SceneMenu.Batch(new[] { "Unity" })).Message
            .Contains("-navbakeOutput"), "no output");
        True(Throws<ArgumentException>(() => SceneMenu.Batch(new[]
            { "-navbakeOutput", file, "-navbakeFrom", "dust" })).Message.Contains("dust"), "from");
    }
}

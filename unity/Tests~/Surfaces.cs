// Tests of the axes, the importer and the component, over Fakes.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Navbake;
using Navbake.Editor;
using UnityEditor.AssetImporters;
using UnityEngine;
using static Tests;
using Mesh = Navbake.Mesh;

internal static class Surfaces
{
    internal static void All(byte[] courtyard, byte[] terraces, string folder)
    {
        Run("z changes its sign between the axes, both ways", Turned);
        Run("the importer makes an asset with a summary", () => Imports(courtyard, folder));
        Run("a damaged file is an error of the import with its reason",
            () => Refuses(courtyard, folder));
        Run("the lines show each border of the navmesh once, and each link",
            () => Lines(terraces));
        Run("frames after the first draw without garbage, until the file is imported again",
            () => Frames(courtyard, terraces));
        Run("a surface opens once and disposes of what it opened", () => Opens(courtyard));
    }

    private static void Turned()
    {
        var point = new Vector3(1, 2, 3).ToPoint();
        Equal(point, new Point(1, 2, -3), "point");
        Equal(point.ToVector3(), new Vector3(1, 2, 3), "back");
        Equal(new Vector3(1, 2, 3).ToFlat(), new Flat(1, -3), "flat");
        Equal(new Flat(1, -3).ToVector3(), new Vector3(1, 0, 3), "flat and back");
    }

    private static AssetImportContext Import(byte[] bytes, string folder)
    {
        var ctx = new AssetImportContext
        {
            assetPath = System.IO.Path.Combine(folder, "level.navbake"),
        };
        File.WriteAllBytes(ctx.assetPath, bytes);
        new NavbakeImporter().OnImportAsset(ctx);
        return ctx;
    }

    private static void Imports(byte[] blob, string folder)
    {
        var ctx = Import(blob, folder);
        Equal(string.Join("\n", ctx.FakeErrors), "", "errors");
        var asset = (NavbakeAsset)ctx.mainObject;
        Equal(ctx.FakeObjects.Single(), asset, "objects");
        True(asset.Bytes.SequenceEqual(blob), "bytes");
        using (var level = asset.Open())
        using (var mesh = level.Mesh())
            True(asset.Summary.Contains("agent default, radius 0.6 m, height 2 m: "
                + mesh.Counts.Polygons + " polygons, "), asset.Summary);
    }

    private static void Refuses(byte[] blob, string folder)
    {
        var changed = (byte[])blob.Clone();
        changed[blob.Length / 2] ^= 1;
        var reasons = new HashSet<string>();
        foreach (var bytes in new[] { changed, blob.Take(blob.Length - 8).ToArray(), new byte[0] })
        {
            var ctx = Import(bytes, folder);
            Equal(ctx.mainObject, null, "main object");
            Equal(ctx.FakeObjects.Count, 0, "objects");
            var error = ctx.FakeErrors.Single();
            True(error.StartsWith(ctx.assetPath + ": ", StringComparison.Ordinal), error);
            var reason = Throws<NavbakeException>(() => new Level(bytes)).Message;
            True(error.Contains(reason), error + " without " + reason);
            reasons.Add(reason);
            var asset = ScriptableObject.CreateInstance<NavbakeAsset>();
            asset.Read(blob);
            Throws<NavbakeException>(() => asset.Read(bytes));
            True(asset.Bytes == blob, "the asset changed");
        }
        True(reasons.Count > 1, "one reason for all: " + reasons.First());
    }

    private static NavbakeSurface Surface(byte[] blob)
    {
        var surface = new GameObject("ground").AddComponent<NavbakeSurface>();
        surface.Asset = ScriptableObject.CreateInstance<NavbakeAsset>();
        surface.Asset.Read(blob);
        return surface;
    }

    private static void Send(NavbakeSurface surface, string message)
    {
        typeof(NavbakeSurface).GetMethod(message, BindingFlags.Instance | BindingFlags.NonPublic)
            .Invoke(surface, null);
    }

    /// <summary>A line in both directions is one.</summary>
    private static string Line(Vector3 a, Vector3 b)
        => string.Join(" to ", new[] { a.ToString(), b.ToString() }.OrderBy(one => one));

    private static void Lines(byte[] blob)
    {
        using (var level = new Level(blob))
        using (var mesh = level.Mesh())
        {
            // From the definition: all edges of all polygons, each once.
            var borders = new HashSet<string>();
            var corners = new Point[64];
            for (uint number = 0; number < mesh.Counts.Polygons; number++)
            {
                var count = mesh.Polygon(number, corners, new uint[64]).Corners;
                True(count >= 3 && count <= 64, count + " corners");
                var own = corners.Take(count).Select(one => new Vector3(
                    (float)one.X, (float)one.Y + 0.5f, (float)-one.Z)).ToArray();
                borders.UnionWith(own.Select((one, k) => Line(one, own[(k + 1) % count])));
            }
            var lines = new MeshLines(mesh, 0.5f);
            var drawn = Pairs(lines.Walls).Concat(Pairs(lines.Portals)).ToList();
            Equal(drawn.Count, borders.Count, "lines");
            True(borders.SetEquals(drawn), "other lines");
            True(lines.Walls.Length > 0 && lines.Portals.Length > 0, "walls and portals");
            Equal(lines.Links.Length, (int)(2 * mesh.Counts.Links), "ends of links");
            True(lines.Links.Length > 0, "the level has no links");
            for (uint number = 0; number < mesh.Counts.Links; number++)
            {
                var link = mesh.Link(number);
                var ends = new[] { link.From, link.To };
                for (var k = 0; k < 2; k++)
                    Equal(lines.Links[2 * number + k], new Vector3((float)ends[k].X,
                        (float)ends[k].Y + 0.5f, (float)-ends[k].Z), "an end of link " + number);
            }
        }
    }

    private static IEnumerable<string> Pairs(Vector3[] ends)
        => Enumerable.Range(0, ends.Length / 2).Select(k => Line(ends[2 * k], ends[2 * k + 1]));

    private static int Drawn(NavbakeSurface surface)
    {
        Gizmos.FakeEnds.Clear();
        Send(surface, "OnDrawGizmosSelected");
        return Gizmos.FakeEnds.Count / 2;
    }

    private static void Frames(byte[] courtyard, byte[] terraces)
    {
        var surface = Surface(courtyard);
        int first = Drawn(surface), second = Drawn(surface);
        True(first > 100, first + " lines");
        Equal(second, first, "lines of the second frame");
        Gizmos.FakeEnds.Clear();
        var draw = (Action)Delegate.CreateDelegate(typeof(Action), surface,
            typeof(NavbakeSurface).GetMethod("OnDrawGizmosSelected",
                BindingFlags.Instance | BindingFlags.NonPublic));
        var before = GC.GetAllocatedBytesForCurrentThread();
        draw();
        Equal(GC.GetAllocatedBytesForCurrentThread() - before, 0L, "bytes of a frame");
        surface.Asset.Read(terraces);
        True(Drawn(surface) != first, "the old lines");
        Drawn(surface);
        var whole = Drawn(surface);
        surface.Mesh.AddObstacle(new Flat(20, 20), 1.5, -50, 50);
        surface.Mesh.Commit();
        Equal(Drawn(surface), whole, "lines before they are drawn anew");
        surface.Redraw();
        True(Drawn(surface) != whole, "lines around an obstacle");
        surface.Close();
        Equal(Drawn(surface), whole, "lines once closed");
        surface.Agent = "horse";
        True(Throws<TargetInvocationException>(() => Drawn(surface)).InnerException.Message
            .Contains("horse"), "agent");
        Equal(Drawn(surface), 0, "lines of no agent, tried once");
    }

    private static void Opens(byte[] blob)
    {
        var surface = Surface(blob);
        var (level, mesh) = (surface.Level, surface.Mesh);
        True(surface.Level == level && surface.Mesh == mesh, "opened twice");
        True(mesh.Counts.Polygons > 0, "polygons");
        surface.Close();
        Throws<ObjectDisposedException>(() => mesh.Counts.ToString());
        Throws<ObjectDisposedException>(() => level.Mesh());
        mesh = surface.Mesh;
        surface.Agent = "default";
        Throws<ObjectDisposedException>(() => mesh.Counts.ToString());
        mesh = surface.Mesh;
        Send(surface, "OnDestroy");
        Throws<ObjectDisposedException>(() => mesh.Counts.ToString());
        surface.Asset = null;
        var fault = Throws<InvalidOperationException>(() => surface.Mesh.ToString());
        True(fault.Message.Contains("ground"), fault.Message);
    }
}

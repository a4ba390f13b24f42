// Tests of the package under Mono:
// Tests.exe LAYOUT COURTYARD TERRACES NAVBAKE FOLDER BLOB ANSWERS [BLOB ANSWERS ..]
//
// LAYOUT is what Layout.c prints; COURTYARD and TERRACES are the baked fixtures; NAVBAKE is the
// command, and FOLDER an empty one; ANSWERS are those of crates/c/examples/same_answers.rs to
// 10,000 queries with the seed 7. What needs Unity runs over Fakes. Prints a line a test, and ends
// with 1 where one fails.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using Navbake;

internal static class Tests
{
    private static readonly Point From = new Point(20, 0, 25);
    private static readonly Point To = new Point(10, 4, 9);
    private static int failed;
    private static int passed;

    private static int Main(string[] words)
    {
        Run("structs have the layout of navbake.h", () => Layout(words[0]));
        var courtyard = File.ReadAllBytes(words[1]);
        Run("every planner finds the gallery", () => Planners(courtyard));
        Run("steps find what one call finds", () => Steps(courtyard));
        Run("an obstacle takes ground, moves, and gives it back", () => Obstacles(courtyard));
        Run("a volume makes its ground cost more", () => Volumes(courtyard));
        Run("faults of calls are exceptions that name their cause", () => Faults(courtyard));
        Run("a mesh outlives its level", () => Lifetimes(courtyard));
        Run("links have legs", () => Links(File.ReadAllBytes(words[2])));
        Run("queries allocate nothing", () => Garbage(courtyard));
        Surfaces.All(courtyard, File.ReadAllBytes(words[2]), words[4]);
        Exports.All();
        Scenes.All(words[3], words[4]);
        Worlds.All(words[3], words[4]);
        for (var k = 5; k + 1 < words.Length; k += 2)
        {
            var (blob, answers) = (words[k], words[k + 1]);
            Run("the answers are those of Rust to the bit: " + blob, () => Same(blob, answers));
        }
        Console.WriteLine(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    internal static void Run(string name, Action test)
    {
        try
        {
            test();
            passed++;
            Console.WriteLine("ok    " + name);
        }
        catch (Exception fault)
        {
            failed++;
            Console.WriteLine("FAIL  " + name + "\n" + fault);
        }
    }

    internal static void True(bool holds, string what)
    {
        if (!holds)
            throw new Exception(what);
    }

    internal static void Equal<T>(T found, T expected, string what)
    {
        True(EqualityComparer<T>.Default.Equals(found, expected), what + ": " + found
            + ", expected " + expected);
    }

    internal static E Throws<E>(Action call) where E : Exception
    {
        try
        {
            call();
        }
        catch (E fault)
        {
            return fault;
        }
        throw new Exception("no " + typeof(E).Name);
    }

    private static void Layout(string file)
    {
        var types = typeof(Level).Assembly.GetTypes().Where(type => type.IsValueType
            && !type.IsEnum).ToList();
        var checkedTypes = 0;
        foreach (var line in File.ReadLines(file))
        {
            var words = line.Split(' ');
            var nested = types.Where(one => one.Name == words[0] && one.IsNested);
            var type = nested.Concat(types.Where(one => one.Name == words[0])).First();
            Equal(Marshal.SizeOf(type), int.Parse(words[1]), "bytes of " + type);
            var fields = type.GetFields(
                System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.Public
                | System.Reflection.BindingFlags.NonPublic);
            var last = fields.Max(field => (long)Marshal.OffsetOf(type, field.Name));
            // The header has both heights of an obstacle in one array.
            var expected = long.Parse(words[2]) + (words[0] == "Obstacle" ? 8 : 0);
            Equal(last, expected, "the last field of " + type);
            checkedTypes++;
        }
        Equal(checkedTypes, 20, "structs");
    }

    private static void Planners(byte[] blob)
    {
        using (var level = new Level(blob))
        using (var mesh = level.Mesh("default"))
        using (var search = new Search(mesh))
        {
            True(level.Agents[0].Radius > 0, "radius");
            foreach (Planner planner in new[]
                { Planner.Auto, Planner.Optimal, Planner.Corridor, Planner.Midpoints,
                    Planner.Weighted })
            {
                var request = PathRequest.Between(From, To);
                request.Planner = planner;
                Equal(search.FindPath(ref request, out var path), Status.Ok, planner.ToString());
                True(path.Length > 25 && path.Length < 35, planner + ": " + path.Length);
                Equal(path[0].X, From.X, "x of the start");
                Equal(path.LegCount, 1, "legs");
                Equal(path.Leg(0).Link, Mesh.None, "link");
                var last = path;
                Throws<ArgumentOutOfRangeException>(() => last[last.PointCount].ToString());
                Throws<ArgumentOutOfRangeException>(() => last.Leg(-1).ToString());
            }
        }
    }

    private static void Steps(byte[] blob)
    {
        using (var level = new Level(blob))
        using (var mesh = level.Mesh())
        using (var search = new Search(mesh))
        {
            var request = PathRequest.Between(From, To);
            request.Planner = Planner.Corridor;
            search.FindPath(ref request, out var whole);
            var length = whole.Length;
            var status = search.Start(ref request);
            var steps = 0;
            for (; status == Status.Searching; steps++)
                status = search.Step(1);
            True(steps > 1, steps + " steps");
            Equal(search.Result(out var path), Status.Ok, "status");
            Equal(path.Length, length, "length");
            search.FindPath(ref request, new[] { To, new Point(19, 0, 25) }, out path);
            Equal(path.Goal, 1u, "goal");
        }
    }

    private static void Obstacles(byte[] blob)
    {
        using (var level = new Level(blob))
        using (var mesh = level.Mesh())
        using (var search = new Search(mesh))
        {
            var to = new Point(20, 0, 15);
            search.FindPath(From, to, out var path);
            var before = path.Length;
            var id = mesh.AddObstacle(new Flat(20, 20), 1.5, -1, 1);
            Equal(mesh.Commit().Changed, 1, "changed");
            True(!mesh.Locate(new Point(20, 0, 20), 1, out _), "ground under the obstacle");
            search.FindPath(From, to, out path);
            True(path.Length > before, path.Length + " m around it, " + before + " m before");
            mesh.SetAside(id);
            search.FindPath(From, to, out path);
            Equal(path.Length, before, "length without it");
            mesh.PutBack();
            True(!mesh.Locate(new Point(20, 0, 20), 1, out _), "ground after it is back");
            mesh.SetAside(new[] { id });
            True(mesh.Locate(new Point(20, 0, 20), 1, out _), "ground without it");
            mesh.MoveObstacle(id, new Flat(25, 20), 0.5, 50, 51);
            mesh.Commit();
            search.FindPath(From, to, out path);
            Equal(path.Length, before, "length after");
            mesh.RemoveObstacle(id);
            mesh.AddObstacle(new[] { new Flat(19, 19), new Flat(21, 19), new Flat(20, 21) }, -1, 1);
            Equal(mesh.Commit().Changed, 2, "changed");
            True(!mesh.Locate(new Point(20, 0, 20), 1, out _), "ground under the prism");
            Equal(Throws<NavbakeException>(() => mesh.RemoveObstacle(id)).Status,
                Status.BadArgument, "gone");
        }
    }

    private static void Volumes(byte[] blob)
    {
        using (var level = new Level(blob))
        using (var mesh = level.Mesh())
        using (var search = new Search(mesh))
        {
            var request = PathRequest.Between(From, new Point(20, 0, 15));
            request.Planner = Planner.Weighted;
            mesh.SetCost("mud", 10);
            search.FindPath(ref request, out var path);
            var before = path.Cost;
            var id = mesh.AddVolume("mud", new Flat(20, 20), 1.5, -1, 1);
            mesh.Commit();
            True(mesh.Locate(new Point(20, 0, 20), 1, out _), "ground in the volume");
            search.FindPath(ref request, out path);
            True(path.Cost > before, path.Cost + " through mud, " + before + " before");
            mesh.MoveObstacle(id, new Flat(25, 20), 0.5, 50, 51);
            mesh.Commit();
            search.FindPath(ref request, out path);
            Equal(path.Cost, before, "cost after");
            mesh.RemoveObstacle(id);
            mesh.AddVolume("mud", new[] { new Flat(19, 19), new Flat(21, 19), new Flat(20, 21) },
                -1, 1);
            Equal(mesh.Commit().Changed, 2, "changed");
            Equal(Throws<NavbakeException>(() =>
                mesh.AddVolume("lava", new Flat(20, 20), 1, -1, 1)).Status, Status.BadArgument,
                "area");
        }
    }

    private static void Faults(byte[] blob)
    {
        var fault = Throws<NavbakeException>(() => new Level(new byte[] { 1, 2, 3 }));
        Equal(fault.Status, Status.BadBlob, "status");
        True(fault.Message.Length > 20, fault.Message);
        Throws<ArgumentNullException>(() => new Level(null));
        var level = new Level(blob);
        True(Throws<ArgumentException>(() => level.Mesh("dog")).Message.Contains("default"),
            "known agents");
        var mesh = level.Mesh();
        True(Throws<ArgumentException>(() => mesh.SetClosed("gate")).Message.Contains("gate"),
            "switch");
        True(Throws<NavbakeException>(() => mesh.SetCost("lava", 2)).Message.Contains("lava"),
            "area");
        var search = new Search(mesh);
        var request = PathRequest.Between(From, To);
        request.Planner = Planner.Hierarchical;
        Equal(Throws<NavbakeException>(() => search.FindPath(ref request, out _)).Status,
            Status.NoRooms, "rooms");
        request.Planner = (Planner)77;
        Equal(Throws<NavbakeException>(() => search.FindPath(ref request, out _)).Status,
            Status.BadArgument, "planner");
        search.Dispose();
        search.Dispose();
        Throws<ObjectDisposedException>(() => search.FindPath(From, To, out _));
        mesh.Dispose();
        Throws<ObjectDisposedException>(() => mesh.Counts.ToString());
        level.Dispose();
        Throws<ObjectDisposedException>(() => level.Mesh());
    }

    private static void Lifetimes(byte[] blob)
    {
        var level = new Level(blob);
        var mesh = level.Mesh();
        level.Dispose();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        using (mesh)
        using (var search = new Search(mesh))
            Equal(search.FindPath(From, To, out _), Status.Ok, "status");
        for (var k = 0; k < 50; k++)
            new Search(new Level(blob).Mesh()).FindPath(From, To, out _);
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    private static void Links(byte[] blob)
    {
        using (var level = new Level(blob))
        using (var mesh = level.Mesh())
        using (var search = new Search(mesh))
        using (var places = new Places(mesh, 1))
        {
            var over = 0;
            for (var k = 0; k < 300; k++)
            {
                places.Next(out var from);
                places.Next(out var to);
                search.FindPath(from.Position, to.Position, out var path);
                for (var number = 0; number < path.LegCount; number++)
                {
                    var leg = path.Leg(number);
                    if (leg.Link == Mesh.None)
                        continue;
                    over++;
                    var link = mesh.Link(leg.Link);
                    Equal(path[(int)leg.FirstPoint].X, link.From.X, "begin of the link");
                    Equal(path[(int)leg.FirstPoint + 1].Z, link.To.Z, "end of the link");
                }
            }
            True(over > 0, "no path took a link");
        }
    }

    private static void Garbage(byte[] blob)
    {
        using (var level = new Level(blob))
        using (var mesh = level.Mesh())
        using (var search = new Search(mesh))
        using (var places = new Places(mesh, 3))
        {
            var corners = new Point[32];
            var beyond = new uint[32];
            double sum = 0;
            Action<int> ask = count =>
            {
                for (var k = 0; k < count; k++)
                {
                    places.Next(out var from);
                    places.Next(out var to);
                    mesh.Locate(from.Position, 1, out _);
                    mesh.Nearest(to.Position, new Point(1, 1, 1), out _);
                    mesh.Reachable(from, to);
                    sum += mesh.Raycast(from, to.Position).Fraction
                        + mesh.MoveAlong(from, to.Position).Walked;
                    sum += search.WallDistance(from, 3).Distance;
                    mesh.Polygon(from.Polygon, corners, beyond);
                    var request = PathRequest.Between(from.Position, to.Position);
                    search.FindPath(ref request, out var path);
                    for (var n = 0; n < path.PointCount; n++)
                        sum += path[n].Y;
                }
            };
            ask(1000);
            GC.Collect();
            GC.WaitForPendingFinalizers();
            var collections = GC.CollectionCount(0);
            var before = GC.GetAllocatedBytesForCurrentThread();
            ask(20000);
            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            Equal(GC.CollectionCount(0), collections, "collections");
            Equal(allocated, 0L, "bytes");
            // The counter counts.
            var one = new byte[100000];
            True(GC.GetAllocatedBytesForCurrentThread() - before >= one.Length,
                "the counter of bytes is at rest");
            True(sum > 0, "no answers");
        }
    }

    private static void Same(string file, string answers)
    {
        var planners = new[]
        {
            Planner.Auto, Planner.Corridor, Planner.Optimal, Planner.Midpoints, Planner.Weighted,
                Planner.Hierarchical,
        };
        var found = new List<double>();
        Action<double> put = found.Add;
        Action<Point> putPoint = point => found.AddRange(new[] { point.X, point.Y, point.Z });
        using (var level = new Level(File.ReadAllBytes(file)))
        using (var mesh = level.Mesh())
        using (var search = new Search(mesh))
        using (var places = new Places(mesh, 7))
        {
            for (var k = 0; k < 10000; k++)
            {
                places.Next(out var from);
                places.Next(out var to);
                Point a = from.Position, b = to.Position;
                putPoint(a);
                putPoint(b);
                if (mesh.Nearest(new Point(a.X + 0.7, a.Y, a.Z - 0.4), new Point(2, 2, 2),
                    out var near))
                    putPoint(near.Position);
                else
                    put(-1);
                var ray = mesh.Raycast(from, b);
                putPoint(ray.Point);
                put(ray.Fraction);
                var moved = mesh.MoveAlong(from, b);
                putPoint(moved.End.Position);
                put(moved.Walked);
                put(search.WallDistance(from, 5).Distance);
                put(mesh.Reachable(from, to) ? 1 : 0);
                if (k % 6 == 5 && mesh.Counts.Rooms == 0)
                {
                    put(-1);
                    continue;
                }
                var request = PathRequest.Between(a, b);
                request.Planner = planners[k % 6];
                var status = search.FindPath(ref request, out var path);
                put(status == Status.Ok ? 1 : 0);
                found.AddRange(new[] { path.Length, path.Length3D, path.Cost, path.Bound,
                    path.Expanded });
                for (var n = 0; n < path.PointCount; n++)
                    putPoint(path[n]);
            }
        }
        var bytes = File.ReadAllBytes(answers);
        var theirs = new double[bytes.Length / 8];
        Buffer.BlockCopy(bytes, 0, theirs, 0, bytes.Length);
        Equal(found.Count, theirs.Length, "numbers");
        for (var k = 0; k < theirs.Length; k++)
        {
            var same = BitConverter.DoubleToInt64Bits(found[k])
                == BitConverter.DoubleToInt64Bits(theirs[k]);
            True(same, "number " + k + ": " + found[k] + ", in Rust " + theirs[k]);
        }
    }
}

// Tests of worlds in chunks, baked by the command.
using System;
using System.IO;
using System.Linq;
using System.Threading;
using Navbake;
using Navbake.Editor;
using static Tests;

internal static class Worlds
{
    private static readonly Point From = new Point(5, 0, 10);
    private static readonly Point To = new Point(205, 0, 10);
    private static string index;
    private static string folder;

    internal static void All(string navbake, string scratch)
    {
        Run("chunks come and go, and paths with them", () =>
        {
            Bake(navbake, scratch, "world", 210);
            Chunks();
        });
        Run("a route names the chunks to load", Routes);
        Run("a mesh with chunks and obstacles is saved and restored", Saves);
        Run("rooms have the numbers of the index", Rooms);
        Run("chunks of other worlds are refused", () => Refused(navbake, scratch));
    }

    /// <summary>
    /// Two floors with a doorway at 100 m, 210 by 20 m or wider, in chunks of one tile.
    /// </summary>
    private static string Bake(string navbake, string scratch, string name, int across)
    {
        var level = System.IO.Path.Combine(scratch, name + ".obj");
        File.WriteAllText(level, "v 0 0 0\nv 0 0 20\nv 100 0 20\nv 100 0 0\n"
            + "v 100 0 9\nv 100 0 11\nv 102 0 11\nv 102 0 9\n"
            + "v 102 0 0\nv 102 0 20\nv " + across + " 0 20\nv " + across + " 0 0\n"
            + "f 1 2 3 4\nf 5 6 7 8\nf 9 10 11 12\n");
        var output = System.IO.Path.Combine(scratch, name + ".navw");
        Command.Run(navbake, "bake", level, "-o", output, "--chunk", "1", "--rooms");
        if (index == null)
            (index, folder) = (output, System.IO.Path.Combine(scratch, name + ".chunks"));
        return output;
    }

    private static Chunk Open(Level level, ChunkFile file)
    {
        return level.OpenChunk(File.ReadAllBytes(System.IO.Path.Combine(folder, file.Name)));
    }

    private static void Chunks()
    {
        using (var level = new Level(File.ReadAllBytes(index)))
        using (var mesh = level.Mesh())
        using (var search = new Search(mesh))
        {
            Equal(level.Chunks.Length, 3, "chunks");
            Equal(search.FindPath(From, To, out var path), Status.NotLoaded, "without chunks");
            var chunks = new Chunk[3];
            var threads = Enumerable.Range(0, 3).Select(k =>
                new Thread(() => chunks[k] = Open(level, level.Chunks[k]))).ToList();
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
            double length = 0;
            foreach (var order in new[] { new[] { 0, 1, 2 }, new[] { 2, 1, 0 } })
            {
                foreach (var k in order)
                    mesh.Insert(chunks[k]);
                True(!mesh.IsLoaded(level.Chunks[0].Key), "before the commit");
                Equal(mesh.Commit().Left, 0, "left");
                True(mesh.IsLoaded(level.Chunks[0].Key), "after the commit");
                Equal(Throws<NavbakeException>(() => mesh.Insert(chunks[0])).Status,
                    Status.ChunkLoaded, "twice");
                Equal(search.FindPath(From, To, out path), Status.Ok, "over the seams");
                True(Math.Abs(path.Length - 200) < 0.01, path.Length + " m");
                True(length == 0 || length == path.Length, path.Length + " m, before " + length);
                length = path.Length;
                True(mesh.Remove(level.Chunks[1].Key), "removed");
                True(!mesh.Remove(level.Chunks[1].Key), "removed twice");
                mesh.Commit();
                Equal(search.FindPath(From, To, out path), Status.NotLoaded, "without the middle");
                mesh.Locate(From, 1, out var start);
                mesh.Locate(To, 1, out var goal);
                True(!mesh.Reachable(start, goal), "reachable");
                var beyond = new ChunkKey[2];
                Equal(mesh.NotLoaded(start, beyond), 1, "chunks beyond");
                Equal(beyond[0], level.Chunks[1].Key, "the chunk beyond");
                mesh.Remove(level.Chunks[0].Key);
                mesh.Remove(level.Chunks[2].Key);
                mesh.Commit();
                True(!mesh.Locate(From, 1, out _), "ground without chunks");
            }
            foreach (var chunk in chunks)
                chunk.Dispose();
            Throws<ObjectDisposedException>(() => mesh.Insert(chunks[0]));
        }
    }

    private static void Routes()
    {
        using (var level = new Level(File.ReadAllBytes(index)))
        using (var mesh = level.Mesh())
        using (var search = new Search(mesh))
        {
            using (var first = Open(level, level.Chunks[0]))
                mesh.Insert(first);
            mesh.Commit();
            mesh.Locate(From, 1, out var start);
            var passages = new Passage[8];
            True(search.FindRoute(start, To, 1, passages, out var route), "a route");
            Equal(route.Passages, 2, "passages");
            Equal(passages[0].Into, level.Chunks[1].Key, "the first chunk to load");
            Equal(passages[1].Into, level.Chunks[2].Key, "the second");
            True(route.Length > 199.99 && route.Length < 220, route.Length + " m");
            var side = level.Chunks[0].Greatest.X;
            True(Math.Abs(passages[0].Position.X - side) < 0.01 && side == level.Chunks[1].Least.X,
                passages[0].Position + ", side " + side);
            True(search.FindRoute(start, To, 1, null, out route) && route.Passages == 2, "no room");
            True(!search.FindRoute(start, new Point(500, 0, 500), 1, null, out route), "nowhere");
        }
    }

    private static void Saves()
    {
        using (var level = new Level(File.ReadAllBytes(index)))
        using (var mesh = level.Mesh())
        using (var other = level.Mesh())
        using (var search = new Search(mesh))
        using (var another = new Search(other))
        {
            var chunks = level.Chunks.Select(file => Open(level, file)).ToArray();
            mesh.Insert(chunks[2]);
            mesh.Insert(chunks[1]);
            mesh.Commit();
            var barrel = mesh.AddObstacle(new Flat(150, 10), 7, -1, 2);
            mesh.Commit();
            mesh.Insert(chunks[0]);
            var saved = mesh.Save();
            True(Mesh.SavedChunks(saved).SequenceEqual(level.Chunks.Select(file => file.Key)),
                "chunks of the save");
            other.AddObstacle(new Flat(30, 10), 2, -1, 2);
            other.Restore(saved, chunks);
            True(other.Save().SequenceEqual(saved), "saved again");
            mesh.Commit();
            other.Commit();
            Equal(search.FindPath(From, To, out var path), Status.Ok, "path");
            var length = path.Length;
            True(length > 200.01, "around the barrel: " + length);
            Equal(another.FindPath(From, To, out path), Status.Ok, "path of the other");
            Equal(path.Length, length, "length");
            other.RemoveObstacle(barrel);
            var fault = Throws<NavbakeException>(() => other.Restore(saved, chunks[0], chunks[2]));
            Equal(fault.Status, Status.NoChunk, "a chunk is missing");
            True(fault.Message.Contains("needs chunk"), fault.Message);
            saved[saved.Length - 1] ^= 1;
            Equal(Throws<NavbakeException>(() => other.Restore(saved, chunks)).Status,
                Status.BadSave, "damaged");
            fault = Throws<NavbakeException>(() => Mesh.SavedChunks(new byte[0]));
            True(fault.Status == Status.BadSave && fault.Message.Contains("saved"), fault.Message);
            Throws<ArgumentNullException>(() => other.Restore(null));
            foreach (var chunk in chunks)
                chunk.Dispose();
        }
    }

    private static void Rooms()
    {
        using (var level = new Level(File.ReadAllBytes(index)))
        using (var mesh = level.Mesh())
        {
            var rooms = mesh.Counts.Rooms;
            Equal(rooms, 2u, "rooms without chunks");
            Equal(mesh.Counts.RoomDoors, 1u, "doors without chunks");
            var first = mesh.Room(0);
            foreach (var file in level.Chunks)
            {
                using (var chunk = Open(level, file))
                    mesh.Insert(chunk);
                mesh.Commit();
                Equal(mesh.Counts.Rooms, rooms, "rooms");
                Equal(mesh.Room(0).Area, first.Area, "square metres of the first");
            }
            mesh.Locate(first.Middle, 1, out var middle);
            Equal(mesh.Polygon(middle.Polygon, null, null).Room, 0u, "the room of its middle");
            var door = mesh.RoomDoor(0);
            True(door.Room == 0 && door.Beyond == 1, "rooms of the door");
            True(Math.Abs(door.Width - 2) < 0.01, "width of the door: " + door.Width);
            True(door.From.X > 99.9 && door.To.X < 102.1, "place of the door");
            Equal(Throws<NavbakeException>(() => mesh.Room(rooms)).Status, Status.BadArgument,
                "a room more");
        }
    }

    private static void Refused(string navbake, string scratch)
    {
        using (var level = new Level(File.ReadAllBytes(index)))
        using (var other = new Level(File.ReadAllBytes(Bake(navbake, scratch, "wider", 215))))
        using (var mesh = other.Mesh())
        using (var chunk = Open(level, level.Chunks[0]))
        {
            Equal(Throws<NavbakeException>(() => mesh.Insert(chunk)).Status, Status.OtherWorld,
                "another bake");
            var fault = Throws<NavbakeException>(() => level.OpenChunk(File.ReadAllBytes(index)));
            Equal(fault.Status, Status.NoChunk, "an index");
            True(fault.Message.Contains("index"), fault.Message);
            Equal(Throws<NavbakeException>(() => level.OpenChunk(new byte[3])).Status,
                Status.BadBlob, "three bytes");
            Throws<ArgumentNullException>(() => level.OpenChunk(null));
            True(Throws<ArgumentException>(() => level.OpenChunk(new byte[3], "dog")).Message
                .Contains("default"), "known agents");
        }
    }
}

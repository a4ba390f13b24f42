using System;
using System.Text;

namespace Navbake
{
    /// <summary>A link in one direction: a jump, a ladder, a teleporter.</summary>
    public struct Link
    {
        /// <summary>Where it begins.</summary>
        public Point From;
        /// <summary>Where it ends.</summary>
        public Point To;
        /// <summary>What it costs, m.</summary>
        public double Cost;
        /// <summary>Its width, m.</summary>
        public double Width;
        /// <summary>The polygon where it begins.</summary>
        public uint Polygon;
        /// <summary>The polygon where it ends.</summary>
        public uint Beyond;
        /// <summary>The switch that closes it; <see cref="Mesh.None"/> for none.</summary>
        public uint Switch;
    }

    /// <summary>
    /// The navmesh of an agent, with closed switches, costs and obstacles of its own. Queries of
    /// several
    /// threads may run at a time, changes alone.
    /// </summary>
    public sealed unsafe partial class Mesh : IDisposable
    {
        /// <summary>No polygon, edge, link, room or switch.</summary>
        public const uint None = uint.MaxValue;

        private readonly Bytes bytes;
        private readonly Switch[] switches;
        private IntPtr mesh;

        internal Mesh(IntPtr mesh, Bytes bytes, Switch[] switches)
        {
            var held = false;
            bytes.DangerousAddRef(ref held);
            this.mesh = mesh;
            this.bytes = bytes;
            this.switches = switches;
        }

        /// <summary>Frees the mesh if <see cref="Dispose"/> was not called.</summary>
        ~Mesh()
        {
            Free();
        }

        internal IntPtr Pointer
        {
            get
            {
                if (mesh == IntPtr.Zero)
                    throw new ObjectDisposedException(nameof(Mesh));
                return mesh;
            }
        }

        /// <summary>
        /// The place above or below a point, at most <paramref name="vertical"/> metres away.
        /// </summary>
        public bool Locate(Point point, double vertical, out Location location)
        {
            fixed (Location* place = &location)
                return Native.Check(Native.navbake_locate(Pointer, &point, vertical, place),
                    "locate", this) == Status.Ok;
        }

        /// <summary>
        /// The place nearest to a point, at most <paramref name="extents"/> metres away along each
        /// axis.
        /// </summary>
        public bool Nearest(Point point, Point extents, out Location location)
        {
            fixed (Location* place = &location)
                return Native.Check(Native.navbake_nearest(Pointer, &point, &extents, place),
                    "nearest", this) == Status.Ok;
        }

        /// <summary>
        /// Can a path lead from one place to the other over the ground that is loaded? False is
        /// certain.
        /// </summary>
        public bool Reachable(Location from, Location to)
        {
            return Native.Check(Native.navbake_reachable(Pointer, &from, &to), "reachable", this)
                == Status.Ok;
        }

        /// <summary>Looks from a place straight towards a point, up to the first wall.</summary>
        public Ray Raycast(Location from, Point towards)
        {
            Ray ray;
            Native.Check(Native.navbake_raycast(Pointer, &from, &towards, &ray), "raycast", this);
            return ray;
        }

        /// <summary>
        /// Moves from a place towards a point, along the walls in between. <paramref name="kept"/>
        /// is the part of the
        /// remaining motion that is left after a contact with a wall.
        /// </summary>
        public Motion MoveAlong(Location from, Point to, double kept = 0.9)
        {
            Motion motion;
            var status = Native.navbake_move(
                Pointer, &from, &to, kept, null, UIntPtr.Zero, null, UIntPtr.Zero, &motion);
            Native.Check(status, "move", this);
            return motion;
        }

        /// <summary>How many of each there are.</summary>
        public Counts Counts
        {
            get
            {
                Counts counts;
                Native.Check(Native.navbake_counts(Pointer, &counts), "counts", this);
                return counts;
            }
        }

        /// <summary>
        /// A polygon. Its corners, counter-clockwise seen from above, and the polygons beyond its
        /// edges are written to
        /// the arrays, as many as fit in both.
        /// </summary>
        public Polygon Polygon(uint number, Point[] corners, uint[] beyond)
        {
            Polygon polygon;
            var capacity = (UIntPtr)(uint)Math.Min(corners?.Length ?? 0, beyond?.Length ?? 0);
            fixed (Point* to = corners)
            fixed (uint* sides = beyond)
                Native.Check(Native.navbake_polygon(Pointer, number, to, sides, capacity,
                    &polygon), "polygon", this);
            return polygon;
        }

        /// <summary>A link.</summary>
        public Link Link(uint number)
        {
            Native.Link link;
            Native.Check(Native.navbake_link(Pointer, number, &link), "link", this);
            return new Link
            {
                From = link.From,
                To = link.To,
                Cost = link.Cost,
                Width = link.Width,
                Polygon = link.Polygon,
                Beyond = link.Beyond,
                Switch = link.SwitchNumber,
            };
        }

        /// <summary>Closes exactly these switches.</summary>
        /// <exception cref="ArgumentException">The level has no such switch.</exception>
        public void SetClosed(params string[] names)
        {
            var words = new ulong[(switches.Length + 63) / 64];
            foreach (var name in names)
            {
                var found = false;
                for (var k = 0; k < switches.Length; k++)
                {
                    if (switches[k].Name != name)
                        continue;
                    words[k / 64] |= 1UL << (k % 64);
                    found = true;
                }
                if (found)
                    continue;
                var known = string.Join(", ", Array.ConvertAll(switches, one => one.Name));
                throw new ArgumentException("no switch `" + name + "`; known: "
                    + known, nameof(names));
            }
            fixed (ulong* bits = words)
                Native.Check(Native.navbake_set_closed(Pointer, bits,
                    (UIntPtr)(uint)words.Length), "switches", this);
        }

        /// <summary>
        /// Sets the cost of a metre on the areas of a name; infinity forbids them.
        /// </summary>
        public void SetCost(string area, double cost)
        {
            fixed (byte* name = Zero(area))
                Native.Check(Native.navbake_set_cost(Pointer, name, cost), "cost of `" + area
                    + "`", this);
        }

        /// <summary>Sets the costs of all areas from a row of weights of the file.</summary>
        public void SetWeights(string row)
        {
            fixed (byte* name = Zero(row))
                Native.Check(Native.navbake_set_weights(Pointer, name), "weights `" + row
                    + "`", this);
        }

        /// <summary>Sets the cost of height, a metre up and a metre down.</summary>
        public void SetSlopes(double uphill, double downhill)
        {
            Native.Check(Native.navbake_set_slopes(Pointer, uphill, downhill), "slopes", this);
        }

        /// <summary>Adds a cylinder at the next <see cref="Commit"/>.</summary>
        public ulong AddObstacle(Flat centre, double radius, double lowest, double highest)
        {
            var obstacle = Cylinder(&centre, radius, lowest, highest);
            ulong id;
            Native.Check(Native.navbake_obstacle_add(Pointer, &obstacle, &id), "obstacle", this);
            return id;
        }

        /// <summary>
        /// Adds a prism over the convex hull of 2 to 12 points at the next <see cref="Commit"/>.
        /// </summary>
        public ulong AddObstacle(Flat[] corners, double lowest, double highest)
        {
            fixed (Flat* at = corners)
            {
                var obstacle = Cylinder(at, 0, lowest, highest);
                obstacle.CornerCount = (UIntPtr)(uint)corners.Length;
                ulong id;
                Native.Check(Native.navbake_obstacle_add(Pointer, &obstacle, &id), "obstacle",
                    this);
                return id;
            }
        }

        /// <summary>
        /// Puts a cylinder in the place of an obstacle at the next <see cref="Commit"/>.
        /// </summary>
        public void MoveObstacle(ulong id, Flat centre, double radius, double lowest,
            double highest)
        {
            var obstacle = Cylinder(&centre, radius, lowest, highest);
            Native.Check(Native.navbake_obstacle_move(Pointer, id, &obstacle), "obstacle", this);
        }

        /// <summary>
        /// Adds a cylinder as a volume at the next <see cref="Commit"/>: ground within has the area
        /// of this name. <see cref="MoveObstacle"/> moves it, and <see cref="RemoveObstacle"/>
        /// takes it away.
        /// </summary>
        public ulong AddVolume(string area, Flat centre, double radius, double lowest,
            double highest)
        {
            return AddVolume(area, Cylinder(&centre, radius, lowest, highest));
        }

        /// <summary>Adds a prism as a volume at the next <see cref="Commit"/>.</summary>
        public ulong AddVolume(string area, Flat[] corners, double lowest, double highest)
        {
            fixed (Flat* at = corners)
            {
                var shape = Cylinder(at, 0, lowest, highest);
                shape.CornerCount = (UIntPtr)(uint)corners.Length;
                return AddVolume(area, shape);
            }
        }

        private ulong AddVolume(string area, Native.Obstacle shape)
        {
            ulong id;
            fixed (byte* name = Zero(area))
                Native.Check(Native.navbake_volume_add(Pointer, &shape, name, &id),
                    "volume of `" + area + "`", this);
            return id;
        }

        /// <summary>Takes an obstacle or a volume away at the next <see cref="Commit"/>.</summary>
        public void RemoveObstacle(ulong id)
        {
            Native.Check(Native.navbake_obstacle_remove(Pointer, id), "obstacle", this);
        }

        /// <summary>
        /// Takes an obstacle off the mesh until <see cref="PutBack"/> or <see cref="Commit"/>: for
        /// the path of a unit that is an obstacle to others, but not to itself.
        /// </summary>
        public void SetAside(ulong id)
        {
            Native.Check(Native.navbake_set_aside(Pointer, &id, (UIntPtr)1), "obstacle", this);
        }

        /// <summary>Takes several obstacles off the mesh at once.</summary>
        public void SetAside(ulong[] ids)
        {
            fixed (ulong* at = ids)
                Native.Check(Native.navbake_set_aside(Pointer, at, (UIntPtr)(uint)ids.Length),
                    "obstacle", this);
        }

        /// <summary>Puts the obstacles back that were set aside.</summary>
        public void PutBack()
        {
            Native.Check(Native.navbake_set_aside(Pointer, null, UIntPtr.Zero), "obstacle", this);
        }

        /// <summary>Puts a copy of a chunk on the mesh of an index at the next
        /// <see cref="Commit"/>.</summary>
        public void Insert(Chunk chunk)
        {
            var status = Native.navbake_chunk_insert(Pointer, chunk.Pointer);
            GC.KeepAlive(chunk);
            Native.Check(status, "chunk", this);
        }

        /// <summary>
        /// Takes a chunk off at the next <see cref="Commit"/>; false if it is not there.
        /// </summary>
        public bool Remove(ChunkKey chunk)
        {
            return Native.Check(Native.navbake_chunk_remove(Pointer, chunk.Column, chunk.Row),
                "chunk", this) == Status.Ok;
        }

        /// <summary>Is a chunk on the mesh since the last <see cref="Commit"/>?</summary>
        public bool IsLoaded(ChunkKey chunk)
        {
            return Native.Check(Native.navbake_chunk_loaded(Pointer, chunk.Column, chunk.Row),
                "chunk", this) == Status.Ok;
        }

        /// <summary>
        /// Finds the chunks that are not loaded and in which the ground of a place goes on. As many
        /// as fit are written to the array; gives how many there are.
        /// </summary>
        public int NotLoaded(Location from, ChunkKey[] chunks)
        {
            UIntPtr count;
            var capacity = (UIntPtr)(uint)(chunks?.Length ?? 0);
            fixed (ChunkKey* to = chunks)
                Native.Check(Native.navbake_not_loaded(Pointer, &from, to, capacity, &count),
                    "chunks", this);
            return (int)count;
        }

        /// <summary>
        /// Carries out changes of obstacles and chunks until <paramref name="most"/> polygons were
        /// cut; 0 for all.
        /// </summary>
        public Commit Commit(int most = 0)
        {
            Commit done;
            Native.Check(Native.navbake_commit(Pointer, (UIntPtr)(uint)most, &done), "commit",
                this);
            return done;
        }

        /// <summary>Frees the mesh.</summary>
        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        private void Free()
        {
            if (mesh == IntPtr.Zero)
                return;
            Native.navbake_mesh_free(mesh);
            mesh = IntPtr.Zero;
            bytes.DangerousRelease();
        }

        private static Native.Obstacle Cylinder(Flat* centre, double radius, double lowest,
            double highest)
        {
            return new Native.Obstacle
            {
                Corners = centre,
                CornerCount = (UIntPtr)1,
                Radius = radius,
                Lowest = lowest,
                Highest = highest,
            };
        }

        private static byte[] Zero(string text) => Encoding.UTF8.GetBytes(text + "\0");
    }

    /// <summary>
    /// A sequence of random places on one mesh, the same for the same seed. For one thread at a
    /// time.
    /// </summary>
    public sealed unsafe class Places : IDisposable
    {
        private readonly Mesh mesh;
        private IntPtr random;

        /// <summary>A sequence.</summary>
        public Places(Mesh mesh, ulong seed)
        {
            this.mesh = mesh;
            IntPtr made;
            Native.Check(Native.navbake_random_new(mesh.Pointer, seed, &made), "places", this);
            random = made;
        }

        /// <summary>Frees the sequence if <see cref="Dispose"/> was not called.</summary>
        ~Places()
        {
            Free();
        }

        /// <summary>The next place; false without ground.</summary>
        public bool Next(out Location location)
        {
            fixed (Location* place = &location)
                return Native.Check(Native.navbake_random_place(mesh.Pointer, random, place),
                    "place", this) == Status.Ok;
        }

        /// <summary>Frees the sequence.</summary>
        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        private void Free()
        {
            Native.navbake_random_free(random);
            random = IntPtr.Zero;
        }
    }
}

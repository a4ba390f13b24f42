using System;
using System.Runtime.InteropServices;

namespace Navbake
{
    /// <summary>
    /// The result of a call: 0 is success, above 0 is an answer, below 0 a fault.
    /// </summary>
    public enum Status
    {
        /// <summary>Done; of a path: it leads to the goal.</summary>
        Ok = 0,
        /// <summary>No path leads to the goal; this one leads to the place nearest to it.</summary>
        Partial = 1,
        /// <summary>No path leads to the goal.</summary>
        Unreachable = 2,
        /// <summary>There is no ground at the point, the start or the goal.</summary>
        OffMesh = 3,
        /// <summary>The search has too few nodes to decide.</summary>
        OutOfNodes = 4,
        /// <summary>A search that was begun is not over.</summary>
        Searching = 5,
        /// <summary>
        /// No path over the chunks that are loaded leads to the goal, but there may be one in
        /// others.
        /// </summary>
        NotLoaded = 6,
        /// <summary>A pointer is NULL.</summary>
        NullPointer = -1,
        /// <summary>An argument is out of range, or belongs to another mesh.</summary>
        BadArgument = -2,
        /// <summary>The bytes are no blob that this version can read.</summary>
        BadBlob = -3,
        /// <summary>A fault in navbake itself.</summary>
        InternalError = -4,
        /// <summary>The planner or its heuristic needs landmarks, and the mesh has none.</summary>
        NoLandmarks = -5,
        /// <summary>The planner needs rooms, and the mesh has none.</summary>
        NoRooms = -6,
        /// <summary>The planner does not serve a mesh with costs.</summary>
        Costs = -7,
        /// <summary>The start is on blocked ground, which the planner cannot leave.</summary>
        StartBlocked = -8,
        /// <summary>The planner needs cells or a network.</summary>
        NoCells = -9,
        /// <summary>
        /// The bytes are a blob and not a chunk of a world, or a save needs a chunk that is not
        /// given.
        /// </summary>
        NoChunk = -10,
        /// <summary>
        /// The chunk or the save is of another bake or for another agent, or the mesh is not of an
        /// index.
        /// </summary>
        OtherWorld = -11,
        /// <summary>The chunk is there already.</summary>
        ChunkLoaded = -12,
        /// <summary>The bytes are no save, or were changed since.</summary>
        BadSave = -13,
    }

    /// <summary>How a path is searched; the numbers of <c>NAVBAKE_PLANNER_*</c>.</summary>
    public enum Planner : uint
    {
        /// <summary>A* over polygons, near the optimum.</summary>
        Corridor = 0,
        /// <summary>The shortest path in the ground plane.</summary>
        Optimal = 1,
        /// <summary>A* over the middles of portals, away from walls.</summary>
        Midpoints = 2,
        /// <summary>The cheapest path over ground with costs, within a gap.</summary>
        Weighted = 3,
        /// <summary>Over rooms from door to door.</summary>
        Hierarchical = 4,
        /// <summary>The one that the file was baked for.</summary>
        Auto = 5,
    }

    /// <summary>A call that failed.</summary>
    public sealed class NavbakeException : Exception
    {
        /// <summary>Why.</summary>
        public Status Status { get; }

        internal NavbakeException(Status status, string what) : base(what + ": " + status)
        {
            Status = status;
        }
    }

    /// <summary>A point or a vector, y-up metres.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Point
    {
        /// <summary>To the right, m.</summary>
        public double X;
        /// <summary>Up, m.</summary>
        public double Y;
        /// <summary>Towards the viewer, m.</summary>
        public double Z;

        /// <summary>A point.</summary>
        public Point(double x, double y, double z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        /// <summary>The three numbers.</summary>
        public override string ToString() => "(" + X + ", " + Y + ", " + Z + ")";
    }

    /// <summary>x and z of a point or a vector in the ground plane.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Flat
    {
        /// <summary>x, m.</summary>
        public double X;
        /// <summary>z, m.</summary>
        public double Z;

        /// <summary>A point in the ground plane.</summary>
        public Flat(double x, double z)
        {
            X = x;
            Z = z;
        }
    }

    /// <summary>Column and row of a chunk.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ChunkKey
    {
        /// <summary>Along x.</summary>
        public int Column;
        /// <summary>Along z.</summary>
        public int Row;

        /// <summary>A chunk.</summary>
        public ChunkKey(int column, int row)
        {
            Column = column;
            Row = row;
        }

        /// <summary>Both numbers.</summary>
        public override string ToString() => "(" + Column + ", " + Row + ")";
    }

    /// <summary>A place on the surface of a mesh.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Location
    {
        /// <summary>At the height of the surface.</summary>
        public Point Position;
        /// <summary>The polygon that holds it.</summary>
        public uint Polygon;
    }

    /// <summary>Where a ray ends.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Ray
    {
        /// <summary>At the height of the surface.</summary>
        public Point Point;
        /// <summary>A unit vector from the wall into the ground; zeros without a wall.</summary>
        public Flat Normal;
        /// <summary>The share of the distance that it covered, 0 to 1.</summary>
        public double Fraction;
        /// <summary>The polygon in which it ends.</summary>
        public uint Polygon;
        /// <summary>The edge that was met; <see cref="Mesh.None"/> for none.</summary>
        public uint Edge;
        /// <summary>How many portals it crossed.</summary>
        public uint Crossed;

        /// <summary>Was a wall met?</summary>
        public bool Hit => Edge != Mesh.None;
    }

    /// <summary>The result of a motion.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Motion
    {
        /// <summary>Where the point is now.</summary>
        public Location End;
        /// <summary>How far it went, in the ground plane, m.</summary>
        public double Walked;
        private readonly UIntPtr entered;
        private readonly UIntPtr hit;
        /// <summary>How often friction was taken off.</summary>
        public uint Contacts;
    }

    /// <summary>The wall nearest to a place.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Wall
    {
        /// <summary>Distance, m; without a wall the distance up to which there is none.</summary>
        public double Distance;
        /// <summary>Its nearest point; zeros without a wall.</summary>
        public Point Point;
        /// <summary>A unit vector from the wall into the ground; zeros without a wall.</summary>
        public Flat Normal;
        /// <summary>Its polygon; <see cref="Mesh.None"/> without a wall.</summary>
        public uint Polygon;
        /// <summary>Its edge; <see cref="Mesh.None"/> without a wall.</summary>
        public uint Edge;
    }

    /// <summary>A request for a path. <see cref="Between"/> gives the usual one.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PathRequest
    {
        /// <summary>From here.</summary>
        public Point From;
        /// <summary>To here.</summary>
        public Point To;
        /// <summary>How far from both the ground may be, m along each axis.</summary>
        public Point Extents;
        /// <summary>The planner.</summary>
        public Planner Planner;
        private uint partial;
        private uint pointsOnly;
        private uint landmarks;
        /// <summary>Weighted: the accepted gap to the cheapest path, as a share.</summary>
        public double Gap;
        private uint order;
        private uint heuristic;
        /// <summary>The factor of the estimate, 1 usually.</summary>
        public double Weight;
        private uint ahead;
        private uint reverse;
        private double aheadCost;
        private uint maxOpen;
        private uint cornerCutting;
        private double diagonalCost;
        private double turnPenalty;
        private uint unit;

        /// <summary>Go as near as possible where the goal cannot be reached?</summary>
        public bool GoNear
        {
            get => partial != 0;
            set => partial = value ? 1u : 0u;
        }

        /// <summary>
        /// Needs the path no polygons? That saves time where the mesh has labels.
        /// </summary>
        public bool PointsOnly
        {
            get => pointsOnly != 0;
            set => pointsOnly = value ? 1u : 0u;
        }

        /// <summary>The usual request between two points.</summary>
        public static unsafe PathRequest Between(Point from, Point to)
        {
            PathRequest request;
            Native.Check(Native.navbake_path_request(&from, &to, &request), "path request");
            return request;
        }
    }

    /// <summary>A part of a path: over ground, or over a link.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Leg
    {
        /// <summary>The link; <see cref="Mesh.None"/> on ground.</summary>
        public uint Link;
        /// <summary>The number of its first point in the path.</summary>
        public uint FirstPoint;
        /// <summary>How many points.</summary>
        public uint PointCount;
        /// <summary>The number of its first polygon in the path.</summary>
        public uint FirstPolygon;
        /// <summary>How many polygons.</summary>
        public uint PolygonCount;
    }

    /// <summary>
    /// A path. Its points, polygons and legs are in the search, until that is used again or
    /// disposed.
    /// </summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Path
    {
        private readonly Point* points;
        private readonly UIntPtr pointCount;
        private readonly uint* polygons;
        private readonly UIntPtr polygonCount;
        /// <summary>Length in the ground plane, m.</summary>
        public double Length;
        /// <summary>Length along the surface, m.</summary>
        public double Length3D;
        /// <summary>The cost that the planner minimises.</summary>
        public double Cost;
        /// <summary>No path from start to goal costs less than this.</summary>
        public double Bound;
        /// <summary>Polygons taken off the open list.</summary>
        public uint Expanded;
        private readonly uint certified;
        /// <summary>How much more it may cost than the cheapest path, as a share.</summary>
        public double Gap;
        /// <summary>The planner that found it.</summary>
        public Planner Planner;
        /// <summary>The number of the goal that it leads to.</summary>
        public uint Goal;
        private readonly Leg* legs;
        private readonly UIntPtr legCount;

        /// <summary>Does no shorter path exist?</summary>
        public bool CertifiedOptimal => certified != 0;
        /// <summary>How many points.</summary>
        public int PointCount => (int)pointCount;
        /// <summary>How many polygons.</summary>
        public int PolygonCount => (int)polygonCount;
        /// <summary>How many legs.</summary>
        public int LegCount => (int)legCount;

        /// <summary>A point: start, corners, end.</summary>
        public Point this[int point] => points[Within(point, pointCount)];

        /// <summary>A polygon that it leads through.</summary>
        public uint Polygon(int number) => polygons[Within(number, polygonCount)];

        /// <summary>A part over ground or over a link; they alternate, ground first.</summary>
        public Leg Leg(int number) => legs[Within(number, legCount)];

        private static int Within(int number, UIntPtr count)
        {
            if (number < 0 || (ulong)number >= (ulong)count)
                throw new ArgumentOutOfRangeException(nameof(number));
            return number;
        }
    }

    /// <summary>What a commit did.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Commit
    {
        private readonly UIntPtr changed;
        private readonly UIntPtr polygons;
        private readonly UIntPtr left;

        /// <summary>Obstacles that were added, moved or removed.</summary>
        public int Changed => (int)changed;
        /// <summary>
        /// Baked polygons that were cut anew or came back, and those of chunks.
        /// </summary>
        public int Polygons => (int)polygons;
        /// <summary>Changes that wait for the next commit.</summary>
        public int Left => (int)left;
    }

    /// <summary>How many of each a mesh has.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Counts
    {
        /// <summary>Polygons; some are gone while obstacles are on them.</summary>
        public uint Polygons;
        /// <summary>Links of polygons.</summary>
        public uint Links;
        /// <summary>Islands.</summary>
        public uint Islands;
        /// <summary>
        /// Rooms, 0 where none were found.
        /// </summary>
        public uint Rooms;
        /// <summary>Doors between them.</summary>
        public uint RoomDoors;
    }

    /// <summary>A polygon.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Polygon
    {
        private readonly UIntPtr corners;
        /// <summary>The number of its first edge; its other edges follow.</summary>
        public uint FirstEdge;
        /// <summary>The number of its area.</summary>
        public uint Area;
        /// <summary>Its island.</summary>
        public uint Island;
        /// <summary>Its room; <see cref="Mesh.None"/> where the mesh has none.</summary>
        public uint Room;

        /// <summary>How many corners; 0 while obstacles have replaced it by pieces.</summary>
        public int Corners => (int)corners;
    }
}

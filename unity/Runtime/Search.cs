using System;

namespace Navbake
{
    /// <summary>
    /// The memory of searches on one mesh; it grows as requests need it. For one thread at a time.
    /// </summary>
    public sealed unsafe class Search : IDisposable
    {
        private readonly Mesh mesh;
        private IntPtr search;

        /// <summary>
        /// Memory for searches that look at no more than <paramref name="nodes"/> polygons; 0 for
        /// any number.
        /// </summary>
        public Search(Mesh mesh, int nodes = 0)
        {
            this.mesh = mesh;
            IntPtr made;
            Native.Check(Native.navbake_search_new(mesh.Pointer, (UIntPtr)(uint)nodes, &made),
                "search", this);
            search = made;
        }

        /// <summary>Frees the memory if <see cref="Dispose"/> was not called.</summary>
        ~Search()
        {
            Free();
        }

        private IntPtr Pointer
        {
            get
            {
                if (search == IntPtr.Zero)
                    throw new ObjectDisposedException(nameof(Search));
                return search;
            }
        }

        /// <summary>Finds a path. No garbage: the path is in the memory of the search.</summary>
        /// <exception cref="NavbakeException">The planner does not serve the request.</exception>
        public Status FindPath(ref PathRequest request, out Path path)
        {
            fixed (PathRequest* asked = &request)
            fixed (Path* found = &path)
                return Native.Check(Native.navbake_path(mesh.Pointer, Pointer, asked, found),
                    "path", this);
        }

        /// <summary>Finds the usual path between two points.</summary>
        public Status FindPath(Point from, Point to, out Path path)
        {
            var request = PathRequest.Between(from, to);
            return FindPath(ref request, out path);
        }

        /// <summary>
        /// Finds a path to the nearest of several goals; <see cref="Path.Goal"/> is its number.
        /// </summary>
        public Status FindPath(ref PathRequest request, Point[] goals, out Path path)
        {
            fixed (PathRequest* asked = &request)
            fixed (Point* to = goals)
            fixed (Path* found = &path)
            {
                var count = (UIntPtr)(uint)goals.Length;
                return Native.Check(
                    Native.navbake_path_to_any(mesh.Pointer, Pointer, asked, to, count, found),
                        "path", this);
            }
        }

        /// <summary>Begins a search in steps.</summary>
        public Status Start(ref PathRequest request)
        {
            fixed (PathRequest* asked = &request)
                return Native.Check(Native.navbake_path_start(mesh.Pointer, Pointer, asked),
                    "search", this);
        }

        /// <summary>
        /// Goes on until <paramref name="budget"/> polygons were expanded, or the search is over.
        /// </summary>
        public Status Step(int budget)
        {
            return Native.Check(Native.navbake_path_step(mesh.Pointer, Pointer, (uint)budget),
                "search", this);
        }

        /// <summary>The path of the search in steps, up to now.</summary>
        public Status Result(out Path path)
        {
            fixed (Path* found = &path)
                return Native.Check(Native.navbake_path_result(mesh.Pointer, Pointer, found),
                    "search", this);
        }

        /// <summary>
        /// Finds a route to a goal over chunks that are loaded or not; false where there is no
        /// path, whatever is loaded. Ground of the goal is looked for up to
        /// <paramref name="vertical"/> metres above and below it. As many passages as fit are
        /// written to the array.
        /// </summary>
        public bool FindRoute(Location from, Point to, double vertical, Passage[] passages,
            out Route route)
        {
            var capacity = (UIntPtr)(uint)(passages?.Length ?? 0);
            fixed (Passage* room = passages)
            fixed (Route* found = &route)
                return Native.Check(Native.navbake_route(mesh.Pointer, Pointer, &from, &to,
                    vertical, room, capacity, found), "route", this) == Status.Ok;
        }

        /// <summary>
        /// The wall nearest to a place, at most <paramref name="most"/> metres away.
        /// </summary>
        public Wall WallDistance(Location from, double most)
        {
            Wall wall;
            Native.Check(Native.navbake_wall_distance(mesh.Pointer, Pointer, &from, most, &wall),
                "wall", this);
            return wall;
        }

        /// <summary>Frees the memory.</summary>
        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        private void Free()
        {
            Native.navbake_search_free(search);
            search = IntPtr.Zero;
        }
    }
}

using System;
using System.Runtime.InteropServices;

namespace Navbake
{
    /// <summary>The functions of <c>navbake.h</c> that the package calls.</summary>
    internal static unsafe class Native
    {
        private const string Library = "navbake_c";
        private const CallingConvention C = CallingConvention.Cdecl;

        [StructLayout(LayoutKind.Sequential)]
        internal struct Agent
        {
            internal byte* Name;
            internal UIntPtr NameLength;
            internal double Radius;
            internal double Height;
            internal double Climb;
            internal double Slope;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Switch
        {
            internal byte* Name;
            internal UIntPtr NameLength;
            internal uint Closed;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Marker
        {
            internal byte* Name;
            internal UIntPtr NameLength;
            internal Point Position;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Obstacle
        {
            internal Flat* Corners;
            internal UIntPtr CornerCount;
            internal double Radius;
            internal double Lowest;
            internal double Highest;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Link
        {
            internal byte* Name;
            internal UIntPtr NameLength;
            internal Point From;
            internal Point To;
            internal double Cost;
            internal double Width;
            internal uint Polygon;
            internal uint Beyond;
            internal uint Agents;
            internal uint SwitchNumber;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct Room
        {
            internal byte* Name;
            internal UIntPtr NameLength;
            internal Point Middle;
            internal double Area;
            internal uint DeadEnd;
            internal uint Choke;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct RoomDoor
        {
            internal byte* Name;
            internal UIntPtr NameLength;
            internal Flat From;
            internal Flat To;
            internal double Width;
            internal uint Room;
            internal uint Beyond;
            internal uint Bridge;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct ChunkFile
        {
            internal fixed byte Name[64];
            internal ChunkKey Key;
            internal Point Least;
            internal Point Greatest;
            internal ulong Bytes;
            internal uint Polygons;
            internal fixed byte Hash[32];
        }

        [DllImport(Library, CallingConvention = C)]
        internal static extern byte* navbake_version();
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_open(
            void* data, UIntPtr length, byte* message, UIntPtr capacity, IntPtr* blob);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void navbake_close(IntPtr blob);
        [DllImport(Library, CallingConvention = C)]
        internal static extern UIntPtr navbake_agent_count(IntPtr blob);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_agent(IntPtr blob, UIntPtr index, Agent* agent);
        [DllImport(Library, CallingConvention = C)]
        internal static extern UIntPtr navbake_switch_count(IntPtr blob);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_switch(IntPtr blob, UIntPtr index, Switch* found);
        [DllImport(Library, CallingConvention = C)]
        internal static extern UIntPtr navbake_marker_count(IntPtr blob);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_marker(IntPtr blob, UIntPtr index, Marker* marker);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_mesh(IntPtr blob, UIntPtr agent, IntPtr* mesh);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void navbake_mesh_free(IntPtr mesh);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_set_closed(IntPtr mesh, ulong* switches,
            UIntPtr words);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_set_cost(IntPtr mesh, byte* area, double cost);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_set_weights(IntPtr mesh, byte* name);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_set_slopes(IntPtr mesh, double up, double down);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_locate(
            IntPtr mesh, Point* point, double vertical, Location* location);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_nearest(
            IntPtr mesh, Point* point, Point* extents, Location* location);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_reachable(IntPtr mesh, Location* from, Location* to);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_raycast(
            IntPtr mesh, Location* from, Point* towards, Ray* ray);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_move(
            IntPtr mesh, Location* from, Point* to, double kept, uint* entered,
            UIntPtr enteredCapacity, uint* hit, UIntPtr hitCapacity, Motion* motion);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_counts(IntPtr mesh, Counts* counts);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_polygon(
            IntPtr mesh, uint number, Point* corners, uint* beyond, UIntPtr capacity,
            Polygon* polygon);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_link(IntPtr mesh, uint index, Link* link);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_room(IntPtr mesh, uint index, Room* room);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_room_door(IntPtr mesh, uint index, RoomDoor* door);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_obstacle_add(
            IntPtr mesh, Obstacle* obstacle, ulong* id);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_obstacle_move(
            IntPtr mesh, ulong id, Obstacle* obstacle);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_obstacle_remove(IntPtr mesh, ulong id);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_set_aside(IntPtr mesh, ulong* ids, UIntPtr count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_volume_add(
            IntPtr mesh, Obstacle* shape, byte* area, ulong* id);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_commit(IntPtr mesh, UIntPtr most, Commit* done);
        [DllImport(Library, CallingConvention = C)]
        internal static extern UIntPtr navbake_chunk_count(IntPtr index);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_chunk_file(
            IntPtr index, UIntPtr number, ChunkFile* file);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_chunk_open(
            IntPtr index, UIntPtr agent, byte* data, UIntPtr length, byte* message,
            UIntPtr capacity, IntPtr* chunk);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void navbake_chunk_free(IntPtr chunk);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_chunk_insert(IntPtr mesh, IntPtr chunk);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_chunk_remove(IntPtr mesh, int column, int row);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_chunk_loaded(IntPtr mesh, int column, int row);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_not_loaded(
            IntPtr mesh, Location* from, ChunkKey* chunks, UIntPtr capacity, UIntPtr* count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_route(
            IntPtr mesh, IntPtr search, Location* from, Point* to, double vertical,
            Passage* passages, UIntPtr capacity, Route* route);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_save(
            IntPtr mesh, byte* saved, UIntPtr capacity, UIntPtr* length);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_saved_chunks(
            byte* saved, UIntPtr length, byte* message, UIntPtr messageCapacity, ChunkKey* chunks,
            UIntPtr capacity, UIntPtr* count);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_restore(
            IntPtr mesh, byte* saved, UIntPtr length, IntPtr* chunks, UIntPtr chunkCount,
            byte* message, UIntPtr capacity);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_random_new(IntPtr mesh, ulong seed, IntPtr* random);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void navbake_random_free(IntPtr random);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_random_place(
            IntPtr mesh, IntPtr random, Location* location);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_search_new(
            IntPtr mesh, UIntPtr nodes, IntPtr* search);
        [DllImport(Library, CallingConvention = C)]
        internal static extern void navbake_search_free(IntPtr search);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_wall_distance(
            IntPtr mesh, IntPtr search, Location* from, double most, Wall* wall);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_path_request(
            Point* from, Point* to, PathRequest* request);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_path(
            IntPtr mesh, IntPtr search, PathRequest* request, Path* path);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_path_to_any(
            IntPtr mesh, IntPtr search, PathRequest* request, Point* goals, UIntPtr count,
            Path* path);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_path_start(
            IntPtr mesh, IntPtr search, PathRequest* request);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_path_step(IntPtr mesh, IntPtr search, uint budget);
        [DllImport(Library, CallingConvention = C)]
        internal static extern Status navbake_path_result(IntPtr mesh, IntPtr search, Path* path);

        /// <summary>
        /// An answer; faults are thrown. <paramref name="owner"/> is not finalized before the call
        /// has ended.
        /// </summary>
        internal static Status Check(Status status, string what, object owner = null)
        {
            GC.KeepAlive(owner);
            if (status < 0)
                throw new NavbakeException(status, what);
            return status;
        }
    }
}

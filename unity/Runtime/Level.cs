using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Navbake
{
    /// <summary>A kind of unit that a level was baked for.</summary>
    public sealed class Agent
    {
        /// <summary>Its name.</summary>
        public string Name { get; internal set; }
        /// <summary>Radius, m.</summary>
        public double Radius { get; internal set; }
        /// <summary>Height, m.</summary>
        public double Height { get; internal set; }
        /// <summary>The highest step it takes, m.</summary>
        public double Climb { get; internal set; }
        /// <summary>The steepest ground it walks on, degrees.</summary>
        public double Slope { get; internal set; }
    }

    /// <summary>A switch: it closes doors, polygons and links.</summary>
    public sealed class Switch
    {
        /// <summary>Its name.</summary>
        public string Name { get; internal set; }
        /// <summary>Is it closed as the level begins?</summary>
        public bool Closed { get; internal set; }
    }

    /// <summary>A named place of a level.</summary>
    public sealed class Marker
    {
        /// <summary>Its name.</summary>
        public string Name { get; internal set; }
        /// <summary>Where it is.</summary>
        public Point Position { get; internal set; }
    }

    /// <summary>The bytes of a blob, until the level and all its meshes are disposed.</summary>
    internal sealed class Bytes : SafeHandle
    {
        internal Bytes(byte[] bytes) : base(IntPtr.Zero, true)
        {
            SetHandle(Marshal.AllocHGlobal(Math.Max(bytes.Length, 1)));
            Marshal.Copy(bytes, 0, handle, bytes.Length);
        }

        /// <inheritdoc/>
        public override bool IsInvalid => handle == IntPtr.Zero;

        internal IntPtr Start => handle;

        /// <inheritdoc/>
        protected override bool ReleaseHandle()
        {
            Marshal.FreeHGlobal(handle);
            return true;
        }
    }

    /// <summary>
    /// A baked level. Its meshes go on working after it is disposed. For several threads at a time.
    /// </summary>
    public sealed unsafe class Level : IDisposable
    {
        /// <summary>Bytes for a message.</summary>
        internal const int Room = 400;

        private readonly Bytes bytes;
        private IntPtr blob;

        /// <summary>Copies a blob and checks all of its bytes.</summary>
        /// <exception cref="NavbakeException">The bytes are no blob.</exception>
        public Level(byte[] blob)
        {
            if (blob == null)
                throw new ArgumentNullException(nameof(blob));
            bytes = new Bytes(blob);
            byte* message = stackalloc byte[Room];
            message[0] = 0;
            IntPtr opened;
            var length = (UIntPtr)(uint)blob.Length;
            var status = Native.navbake_open((void*)bytes.Start, length, message,
                (UIntPtr)Room, &opened);
            if (status < 0)
            {
                bytes.Dispose();
                throw new NavbakeException(status, Text(message));
            }
            this.blob = opened;
            Agents = new Agent[(int)Native.navbake_agent_count(opened)];
            for (var k = 0; k < Agents.Length; k++)
            {
                Native.Agent found;
                Native.Check(Native.navbake_agent(opened, (UIntPtr)(uint)k, &found), "agent");
                Agents[k] = new Agent
                {
                    Name = Text(found.Name, found.NameLength),
                    Radius = found.Radius,
                    Height = found.Height,
                    Climb = found.Climb,
                    Slope = found.Slope,
                };
            }
            Switches = new Switch[(int)Native.navbake_switch_count(opened)];
            for (var k = 0; k < Switches.Length; k++)
            {
                Native.Switch found;
                Native.Check(Native.navbake_switch(opened, (UIntPtr)(uint)k, &found), "switch");
                Switches[k] = new Switch { Name = Text(found.Name, found.NameLength),
                    Closed = found.Closed != 0 };
            }
            Markers = new Marker[(int)Native.navbake_marker_count(opened)];
            for (var k = 0; k < Markers.Length; k++)
            {
                Native.Marker found;
                Native.Check(Native.navbake_marker(opened, (UIntPtr)(uint)k, &found), "marker");
                Markers[k] = new Marker { Name = Text(found.Name, found.NameLength),
                    Position = found.Position };
            }
            Chunks = new ChunkFile[(int)Native.navbake_chunk_count(opened)];
            for (var k = 0; k < Chunks.Length; k++)
            {
                Native.ChunkFile found;
                Native.Check(Native.navbake_chunk_file(opened, (UIntPtr)(uint)k, &found), "chunk");
                Chunks[k] = new ChunkFile
                {
                    Name = Text(found.Name),
                    Key = found.Key,
                    Least = found.Least,
                    Greatest = found.Greatest,
                    Bytes = found.Bytes,
                    Polygons = found.Polygons,
                    Hash = new byte[32],
                };
                Marshal.Copy((IntPtr)found.Hash, Chunks[k].Hash, 0, 32);
            }
        }

        /// <summary>Frees the level if <see cref="Dispose"/> was not called.</summary>
        ~Level()
        {
            Free();
        }

        /// <summary>The version of the library.</summary>
        public static string Version => Text(Native.navbake_version());

        /// <summary>The agents that it was baked for.</summary>
        public Agent[] Agents { get; }
        /// <summary>Its switches.</summary>
        public Switch[] Switches { get; }
        /// <summary>Its named places.</summary>
        public Marker[] Markers { get; }
        /// <summary>The chunks of a world, if this is its index.</summary>
        public ChunkFile[] Chunks { get; }

        /// <summary>The navmesh of the first agent, or of the one with this name.</summary>
        /// <exception cref="ArgumentException">No agent has this name.</exception>
        public Mesh Mesh(string agent = null)
        {
            var number = Number(agent);
            IntPtr mesh;
            Native.Check(Native.navbake_mesh(blob, number, &mesh), "mesh");
            return new Mesh(mesh, bytes, Switches);
        }

        /// <summary>
        /// Opens the bytes of a chunk's file, for the first agent or the one with this name. It may
        /// be called on any thread, and takes most of the time of loading.
        /// </summary>
        /// <exception cref="NavbakeException">The bytes are no chunk.</exception>
        /// <exception cref="ArgumentException">No agent has this name.</exception>
        public Chunk OpenChunk(byte[] bytes, string agent = null)
        {
            if (bytes == null)
                throw new ArgumentNullException(nameof(bytes));
            var number = Number(agent);
            byte* message = stackalloc byte[Room];
            message[0] = 0;
            IntPtr chunk;
            Status status;
            fixed (byte* data = bytes)
                status = Native.navbake_chunk_open(blob, number, data,
                    (UIntPtr)(uint)bytes.Length, message, (UIntPtr)Room, &chunk);
            GC.KeepAlive(this);
            if (status < 0)
                throw new NavbakeException(status, Text(message));
            return new Chunk(chunk);
        }

        private UIntPtr Number(string agent)
        {
            if (blob == IntPtr.Zero)
                throw new ObjectDisposedException(nameof(Level));
            var number = agent == null ? 0 : Array.FindIndex(Agents, one => one.Name == agent);
            if (number < 0)
            {
                var known = string.Join(", ", Array.ConvertAll(Agents, one => one.Name));
                throw new ArgumentException("no agent `" + agent + "`; known: "
                    + known, nameof(agent));
            }
            return (UIntPtr)(uint)number;
        }

        /// <summary>Frees the level.</summary>
        public void Dispose()
        {
            Free();
            bytes.Dispose();
            GC.SuppressFinalize(this);
        }

        private void Free()
        {
            Native.navbake_close(blob);
            blob = IntPtr.Zero;
        }

        internal static string Text(byte* start, UIntPtr length)
            => Encoding.UTF8.GetString(start, (int)length);

        internal static string Text(byte* start)
        {
            var end = 0;
            while (start[end] != 0)
                end++;
            return Encoding.UTF8.GetString(start, end);
        }
    }
}

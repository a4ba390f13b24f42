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
        private readonly Bytes bytes;
        private IntPtr blob;

        /// <summary>Copies a blob and checks all of its bytes.</summary>
        /// <exception cref="NavbakeException">The bytes are no blob.</exception>
        public Level(byte[] blob)
        {
            if (blob == null)
                throw new ArgumentNullException(nameof(blob));
            bytes = new Bytes(blob);
            const int capacity = 400;
            byte* message = stackalloc byte[capacity];
            message[0] = 0;
            IntPtr opened;
            var length = (UIntPtr)(uint)blob.Length;
            var status = Native.navbake_open((void*)bytes.Start, length, message,
                (UIntPtr)capacity, &opened);
            if (status < 0)
            {
                bytes.Dispose();
                var end = 0;
                while (message[end] != 0)
                    end++;
                throw new NavbakeException(status, Encoding.UTF8.GetString(message, end));
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
        }

        /// <summary>Frees the level if <see cref="Dispose"/> was not called.</summary>
        ~Level()
        {
            Free();
        }

        /// <summary>The version of the library.</summary>
        public static string Version
        {
            get
            {
                var text = Native.navbake_version();
                var end = 0;
                while (text[end] != 0)
                    end++;
                return Encoding.UTF8.GetString(text, end);
            }
        }

        /// <summary>The agents that it was baked for.</summary>
        public Agent[] Agents { get; }
        /// <summary>Its switches.</summary>
        public Switch[] Switches { get; }
        /// <summary>Its named places.</summary>
        public Marker[] Markers { get; }

        /// <summary>The navmesh of the first agent, or of the one with this name.</summary>
        /// <exception cref="ArgumentException">No agent has this name.</exception>
        public Mesh Mesh(string agent = null)
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
            IntPtr mesh;
            Native.Check(Native.navbake_mesh(blob, (UIntPtr)(uint)number, &mesh), "mesh");
            return new Mesh(mesh, bytes, Switches);
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

        private static string Text(byte* start, UIntPtr length)
            => Encoding.UTF8.GetString(start, (int)length);
    }
}

using System;
using System.Runtime.InteropServices;

namespace Navbake
{
    /// <summary>A chunk of a world and its file, as the index lists it.</summary>
    public sealed class ChunkFile
    {
        /// <summary>The name of its file, in the folder of the chunks.</summary>
        public string Name { get; internal set; }
        /// <summary>Its column and its row.</summary>
        public ChunkKey Key { get; internal set; }
        /// <summary>Least x, y, z of its ground.</summary>
        public Point Least { get; internal set; }
        /// <summary>Greatest x, y, z of its ground.</summary>
        public Point Greatest { get; internal set; }
        /// <summary>Length of its file, bytes.</summary>
        public ulong Bytes { get; internal set; }
        /// <summary>Polygons of all agents.</summary>
        public uint Polygons { get; internal set; }
        /// <summary>BLAKE3 of its file.</summary>
        public byte[] Hash { get; internal set; }
    }

    /// <summary>A place where a route passes from one chunk to the next.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Passage
    {
        /// <summary>Where.</summary>
        public Point Position;
        /// <summary>The chunk that the route enters there.</summary>
        public ChunkKey Into;
    }

    /// <summary>A route over chunks of a world, loaded or not.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Route
    {
        /// <summary>
        /// Its length in the ground plane, m. It is not proved to be the shortest.
        /// </summary>
        public double Length;
        private readonly UIntPtr passages;

        /// <summary>How many passages it has.</summary>
        public int Passages => (int)passages;
    }

    /// <summary>
    /// A chunk of a world, opened for an agent by <see cref="Level.OpenChunk"/>. Meshes take copies
    /// of it.
    /// </summary>
    public sealed class Chunk : IDisposable
    {
        private IntPtr chunk;

        internal Chunk(IntPtr chunk)
        {
            this.chunk = chunk;
        }

        /// <summary>Frees the chunk if <see cref="Dispose"/> was not called.</summary>
        ~Chunk()
        {
            Free();
        }

        internal IntPtr Pointer
        {
            get
            {
                if (chunk == IntPtr.Zero)
                    throw new ObjectDisposedException(nameof(Chunk));
                return chunk;
            }
        }

        /// <summary>Frees the chunk; meshes that it was inserted into keep its ground.</summary>
        public void Dispose()
        {
            Free();
            GC.SuppressFinalize(this);
        }

        private void Free()
        {
            Native.navbake_chunk_free(chunk);
            chunk = IntPtr.Zero;
        }
    }
}

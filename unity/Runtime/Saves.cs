using System;

namespace Navbake
{
    public sealed unsafe partial class Mesh
    {
        /// <summary>
        /// Obstacles, volumes, chunks and changes that wait for a commit as bytes, for
        /// <see cref="Restore"/>. What was set aside is put back first.
        /// </summary>
        public byte[] Save()
        {
            UIntPtr length;
            Native.Check(Native.navbake_save(Pointer, null, UIntPtr.Zero, &length), "save", this);
            var saved = new byte[(int)length];
            fixed (byte* to = saved)
                Native.Check(Native.navbake_save(Pointer, to, length, &length), "save", this);
            return saved;
        }

        /// <summary>
        /// Makes the mesh what it was when <see cref="Save"/> gave these bytes, to the bit. Numbers
        /// of obstacles stay valid; closed switches and costs stay as they are now.
        /// </summary>
        /// <exception cref="NavbakeException">
        /// The bytes are no save of this level, or a chunk is missing or has changed. The mesh is
        /// as before.
        /// </exception>
        public void Restore(byte[] saved, params Chunk[] chunks)
        {
            if (saved == null)
                throw new ArgumentNullException(nameof(saved));
            var pointers = Array.ConvertAll(chunks, chunk => chunk.Pointer);
            byte* message = stackalloc byte[Level.Room];
            message[0] = 0;
            Status status;
            fixed (byte* data = saved)
            fixed (IntPtr* given = pointers)
                status = Native.navbake_restore(Pointer, data, (UIntPtr)(uint)saved.Length, given,
                    (UIntPtr)(uint)pointers.Length, message, (UIntPtr)Level.Room);
            GC.KeepAlive(chunks);
            GC.KeepAlive(this);
            if (status < 0)
                throw new NavbakeException(status, Level.Text(message));
        }

        /// <summary>The chunks that <see cref="Restore"/> needs.</summary>
        /// <exception cref="NavbakeException">The bytes are no save.</exception>
        public static ChunkKey[] SavedChunks(byte[] saved)
        {
            if (saved == null)
                throw new ArgumentNullException(nameof(saved));
            UIntPtr count;
            SavedChunks(saved, null, &count);
            var chunks = new ChunkKey[(int)count];
            SavedChunks(saved, chunks, &count);
            return chunks;
        }

        private static void SavedChunks(byte[] saved, ChunkKey[] chunks, UIntPtr* count)
        {
            byte* message = stackalloc byte[Level.Room];
            message[0] = 0;
            Status status;
            fixed (byte* data = saved)
            fixed (ChunkKey* to = chunks)
                status = Native.navbake_saved_chunks(data, (UIntPtr)(uint)saved.Length, message,
                    (UIntPtr)Level.Room, to, (UIntPtr)(uint)(chunks?.Length ?? 0), count);
            if (status < 0)
                throw new NavbakeException(status, Level.Text(message));
        }
    }
}

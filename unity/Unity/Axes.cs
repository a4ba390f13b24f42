using UnityEngine;

namespace Navbake
{
    /// <summary>
    /// Between Unity's axes and navbake's: z points away from the viewer in Unity and towards them
    /// in navbake. Units are metres in both.
    /// </summary>
    /// <example><c>search.FindPath(transform.position.ToPoint(), goal.ToPoint(), out path)</c>
    /// </example>
    public static class Axes
    {
        /// <summary>A point or a vector of Unity in navbake's axes.</summary>
        public static Point ToPoint(this Vector3 vector)
            => new Point(vector.x, vector.y, -vector.z);

        /// <summary>A point or a vector of Unity, seen from above.</summary>
        public static Flat ToFlat(this Vector3 vector) => new Flat(vector.x, -vector.z);

        /// <summary>A point or a vector of navbake in Unity's axes.</summary>
        public static Vector3 ToVector3(this Point point)
            => new Vector3((float)point.X, (float)point.Y, (float)-point.Z);

        /// <summary>A point or a vector in the ground plane in Unity's axes, y 0.</summary>
        public static Vector3 ToVector3(this Flat flat)
            => new Vector3((float)flat.X, 0, (float)-flat.Z);
    }
}

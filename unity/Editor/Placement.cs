namespace Navbake.Editor
{
    /// <summary>From a part's own space to the world: the rows of a 3 by 4 matrix.</summary>
    public struct Placement
    {
        private readonly double xx, xy, xz, x, yx, yy, yz, y, zx, zy, zz, z;

        /// <summary>No change.</summary>
        public static readonly Placement None = new Placement(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

        /// <summary>A matrix, row by row; the last of each row is the translation.</summary>
        public Placement(double xx, double xy, double xz, double x, double yx, double yy,
            double yz, double y, double zx, double zy, double zz, double z)
        {
            this.xx = xx;
            this.xy = xy;
            this.xz = xz;
            this.x = x;
            this.yx = yx;
            this.yy = yy;
            this.yz = yz;
            this.y = y;
            this.zx = zx;
            this.zy = zy;
            this.zz = zz;
            this.z = z;
        }

        /// <summary>A translation.</summary>
        public static Placement At(double x, double y, double z)
            => new Placement(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z);

        /// <summary>Does it mirror, so that corners go around the other way?</summary>
        public bool Mirrors
            => xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx) < 0;

        /// <summary>Places a point.</summary>
        public Point Place(double px, double py, double pz)
            => new Point(xx * px + xy * py + xz * pz + x, yx * px + yy * py + yz * pz + y,
                zx * px + zy * py + zz * pz + z);
    }
}

namespace Navbake
{
    /// <summary>A room of the level.</summary>
    public struct Room
    {
        /// <summary>Its name, which may be empty.</summary>
        public string Name;
        /// <summary>A place near its middle.</summary>
        public Point Middle;
        /// <summary>The area of its ground seen from above, square metres.</summary>
        public double Area;
        /// <summary>Has it one door only?</summary>
        public bool DeadEnd;
        /// <summary>Are some of its neighbours connected over it alone?</summary>
        public bool Choke;
    }

    /// <summary>A door between two rooms.</summary>
    public struct RoomDoor
    {
        /// <summary>Its name, which may be empty; a switch of that name closes it.</summary>
        public string Name;
        /// <summary>One end.</summary>
        public Flat From;
        /// <summary>The other end.</summary>
        public Flat To;
        /// <summary>The width from wall to wall, m.</summary>
        public double Width;
        /// <summary>The room with the lesser number.</summary>
        public uint Room;
        /// <summary>The room beyond.</summary>
        public uint Beyond;
        /// <summary>Are its rooms connected over it alone?</summary>
        public bool Bridge;
    }

    public sealed unsafe partial class Mesh
    {
        /// <summary>
        /// A room. Numbers are those of <see cref="Polygon"/> and <see cref="Counts"/>, the same
        /// whichever chunks of a world are loaded.
        /// </summary>
        public Room Room(uint number)
        {
            Native.Room room;
            Native.Check(Native.navbake_room(Pointer, number, &room), "room", this);
            return new Room
            {
                Name = Level.Text(room.Name, room.NameLength),
                Middle = room.Middle,
                Area = room.Area,
                DeadEnd = room.DeadEnd != 0,
                Choke = room.Choke != 0,
            };
        }

        /// <summary>A door between rooms.</summary>
        public RoomDoor RoomDoor(uint number)
        {
            Native.RoomDoor door;
            Native.Check(Native.navbake_room_door(Pointer, number, &door), "door", this);
            return new RoomDoor
            {
                Name = Level.Text(door.Name, door.NameLength),
                From = door.From,
                To = door.To,
                Width = door.Width,
                Room = door.Room,
                Beyond = door.Beyond,
                Bridge = door.Bridge != 0,
            };
        }
    }
}

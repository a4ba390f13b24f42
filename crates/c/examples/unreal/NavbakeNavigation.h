// Paths in Unreal on a navmesh that navbake has baked. Unreal's units: centimetres, z up.
//
// Add it to a module of your game, with navbake.h and navbake.hpp beside it. docs/engines/unreal.md
// says how to link the library.
#pragma once

#include <utility>

#include "CoreMinimal.h"
#include "navbake.hpp"

/**
 * A baked file, its navmesh for one agent, and the memory of searches. For one thread at a time:
 * make one of these for each thread.
 */
class FNavbakeNavigation
{
public:
	/** Opens the bytes of a file and keeps them; false, and closed, where they are refused. */
	bool Open(TArray<uint8>&& InBytes, int32 Agent = 0)
	{
		Close();
		Bytes = std::move(InBytes);
		auto Opened = navbake::Blob::open(Bytes.GetData(), Bytes.Num(), Message, sizeof(Message));
		if (!Opened)
		{
			return false;
		}
		Blob = std::move(Opened.value);
		auto Found = Blob.mesh(Agent);
		if (!Found)
		{
			return false;
		}
		Mesh = std::move(Found.value);
		auto Made = navbake::Search::make(Mesh);
		Search = std::move(Made.value);
		return Made.status == NAVBAKE_OK;
	}

	/** Why Open refused the bytes. */
	const char* Why() const { return Message; }

	void Close()
	{
		Message[0] = 0;
		Search = navbake::Search();
		Mesh = navbake::Mesh();
		Blob = navbake::Blob();
		Bytes.Reset();
	}

	/** The ground nearest to a place, up to Extent away from it; false where there is none. */
	bool Project(const FVector& At, const FVector& Extent, FVector& OnGround) const
	{
		const navbake::Point Reach{Extent.X / CM, Extent.Z / CM, Extent.Y / CM};
		const auto Found = Mesh.nearest(ToNavbake(At), Reach);
		if (Found)
		{
			OnGround = ToUnreal(Found.value.position);
		}
		return bool(Found);
	}

	/** The shortest path, from corner to corner; false where there is none. */
	bool FindPath(const FVector& From, const FVector& To, TArray<FVector>& Points)
	{
		Points.Reset();
		const auto Path = Search.path(Mesh, ToNavbake(From).data(), ToNavbake(To).data());
		if (!Path)
		{
			return false;
		}
		Points.Reserve(int32(Path.value.point_count));
		for (const auto& Point : navbake::points(Path.value))
		{
			Points.Add(ToUnreal(Point));
		}
		return true;
	}

	/** Is there a path at all? Mostly answered without a search. */
	bool IsReachable(const FVector& From, const FVector& To, double Vertical = 200.0) const
	{
		const auto Start = Mesh.locate(ToNavbake(From), Vertical / CM);
		const auto Goal = Mesh.locate(ToNavbake(To), Vertical / CM);
		return Start && Goal && Mesh.reachable(Start.value, Goal.value);
	}

	/** An upright cylinder that takes ground from the next Commit on; 0 where it is refused. */
	uint64 AddCylinder(const FVector& Foot, double Radius, double Height)
	{
		const auto Added = Mesh.add(Cylinder(Foot, Radius, Height));
		return Added ? Added.value + 1 : 0;
	}

	bool MoveCylinder(uint64 Id, const FVector& Foot, double Radius, double Height)
	{
		return Mesh.move_obstacle(Id - 1, Cylinder(Foot, Radius, Height)) == NAVBAKE_OK;
	}

	bool RemoveObstacle(uint64 Id) { return Mesh.remove(Id - 1) == NAVBAKE_OK; }

	/** Makes changes until so many polygons were cut anew, all with 0; how many are left. */
	int32 Commit(int32 Polygons = 0) { return int32(Mesh.commit(Polygons).value.left); }

	/** As Unreal exports glTF: x stays, y and z change places, and 100 units are a metre. */
	static navbake::Point ToNavbake(const FVector& At) { return {At.X / CM, At.Z / CM, At.Y / CM}; }
	static FVector ToUnreal(const double* At) { return FVector(At[0] * CM, At[2] * CM, At[1] * CM); }

private:
	static constexpr double CM = 100.0;

	static navbake::Solid Cylinder(const FVector& Foot, double Radius, double Height)
	{
		const navbake::Point At = ToNavbake(Foot);
		return navbake::cylinder({At[0], At[2]}, Radius / CM, {At[1], At[1] + Height / CM});
	}

	TArray<uint8> Bytes;
	char Message[256] = {};
	navbake::Blob Blob;
	navbake::Mesh Mesh;
	navbake::Search Search;
};

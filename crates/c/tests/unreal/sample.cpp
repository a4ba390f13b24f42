// Drives the sample for Unreal on the baked file courtyard: sample FILE
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "NavbakeNavigation.h"

static int faults = 0;
#define CHECK(holds) \
    if (!(holds)) std::printf("line %d: %s\n", __LINE__, #holds), ++faults

static double length(const TArray<FVector> &points) {
    double sum = 0;
    for (int32 k = 1; k < points.Num(); ++k) {
        const FVector &a = points[k - 1], &b = points[k];
        sum += std::hypot(b.X - a.X, b.Y - a.Y);
    }
    return sum;
}

int main(int, char **words) {
    std::ifstream file(words[1], std::ios::binary);
    const std::vector<uint8> bytes{std::istreambuf_iterator<char>(file), {}};
    FNavbakeNavigation navigation;
    TArray<FVector> points;
    // Before a file is open, every call answers no.
    CHECK(!navigation.FindPath(FVector(), FVector(), points));
    CHECK(!navigation.Open(TArray<uint8>(std::vector<uint8>(bytes.begin(), bytes.begin() + 100))));
    CHECK(navigation.Why()[0] != 0);
    CHECK(navigation.Open(TArray<uint8>(bytes)));

    // From (20, 0, 25) to (20, 0, 15) in navbake's metres.
    const FVector from(2000, 2500, 0), to(2000, 1500, 0);
    CHECK(navigation.FindPath(from, to, points) && points.Num() >= 2);
    CHECK(std::fabs(points[0].X - from.X) < 1 && std::fabs(points[0].Y - from.Y) < 1);
    const double before = length(points);
    CHECK(before >= 1000 - 1);
    CHECK(navigation.IsReachable(from, to));
    FVector ground;
    CHECK(navigation.Project(FVector(2000, 2500, 50), FVector(100, 100, 100), ground));
    CHECK(std::fabs(ground.Z) < 20 && std::fabs(ground.X - 2000) < 1);
    CHECK(!navigation.Project(FVector(1e6, 0, 0), FVector(100, 100, 100), ground));

    const uint64 barrel = navigation.AddCylinder(FVector(2000, 2000, -100), 150, 200);
    CHECK(barrel != 0 && navigation.Commit() == 0);
    CHECK(!navigation.IsReachable(FVector(2000, 2000, 0), to));
    CHECK(navigation.FindPath(from, to, points) && length(points) > before);
    CHECK(navigation.MoveCylinder(barrel, FVector(2500, 2000, 5000), 50, 100));
    CHECK(navigation.Commit() == 0);
    CHECK(navigation.FindPath(from, to, points) && length(points) == before);
    CHECK(navigation.RemoveObstacle(barrel) && !navigation.RemoveObstacle(barrel));
    navigation.Close();
    CHECK(!navigation.FindPath(from, to, points));
    std::printf("%d faults\n", faults);
    return faults != 0;
}

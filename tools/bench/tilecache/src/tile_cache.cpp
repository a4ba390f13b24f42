// A tile cache as Recast's demo makes it ("Temp Obstacles"), as a few functions for Rust.

#include <cmath>
#include <cstring>
#include <vector>

#include "DetourCommon.h"
#include "DetourNavMesh.h"
#include "DetourNavMeshBuilder.h"
#include "DetourTileCache.h"
#include "DetourTileCacheBuilder.h"
#include "Recast.h"
#include "fastlz.h"

namespace {

const int MAX_LAYERS = 32;
// Cells along a tile's side, as in the demo.
const int TILE = 48;

struct Compressor : dtTileCacheCompressor {
    int maxCompressedSize(const int size) override { return int(size * 1.05f); }
    dtStatus compress(const unsigned char* from, const int size, unsigned char* to, const int,
                      int* written) override {
        *written = fastlz_compress(from, size, to);
        return DT_SUCCESS;
    }
    dtStatus decompress(const unsigned char* from, const int size, unsigned char* to,
                        const int most, int* written) override {
        *written = fastlz_decompress(from, size, to, most);
        return *written < 0 ? DT_FAILURE : DT_SUCCESS;
    }
};

// Takes memory from the front of a buffer, and gives all back at once.
struct Linear : dtTileCacheAlloc {
    std::vector<unsigned char> buffer = std::vector<unsigned char>(1 << 20);
    size_t top = 0;
    void reset() override { top = 0; }
    void* alloc(const size_t size) override {
        if (top + size > buffer.size()) return nullptr;
        void* found = &buffer[top];
        top += (size + 15) & ~size_t(15);
        return found;
    }
    void free(void*) override {}
};

struct Process : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* params, unsigned char* areas,
                 unsigned short* flags) override {
        for (int i = 0; i < params->polyCount; ++i) {
            areas[i] = 0;
            flags[i] = 1;
        }
    }
};

struct Cache {
    Compressor compressor;
    Linear memory;
    Process process;
    dtTileCache* tiles = nullptr;
    dtNavMesh* mesh = nullptr;
    ~Cache() {
        dtFreeTileCache(tiles);
        dtFreeNavMesh(mesh);
    }
};

// The layers of one tile, of the triangles that may be in it.
bool rasterize(Cache& cache, const rcConfig& config, const float* vertices, int vertex_count,
               const std::vector<int>& triangles, int tx, int ty) {
    rcContext context(false);
    rcConfig own = config;
    const float side = config.tileSize * config.cs, border = config.borderSize * config.cs;
    own.bmin[0] = config.bmin[0] + tx * side - border;
    own.bmin[2] = config.bmin[2] + ty * side - border;
    own.bmax[0] = config.bmin[0] + (tx + 1) * side + border;
    own.bmax[2] = config.bmin[2] + (ty + 1) * side + border;
    const int count = int(triangles.size() / 3);
    std::vector<unsigned char> areas(count, 0);
    rcHeightfield* solid = rcAllocHeightfield();
    rcCompactHeightfield* open = rcAllocCompactHeightfield();
    rcHeightfieldLayerSet* layers = rcAllocHeightfieldLayerSet();
    bool ok = rcCreateHeightfield(&context, *solid, own.width, own.height, own.bmin, own.bmax,
                                  own.cs, own.ch);
    if (ok) {
        rcMarkWalkableTriangles(&context, own.walkableSlopeAngle, vertices, vertex_count,
                                triangles.data(), count, areas.data());
        ok = rcRasterizeTriangles(&context, vertices, vertex_count, triangles.data(),
                                  areas.data(), count, *solid, own.walkableClimb);
    }
    if (ok) {
        rcFilterLowHangingWalkableObstacles(&context, own.walkableClimb, *solid);
        rcFilterLedgeSpans(&context, own.walkableHeight, own.walkableClimb, *solid);
        rcFilterWalkableLowHeightSpans(&context, own.walkableHeight, *solid);
        ok = rcBuildCompactHeightfield(&context, own.walkableHeight, own.walkableClimb, *solid,
                                       *open) &&
             rcErodeWalkableArea(&context, own.walkableRadius, *open) &&
             rcBuildHeightfieldLayers(&context, *open, own.borderSize, own.walkableHeight,
                                      *layers);
    }
    for (int i = 0; ok && i < layers->nlayers && i < MAX_LAYERS; ++i) {
        const rcHeightfieldLayer& layer = layers->layers[i];
        dtTileCacheLayerHeader header;
        std::memset(&header, 0, sizeof header);
        header.magic = DT_TILECACHE_MAGIC;
        header.version = DT_TILECACHE_VERSION;
        header.tx = tx;
        header.ty = ty;
        header.tlayer = i;
        dtVcopy(header.bmin, layer.bmin);
        dtVcopy(header.bmax, layer.bmax);
        header.width = (unsigned char)layer.width;
        header.height = (unsigned char)layer.height;
        header.minx = (unsigned char)layer.minx;
        header.maxx = (unsigned char)layer.maxx;
        header.miny = (unsigned char)layer.miny;
        header.maxy = (unsigned char)layer.maxy;
        header.hmin = (unsigned short)layer.hmin;
        header.hmax = (unsigned short)layer.hmax;
        unsigned char* data = nullptr;
        int size = 0;
        ok = dtStatusSucceed(dtBuildTileCacheLayer(&cache.compressor, &header, layer.heights,
                                                   layer.areas, layer.cons, &data, &size)) &&
             dtStatusSucceed(cache.tiles->addTile(data, size, DT_COMPRESSEDTILE_FREE_DATA, 0));
    }
    rcFreeHeightField(solid);
    rcFreeCompactHeightfield(open);
    rcFreeHeightfieldLayerSet(layers);
    return ok;
}

bool build(Cache& cache, const float* vertices, int vertex_count, const int* triangles,
           int triangle_count, const float* agent, float cell, int obstacles) {
    rcConfig config;
    std::memset(&config, 0, sizeof config);
    config.cs = cell;
    config.ch = cell * 2 / 3;
    config.walkableSlopeAngle = agent[3];
    config.walkableHeight = int(std::ceil(agent[1] / config.ch));
    config.walkableClimb = int(std::floor(agent[2] / config.ch));
    config.walkableRadius = int(std::ceil(agent[0] / config.cs));
    config.tileSize = TILE;
    config.borderSize = config.walkableRadius + 3;
    config.width = config.height = TILE + 2 * config.borderSize;
    rcCalcBounds(vertices, vertex_count, config.bmin, config.bmax);
    int width = 0, height = 0;
    rcCalcGridSize(config.bmin, config.bmax, cell, &width, &height);
    const int columns = (width + TILE - 1) / TILE, rows = (height + TILE - 1) / TILE;

    dtTileCacheParams cached;
    std::memset(&cached, 0, sizeof cached);
    dtVcopy(cached.orig, config.bmin);
    cached.cs = config.cs;
    cached.ch = config.ch;
    cached.width = cached.height = TILE;
    cached.walkableRadius = agent[0];
    cached.walkableHeight = agent[1];
    cached.walkableClimb = agent[2];
    cached.maxSimplificationError = 1.3f;
    cached.maxTiles = columns * rows * 4;
    cached.maxObstacles = 2 * obstacles;
    dtNavMeshParams params;
    std::memset(&params, 0, sizeof params);
    dtVcopy(params.orig, config.bmin);
    params.tileWidth = params.tileHeight = TILE * cell;
    const int bits = dtIlog2(dtNextPow2(columns * rows * 4));
    params.maxTiles = 1 << bits;
    params.maxPolys = 1 << (22 - bits);
    cache.tiles = dtAllocTileCache();
    cache.mesh = dtAllocNavMesh();
    if (dtStatusFailed(cache.tiles->init(&cached, &cache.memory, &cache.compressor,
                                         &cache.process)) ||
        dtStatusFailed(cache.mesh->init(&params)))
        return false;

    // The triangles whose box meets each tile.
    const float side = TILE * cell, border = config.borderSize * cell;
    std::vector<std::vector<int>> of_tile(columns * rows);
    for (int t = 0; t < triangle_count; ++t) {
        int low[2], high[2];
        for (int k = 0; k < 2; ++k) {
            float least = INFINITY, most = -INFINITY;
            for (int i = 0; i < 3; ++i) {
                const float at = vertices[3 * triangles[3 * t + i] + 2 * k];
                least = dtMin(least, at);
                most = dtMax(most, at);
            }
            const int last = (k ? rows : columns) - 1;
            const float from = (least - border - config.bmin[2 * k]) / side;
            const float to = (most + border - config.bmin[2 * k]) / side;
            low[k] = dtClamp(int(std::floor(from)), 0, last);
            high[k] = dtClamp(int(std::floor(to)), 0, last);
        }
        for (int y = low[1]; y <= high[1]; ++y)
            for (int x = low[0]; x <= high[0]; ++x) {
                std::vector<int>& own = of_tile[y * columns + x];
                own.insert(own.end(), triangles + 3 * t, triangles + 3 * t + 3);
            }
    }
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const std::vector<int>& own = of_tile[y * columns + x];
            if (!own.empty() && !rasterize(cache, config, vertices, vertex_count, own, x, y))
                return false;
        }
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
            cache.tiles->buildNavMeshTilesAt(x, y, cache.mesh);
    return true;
}

}  // namespace

extern "C" {

// A tile cache with its navmesh; NULL where that fails. `agent`: radius, height, climb, slope.
Cache* tile_cache_new(const float* vertices, int vertex_count, const int* triangles,
                      int triangle_count, const float* agent, float cell, int obstacles) {
    Cache* cache = new Cache;
    if (!build(*cache, vertices, vertex_count, triangles, triangle_count, agent, cell,
               obstacles)) {
        delete cache;
        return nullptr;
    }
    return cache;
}

void tile_cache_free(Cache* cache) { delete cache; }

// Asks for a cylinder; 0 where that is refused.
unsigned tile_cache_cylinder(Cache* cache, const float* at, float radius, float height) {
    dtObstacleRef id = 0;
    return dtStatusSucceed(cache->tiles->addObstacle(at, radius, height, &id)) ? id : 0;
}

// Asks for a box along the axes; 0 where that is refused.
unsigned tile_cache_box(Cache* cache, const float* low, const float* high) {
    dtObstacleRef id = 0;
    return dtStatusSucceed(cache->tiles->addBoxObstacle(low, high, &id)) ? id : 0;
}

bool tile_cache_remove(Cache* cache, unsigned id) {
    return dtStatusSucceed(cache->tiles->removeObstacle(id));
}

// Makes all changes that were asked for. Gives how many tiles were built; -1 where one failed.
int tile_cache_update(Cache* cache) {
    for (int steps = 1;; ++steps) {
        bool done = false;
        if (dtStatusFailed(cache->tiles->update(0, cache->mesh, &done))) return -1;
        if (done) return steps;
    }
}

// Polygons and area of the navmesh, seen from above.
int tile_cache_ground(const Cache* cache, double* area) {
    int polygons = 0;
    *area = 0;
    const dtNavMesh* mesh = cache->mesh;
    for (int i = 0; i < mesh->getMaxTiles(); ++i) {
        const dtMeshTile* tile = mesh->getTile(i);
        if (!tile->header) continue;
        polygons += tile->header->polyCount;
        for (int p = 0; p < tile->header->polyCount; ++p) {
            const dtPoly& own = tile->polys[p];
            for (int k = 0; k < own.vertCount; ++k) {
                const float* a = &tile->verts[3 * own.verts[k]];
                const float* b = &tile->verts[3 * own.verts[(k + 1) % own.vertCount]];
                *area += 0.5 * (double(a[2]) * b[0] - double(a[0]) * b[2]);
            }
        }
    }
    return polygons;
}

}

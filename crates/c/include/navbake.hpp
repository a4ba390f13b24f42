// navbake for C++17: navbake.h with objects that free themselves, spans, and no exceptions.
//
// Every call gives a Result: a status and, with one of 0 or more, a value. `if (result)` asks for
// NAVBAKE_OK. Objects are moved, not copied. Blobs point at bytes of the caller, which must outlive
// all that is made from them.
#ifndef NAVBAKE_HPP
#define NAVBAKE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include "navbake.h"

namespace navbake {

using Point = std::array<double, 3>;
using Flat = std::array<double, 2>;

/// A status, and a value where the status is 0 or more.
template <class T>
struct Result {
    NavbakeStatus status;
    T value;
    explicit operator bool() const { return status == NAVBAKE_OK; }
};

/// Values that something else owns.
template <class T>
class Span {
public:
    Span(const T *data, std::size_t size) : data_(data), size_(size) {}
    const T *begin() const { return data_; }
    const T *end() const { return data_ + size_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T &operator[](std::size_t k) const { return data_[k]; }

private:
    const T *data_;
    std::size_t size_;
};

template <class T, void (*FREE)(T *)>
struct Freed {
    void operator()(T *pointer) const { FREE(pointer); }
};

template <class T, void (*FREE)(T *)>
using Owned = std::unique_ptr<T, Freed<T, FREE>>;

/// Points of a path, each three doubles; valid until its search is used again.
inline Span<double[3]> points(const NavbakePath &path) { return {path.points, path.point_count}; }
/// Polygons of a path.
inline Span<std::uint32_t> polygons(const NavbakePath &path) { return {path.polygons, path.polygon_count}; }
/// Legs of a path, over ground and over links.
inline Span<NavbakeLeg> legs(const NavbakePath &path) { return {path.legs, path.leg_count}; }

/// A name of an agent, a switch, an area, a marker, a link or a room.
template <class T>
std::string_view name(const T &named) {
    return {named.name, named.name_length};
}

/// An obstacle with its outline.
struct Solid {
    std::array<Flat, 12> corners{};
    std::size_t count = 0;
    double radius = 0.0;
    Flat heights{};
};

/// An upright cylinder.
inline Solid cylinder(Flat centre, double radius, Flat heights) {
    Solid solid;
    solid.corners[0] = centre;
    solid.count = 1;
    solid.radius = radius;
    solid.heights = heights;
    return solid;
}

/// A prism over the convex hull of up to 12 corners; more are refused where it is used.
template <std::size_t N>
Solid prism(const std::array<Flat, N> &corners, Flat heights) {
    static_assert(N >= 2 && N <= 12, "a prism has 2 to 12 corners");
    Solid solid;
    for (std::size_t k = 0; k < N; ++k) solid.corners[k] = corners[k];
    solid.count = N;
    solid.heights = heights;
    return solid;
}

class Chunk;

/// The navmesh of an agent, with closed switches, costs and obstacles of its own.
class Mesh {
public:
    explicit Mesh(NavbakeMesh *mesh = nullptr) : mesh_(mesh) {}
    NavbakeMesh *get() const { return mesh_.get(); }

    Result<NavbakeLocation> locate(const Point &point, double vertical) const {
        Result<NavbakeLocation> out{};
        out.status = navbake_locate(get(), point.data(), vertical, &out.value);
        return out;
    }
    Result<NavbakeLocation> nearest(const Point &point, const Point &extents) const {
        Result<NavbakeLocation> out{};
        out.status = navbake_nearest(get(), point.data(), extents.data(), &out.value);
        return out;
    }
    Result<NavbakeRay> raycast(const NavbakeLocation &from, const Point &towards) const {
        Result<NavbakeRay> out{};
        out.status = navbake_raycast(get(), &from, towards.data(), &out.value);
        return out;
    }
    Result<NavbakeMotion> move(const NavbakeLocation &from, const Point &to, double kept = NAVBAKE_KEPT) const {
        Result<NavbakeMotion> out{};
        out.status = navbake_move(get(), &from, to.data(), kept, nullptr, 0, nullptr, 0, &out.value);
        return out;
    }
    bool reachable(const NavbakeLocation &from, const NavbakeLocation &to) const {
        return navbake_reachable(get(), &from, &to) == NAVBAKE_OK;
    }
    Result<NavbakeCounts> counts() const {
        Result<NavbakeCounts> out{};
        out.status = navbake_counts(get(), &out.value);
        return out;
    }
    NavbakeStatus set_closed(const std::uint64_t *words, std::size_t count) { return navbake_set_closed(get(), words, count); }
    NavbakeStatus set_cost(const char *area, double cost) { return navbake_set_cost(get(), area, cost); }
    NavbakeStatus set_weights(const char *row) { return navbake_set_weights(get(), row); }
    NavbakeStatus set_slopes(double uphill, double downhill) { return navbake_set_slopes(get(), uphill, downhill); }
    NavbakeStatus set_agents(std::uint32_t agents) { return navbake_set_agents(get(), agents); }
    /// Prepares the cells of a grid map for the unit as the mesh is now.
    NavbakeStatus use_cells(std::uint32_t room = NAVBAKE_UNIT_CELL, double size = 0.0) { return navbake_use_cells(get(), room, size); }
    NavbakeStatus use_landmarks(std::uint32_t planner, std::uint32_t count = 8) { return navbake_use_landmarks(get(), planner, count); }
    /// Prepares a route network for the unit as the mesh is now.
    NavbakeStatus use_network(const char *name) { return navbake_use_network(get(), name); }
    NavbakeStatus stand(const Point &point, std::uint32_t unit, bool stands) { return navbake_stand(get(), point.data(), unit, stands); }

    /// Stages an obstacle; commit carries it out.
    Result<std::uint64_t> add(const Solid &solid) {
        Result<std::uint64_t> out{};
        const Given given(solid);
        out.status = navbake_obstacle_add(get(), &given.obstacle, &out.value);
        return out;
    }
    NavbakeStatus move_obstacle(std::uint64_t id, const Solid &solid) {
        const Given given(solid);
        return navbake_obstacle_move(get(), id, &given.obstacle);
    }
    /// Stages a volume: its ground has the area of this name. Moved and removed as an obstacle.
    Result<std::uint64_t> add_volume(const Solid &solid, const char *area) {
        Result<std::uint64_t> out{};
        const Given given(solid);
        out.status = navbake_volume_add(get(), &given.obstacle, area, &out.value);
        return out;
    }
    NavbakeStatus remove(std::uint64_t id) { return navbake_obstacle_remove(get(), id); }
    /// Takes obstacles off the mesh until put_back, commit or save: for the path of a unit that is
    /// one.
    NavbakeStatus set_aside(const std::uint64_t *ids, std::size_t count) { return navbake_set_aside(get(), ids, count); }
    NavbakeStatus put_back() { return navbake_set_aside(get(), nullptr, 0); }
    Result<NavbakeCommit> commit(std::size_t most = 0) {
        Result<NavbakeCommit> out{};
        out.status = navbake_commit(get(), most, &out.value);
        return out;
    }

    /// Stages a copy of a chunk on the mesh of an index; commit carries it out.
    inline NavbakeStatus insert(const Chunk &chunk);
    NavbakeStatus remove_chunk(std::int32_t column, std::int32_t row) { return navbake_chunk_remove(get(), column, row); }
    bool is_loaded(std::int32_t column, std::int32_t row) const {
        return navbake_chunk_loaded(get(), column, row) == NAVBAKE_OK;
    }
    /// How many chunks that are not loaded the ground of a place goes on in; `chunks` gets column
    /// and row of as many as fit.
    Result<std::size_t> not_loaded(const NavbakeLocation &from, std::int32_t (*chunks)[2] = nullptr, std::size_t capacity = 0) const {
        Result<std::size_t> out{};
        out.status = navbake_not_loaded(get(), &from, chunks, capacity, &out.value);
        return out;
    }
    /// How many bytes a save has; `saved` gets as many as fit. Puts back what was set aside.
    Result<std::size_t> save(std::uint8_t *saved = nullptr, std::size_t capacity = 0) {
        Result<std::size_t> out{};
        out.status = navbake_save(get(), saved, capacity, &out.value);
        return out;
    }
    /// Makes the mesh what it was when `save` gave these bytes; `chunks` are those that
    /// saved_chunks names, each Chunk::get.
    NavbakeStatus restore(const std::uint8_t *saved, std::size_t size, const NavbakeChunk *const *chunks = nullptr, std::size_t count = 0, char *message = nullptr, std::size_t capacity = 0) {
        return navbake_restore(get(), saved, size, chunks, count, message, capacity);
    }

private:
    struct Given {
        double corners[12][2];
        NavbakeObstacle obstacle;
        explicit Given(const Solid &solid) : corners{}, obstacle{} {
            for (std::size_t k = 0; k < solid.count; ++k) {
                corners[k][0] = solid.corners[k][0];
                corners[k][1] = solid.corners[k][1];
            }
            obstacle.corners = corners;
            obstacle.corner_count = solid.count;
            obstacle.radius = solid.radius;
            obstacle.heights[0] = solid.heights[0];
            obstacle.heights[1] = solid.heights[1];
        }
        Given(const Given &) = delete;
        Given &operator=(const Given &) = delete;
    };
    Owned<NavbakeMesh, navbake_mesh_free> mesh_;
};

/// A baked file, over bytes of the caller.
class Blob {
public:
    explicit Blob(NavbakeBlob *blob = nullptr) : blob_(blob) {}
    static Result<Blob> open(const std::uint8_t *bytes, std::size_t size, char *message = nullptr, std::size_t capacity = 0) {
        NavbakeBlob *blob = nullptr;
        const NavbakeStatus status = navbake_open(bytes, size, message, capacity, &blob);
        return {status, Blob(blob)};
    }
    NavbakeBlob *get() const { return blob_.get(); }
    std::size_t agents() const { return navbake_agent_count(get()); }
    std::size_t switches() const { return navbake_switch_count(get()); }
    /// How many chunks the index of a world lists.
    std::size_t chunks() const { return navbake_chunk_count(get()); }
    Result<NavbakeAgent> agent(std::size_t number) const {
        Result<NavbakeAgent> out{};
        out.status = navbake_agent(get(), number, &out.value);
        return out;
    }
    Result<NavbakeSwitch> switch_at(std::size_t number) const {
        Result<NavbakeSwitch> out{};
        out.status = navbake_switch(get(), number, &out.value);
        return out;
    }
    Result<NavbakeChunkFile> chunk_file(std::size_t number) const {
        Result<NavbakeChunkFile> out{};
        out.status = navbake_chunk_file(get(), number, &out.value);
        return out;
    }
    /// The navmesh of the agent with this number.
    Result<Mesh> mesh(std::size_t agent) const {
        NavbakeMesh *mesh = nullptr;
        const NavbakeStatus status = navbake_mesh(get(), agent, &mesh);
        return {status, Mesh(mesh)};
    }

private:
    Owned<NavbakeBlob, navbake_close> blob_;
};

/// A chunk of a world, to be opened on any thread and inserted into the meshes of its agent.
class Chunk {
public:
    explicit Chunk(NavbakeChunk *chunk = nullptr) : chunk_(chunk) {}
    /// Copies the bytes.
    static Result<Chunk> open(const Blob &index, std::size_t agent, const std::uint8_t *bytes, std::size_t size, char *message = nullptr, std::size_t capacity = 0) {
        NavbakeChunk *chunk = nullptr;
        const NavbakeStatus status = navbake_chunk_open(index.get(), agent, bytes, size, message, capacity, &chunk);
        return {status, Chunk(chunk)};
    }
    NavbakeChunk *get() const { return chunk_.get(); }

private:
    Owned<NavbakeChunk, navbake_chunk_free> chunk_;
};

/// How many chunks the bytes of Mesh::save need; `chunks` gets column and row of as many as fit.
inline Result<std::size_t> saved_chunks(const std::uint8_t *saved, std::size_t size, std::int32_t (*chunks)[2] = nullptr, std::size_t capacity = 0) {
    Result<std::size_t> out{};
    out.status = navbake_saved_chunks(saved, size, nullptr, 0, chunks, capacity, &out.value);
    return out;
}

NavbakeStatus Mesh::insert(const Chunk &chunk) { return navbake_chunk_insert(get(), chunk.get()); }

/// Memory of searches, one for each thread.
class Search {
public:
    explicit Search(NavbakeSearch *search = nullptr) : search_(search) {}
    static Result<Search> make(const Mesh &mesh, std::size_t nodes = 0) {
        NavbakeSearch *search = nullptr;
        const NavbakeStatus status = navbake_search_new(mesh.get(), nodes, &search);
        return {status, Search(search)};
    }
    NavbakeSearch *get() const { return search_.get(); }

    /// The usual request between two points; change its fields and pass it to path or start.
    static NavbakePathRequest request(const double *from, const double *to) {
        NavbakePathRequest out{};
        navbake_path_request(from, to, &out);
        return out;
    }
    Result<NavbakePath> path(const Mesh &mesh, const NavbakePathRequest &request) {
        Result<NavbakePath> out{};
        out.status = navbake_path(mesh.get(), get(), &request, &out.value);
        return out;
    }
    Result<NavbakePath> path(const Mesh &mesh, const double *from, const double *to) {
        return path(mesh, request(from, to));
    }
    NavbakeStatus start(const Mesh &mesh, const NavbakePathRequest &request) {
        return navbake_path_start(mesh.get(), get(), &request);
    }
    NavbakeStatus step(const Mesh &mesh, std::uint32_t budget) { return navbake_path_step(mesh.get(), get(), budget); }
    Result<NavbakePath> result(const Mesh &mesh) {
        Result<NavbakePath> out{};
        out.status = navbake_path_result(mesh.get(), get(), &out.value);
        return out;
    }
    /// A route over chunks that are loaded or not; `passages` gets as many as fit.
    Result<NavbakeRoute> route(const Mesh &mesh, const NavbakeLocation &from, const Point &to, double vertical, NavbakePassage *passages = nullptr, std::size_t capacity = 0) {
        Result<NavbakeRoute> out{};
        out.status = navbake_route(mesh.get(), get(), &from, to.data(), vertical, passages, capacity, &out.value);
        return out;
    }
    Result<NavbakeWall> wall_distance(const Mesh &mesh, const NavbakeLocation &from, double most) {
        Result<NavbakeWall> out{};
        out.status = navbake_wall_distance(mesh.get(), get(), &from, most, &out.value);
        return out;
    }

private:
    Owned<NavbakeSearch, navbake_search_free> search_;
};

/// Paths for many units, a little work every frame.
class Queue {
public:
    explicit Queue(NavbakeQueue *queue = nullptr) : queue_(queue) {}
    /// For requests of the planner of `request`, or of planners that search the same.
    static Result<Queue> make(const Mesh &mesh, const NavbakePathRequest &request, std::size_t units, std::size_t lanes) {
        NavbakeQueue *queue = nullptr;
        const NavbakeStatus status = navbake_queue_new(mesh.get(), &request, units, lanes, &queue);
        return {status, Queue(queue)};
    }
    NavbakeQueue *get() const { return queue_.get(); }
    NavbakeStatus ask(const Mesh &mesh, std::uint64_t unit, const NavbakePathRequest &request) {
        return navbake_queue_ask(mesh.get(), get(), unit, &request);
    }
    NavbakeStatus follow(const Mesh &mesh, std::uint64_t unit, std::uint64_t leader, const NavbakePathRequest &request, double spacing) {
        return navbake_queue_follow(mesh.get(), get(), unit, leader, &request, spacing);
    }
    NavbakeStatus lose(std::uint64_t unit) { return navbake_queue_lose(get(), unit); }
    /// Calls `answer(unit, status, path)` for each answer; `path` is a const NavbakePath *. It must
    /// not throw.
    template <class Answer>
    Result<NavbakeTick> tick(const Mesh &mesh, std::uint32_t budget, Answer &&answer) {
        Result<NavbakeTick> out{};
        const auto call = [](void *context, std::uint64_t unit, NavbakeStatus status, const NavbakePath *path) {
            (*static_cast<std::remove_reference_t<Answer> *>(context))(unit, status, path);
        };
        void *context = const_cast<void *>(static_cast<const void *>(&answer));
        out.status = navbake_queue_tick(mesh.get(), get(), budget, call, context, &out.value);
        return out;
    }

private:
    Owned<NavbakeQueue, navbake_queue_free> queue_;
};

/// A sequence of random places.
class Random {
public:
    explicit Random(NavbakeRandom *random = nullptr) : random_(random) {}
    static Result<Random> make(const Mesh &mesh, std::uint64_t seed) {
        NavbakeRandom *random = nullptr;
        const NavbakeStatus status = navbake_random_new(mesh.get(), seed, &random);
        return {status, Random(random)};
    }
    Result<NavbakeLocation> place(const Mesh &mesh) {
        Result<NavbakeLocation> out{};
        out.status = navbake_random_place(mesh.get(), random_.get(), &out.value);
        return out;
    }
    Result<NavbakeLocation> within(const Mesh &mesh, Search &search, const NavbakeLocation &from, double most) {
        Result<NavbakeLocation> out{};
        out.status = navbake_random_within(mesh.get(), search.get(), random_.get(), &from, most, &out.value);
        return out;
    }

private:
    Owned<NavbakeRandom, navbake_random_free> random_;
};

}  // namespace navbake

#endif

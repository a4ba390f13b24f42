// Loads every second chunk of a world, finds a route, loads the chunks that it enters, finds the
// path, saves and restores, with the C++ wrapper: chunks INDEX FOLDER x y z x y z
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <navbake.hpp>

static std::vector<unsigned char> read(const std::string &name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

static navbake::Result<navbake::Chunk> open(const navbake::Blob &index, const std::string &folder, std::size_t number) {
    const auto file = index.chunk_file(number);
    const auto bytes = read(folder + "/" + file.value.name);
    return navbake::Chunk::open(index, 0, bytes.data(), bytes.size());
}

int main(int count, char **words) {
    if (count != 9) return 2;
    const auto bytes = read(words[1]);
    const std::string folder = words[2];
    navbake::Point from{}, to{};
    for (std::size_t k = 0; k < 3; ++k) {
        from[k] = std::atof(words[3 + k]);
        to[k] = std::atof(words[6 + k]);
    }
    auto index = navbake::Blob::open(bytes.data(), bytes.size());
    auto mesh = index.value.mesh(0);
    auto search = navbake::Search::make(mesh.value);
    if (!search) return 2;
    for (std::size_t k = 0; k < index.value.chunks(); k += 2) {
        const auto chunk = open(index.value, folder, k);
        if (!chunk || mesh.value.insert(chunk.value) != NAVBAKE_OK) return 3;
    }
    if (!mesh.value.commit()) return 4;
    const auto start = mesh.value.locate(from, 1.0);
    if (!start) return 5;
    if (search.value.path(mesh.value, from.data(), to.data()).status != NAVBAKE_NOT_LOADED) return 6;
    std::int32_t beyond[64][2];
    const auto ends = mesh.value.not_loaded(start.value, beyond, 64);
    if (!ends || ends.value == 0 || mesh.value.is_loaded(beyond[0][0], beyond[0][1])) return 7;
    for (;;) {
        std::vector<NavbakePassage> passages(64);
        const auto route = search.value.route(mesh.value, start.value, to, 1.0, passages.data(), passages.size());
        if (!route) return 8;
        std::size_t missing = 0;
        while (missing < route.value.passages && mesh.value.is_loaded(passages[missing].into[0], passages[missing].into[1])) ++missing;
        if (missing == route.value.passages) break;
        const std::int32_t *into = passages[missing].into;
        for (std::size_t k = 0; k < index.value.chunks(); ++k) {
            const auto file = index.value.chunk_file(k);
            if (file.value.key[0] != into[0] || file.value.key[1] != into[1]) continue;
            const auto chunk = open(index.value, folder, k);
            if (!chunk || mesh.value.insert(chunk.value) != NAVBAKE_OK || !mesh.value.commit()) return 9;
        }
    }
    const auto path = search.value.path(mesh.value, from.data(), to.data());
    if (!path) return 10;
    // Saved, and restored on another mesh with the chunks that the bytes name.
    std::vector<std::uint8_t> saved(mesh.value.save().value);
    if (!mesh.value.save(saved.data(), saved.size())) return 12;
    std::vector<navbake::Chunk> chunks;
    std::vector<const NavbakeChunk *> needed;
    for (std::size_t k = 0; k < index.value.chunks(); ++k) {
        if (!mesh.value.is_loaded(index.value.chunk_file(k).value.key[0], index.value.chunk_file(k).value.key[1])) continue;
        chunks.push_back(open(index.value, folder, k).value);
        needed.push_back(chunks.back().get());
    }
    if (navbake::saved_chunks(saved.data(), saved.size()).value != needed.size()) return 13;
    auto again = index.value.mesh(0);
    if (again.value.restore(saved.data(), saved.size(), needed.data(), needed.size()) != NAVBAKE_OK) return 14;
    const double length = path.value.length_xz;
    const auto same = search.value.path(again.value, from.data(), to.data());
    if (!same || same.value.length_xz != length) return 15;
    const auto first = index.value.chunk_file(0);
    if (mesh.value.remove_chunk(first.value.key[0], first.value.key[1]) != NAVBAKE_OK || !mesh.value.commit()) return 11;
    std::printf("%.6f\n", length);
}

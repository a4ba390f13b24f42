// Two random places and a path around a barrel between them, with the C++ wrapper: sample BLOB
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include <navbake.hpp>

int main(int count, char **words) {
    if (count != 2) return 2;
    std::ifstream file(words[1], std::ios::binary);
    const std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), {}};
    auto blob = navbake::Blob::open(bytes.data(), bytes.size());
    if (!blob) return 2;
    auto mesh = blob.value.mesh(0);
    auto search = navbake::Search::make(mesh.value);
    auto random = navbake::Random::make(mesh.value, 1);
    if (!mesh || !search || !random) return 2;
    const auto from = random.value.place(mesh.value);
    const auto to = random.value.within(mesh.value, search.value, from.value, 8.0);
    if (!from || !to) return 2;
    const auto before = search.value.path(mesh.value, from.value.position, to.value.position);
    if (!before) return 3;
    const auto barrel = mesh.value.add(navbake::cylinder({to.value.position[0] + 3.0, to.value.position[2]}, 0.3, {-100.0, 100.0}));
    if (!barrel || !mesh.value.commit()) return 4;
    const auto path = search.value.path(mesh.value, from.value.position, to.value.position);
    if (path && path.value.length_xz + 1e-9 < before.value.length_xz) return 5;
    if (mesh.value.remove(barrel.value) != NAVBAKE_OK || !mesh.value.commit()) return 6;
    const auto again = search.value.path(mesh.value, from.value.position, to.value.position);
    std::printf("%s: %.6f m, %zu points\n", again ? "reached" : "not reached", again.value.length_xz, navbake::points(again.value).size());
    return 0;
}

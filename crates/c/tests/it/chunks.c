/* Opens the chunks of a world on threads, inserts them in two orders, and removes every second one:
 * chunks INDEX FOLDER OTHER WHOLE x y z x y z ...
 * FOLDER has the chunks, for two agents; OTHER is a chunk of another bake, WHOLE the same level as
 * one blob. Prints the answers for each pair of places, floating-point numbers as their bits, and
 * what went wrong. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "navbake.h"

#include "kit.h"

enum { MOST = 64 };

/* The file of a chunk, to be opened on a thread of its own. */
typedef struct Job {
    const NavbakeBlob *index;
    const char *folder;
    NavbakeChunkFile file;
    NavbakeStatus status;
    NavbakeChunk *chunk;
} Job;

static unsigned char *read_chunk(const Job *job, size_t *length) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", job->folder, job->file.name);
    return read_file(path, length);
}

static void *open_chunk(void *given) {
    Job *job = given;
    size_t length;
    unsigned char *bytes = read_chunk(job, &length);
    job->status = length == job->file.bytes ? navbake_chunk_open(job->index, 0, bytes, length, NULL, 0, &job->chunk) : NAVBAKE_BAD_BLOB;
    free(bytes);
    return NULL;
}

static void show(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    printf(" %016" PRIx64, bits);
}

/* A path, what is known without a search, and a route, for one pair. */
static void answer(const NavbakeMesh *mesh, NavbakeSearch *search, const double *from, const double *to) {
    NavbakePathRequest request;
    NavbakePath path;
    NavbakeLocation start, goal;
    NavbakePassage passages[MOST];
    NavbakeRoute route;
    int32_t beyond[MOST][2];
    size_t count, k;
    CHECK(navbake_path_request(from, to, &request) == NAVBAKE_OK);
    request.planner = NAVBAKE_PLANNER_OPTIMAL;
    printf("path %d", navbake_path(mesh, search, &request, &path));
    show(path.length_xz);
    request.partial = 1;
    printf(", near %d", navbake_path(mesh, search, &request, &path));
    show(path.length_xz);
    if (navbake_locate(mesh, from, 1.0, &start) == NAVBAKE_OK) {
        if (navbake_locate(mesh, to, 1.0, &goal) == NAVBAKE_OK) printf(", reachable %d", navbake_reachable(mesh, &start, &goal));
        CHECK(navbake_not_loaded(mesh, &start, beyond, MOST, &count) == NAVBAKE_OK && count < MOST);
        printf(", beyond");
        for (k = 0; k < count; k++) printf(" %d,%d", (int)beyond[k][0], (int)beyond[k][1]);
        printf(", route %d", navbake_route(mesh, search, &start, to, 1.0, passages, MOST, &route));
        show(route.length);
        CHECK(route.passages < MOST);
        for (k = 0; k < route.passages; k++) {
            printf(" %d,%d", (int)passages[k].into[0], (int)passages[k].into[1]);
            show(passages[k].position[0]);
        }
        /* Short room takes the first. */
        if (route.passages > 1) {
            const NavbakePassage second = passages[1];
            CHECK(navbake_route(mesh, search, &start, to, 1.0, passages, 1, &route) == NAVBAKE_OK && route.passages > 1);
            CHECK(memcmp(&passages[1], &second, sizeof second) == 0);
        }
    }
    printf("\n");
}

static void answers(const NavbakeMesh *mesh, NavbakeSearch *search, int count, const double *places) {
    int k;
    for (k = 0; k + 6 <= count; k += 6) answer(mesh, search, places + k, places + k + 3);
}

/* Calls that are refused, and change nothing. */
static void refusals(const Job *job, NavbakeMesh *mesh, const char *other, const char *whole) {
    const NavbakeBlob *index = job->index;
    const NavbakeChunk *chunk = job->chunk;
    const int32_t *key = job->file.key;
    NavbakeBlob *blob = NULL;
    NavbakeMesh *one = NULL;
    NavbakeChunk *wrong = NULL, *damaged = NULL;
    NavbakeChunkFile file;
    NavbakeLocation nowhere = {{0.0, 0.0, 0.0}, UINT32_MAX};
    NavbakeRoute route;
    size_t length, count;
    char message[100] = "";
    unsigned char *bytes = read_file(whole, &length);
    CHECK(navbake_chunk_open(index, 0, bytes, length, message, sizeof message, &wrong) == NAVBAKE_NO_CHUNK && !wrong && strstr(message, "not a chunk"));
    CHECK(navbake_chunk_open(index, 0, bytes, length / 2, message, sizeof message, &wrong) == NAVBAKE_BAD_BLOB && !wrong);
    CHECK(navbake_chunk_open(index, 9, bytes, length, NULL, 0, &wrong) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_open(bytes, length, NULL, 0, &blob) == NAVBAKE_OK && navbake_mesh(blob, 0, &one) == NAVBAKE_OK);
    CHECK(navbake_chunk_count(blob) == 0 && navbake_chunk_file(blob, 0, &file) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_chunk_insert(one, chunk) == NAVBAKE_OTHER_WORLD && navbake_chunk_loaded(one, key[0], key[1]) == NAVBAKE_NOT_LOADED);
    navbake_mesh_free(one);
    navbake_close(blob);
    free(bytes);
    bytes = read_file(other, &length);
    CHECK(navbake_open(bytes, length, NULL, 0, &blob) == NAVBAKE_OK && navbake_chunk_count(blob) == 0);
    navbake_close(blob);
    CHECK(navbake_chunk_open(index, 1, bytes, length, message, sizeof message, &wrong) == NAVBAKE_OTHER_WORLD && strlen(message) > 10);
    CHECK(navbake_chunk_open(index, 0, bytes, length, NULL, 0, &wrong) == NAVBAKE_OK);
    free(bytes);
    CHECK(navbake_chunk_insert(mesh, wrong) == NAVBAKE_OTHER_WORLD);
    navbake_chunk_free(wrong);
    /* The agent of the mesh is number 0. */
    bytes = read_chunk(job, &length);
    CHECK(navbake_chunk_open(index, 1, bytes, length, NULL, 0, &wrong) == NAVBAKE_OK);
    bytes[100] ^= 1; /* of a hash, which no other check reads */
    CHECK(navbake_chunk_open(index, 1, bytes, length, message, sizeof message, &damaged) == NAVBAKE_BAD_BLOB);
    CHECK(!damaged && strstr(message, "checksum"));
    free(bytes);
    CHECK(navbake_chunk_insert(mesh, wrong) == NAVBAKE_OTHER_WORLD);
    navbake_chunk_free(wrong);
    CHECK(navbake_chunk_insert(mesh, chunk) == NAVBAKE_CHUNK_LOADED);
    CHECK(navbake_chunk_remove(mesh, key[0], key[1]) == NAVBAKE_OK && navbake_chunk_remove(mesh, key[0], key[1]) == NAVBAKE_NOT_LOADED);
    CHECK(navbake_chunk_insert(mesh, chunk) == NAVBAKE_OK && navbake_chunk_loaded(mesh, key[0], key[1]) == NAVBAKE_OK);
    CHECK(navbake_chunk_remove(mesh, 1000, 1000) == NAVBAKE_NOT_LOADED && navbake_chunk_loaded(mesh, 1000, 1000) == NAVBAKE_NOT_LOADED);
    CHECK(navbake_chunk_file(index, navbake_chunk_count(index), &file) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_not_loaded(mesh, &nowhere, NULL, 0, &count) == NAVBAKE_BAD_ARGUMENT);
    CHECK(navbake_route(mesh, NULL, &nowhere, nowhere.position, 1.0, NULL, 0, &route) == NAVBAKE_NULL_POINTER);
    navbake_chunk_free(NULL);
}

/* A mesh is saved, and another one restored from it; room that is too short takes the first bytes. */
static void saves(const NavbakeBlob *index, NavbakeMesh *mesh, const Job *jobs, size_t all) {
    NavbakeMesh *other = NULL;
    const NavbakeChunk *chunks[MOST];
    int32_t keys[MOST][2];
    size_t length = 0, again = 0, needed = 0, k;
    unsigned char *saved, *same;
    char message[100] = "";
    CHECK(navbake_save(mesh, NULL, 0, &length) == NAVBAKE_OK && length > 16);
    saved = calloc(length, 1);
    same = calloc(length, 1);
    CHECK(navbake_save(mesh, same, length / 2, &again) == NAVBAKE_OK && again == length && same[length / 2] == 0);
    CHECK(navbake_save(mesh, saved, length, &again) == NAVBAKE_OK && again == length && memcmp(saved, same, length / 2) == 0);
    CHECK(navbake_saved_chunks(saved, length, message, sizeof message, keys, MOST, &needed) == NAVBAKE_OK && needed == (all + 1) / 2);
    CHECK(navbake_saved_chunks(saved, length / 2, message, sizeof message, keys, MOST, &needed) == NAVBAKE_BAD_SAVE && strstr(message, "damaged"));
    for (k = 0; k < all; k++) chunks[all - 1 - k] = jobs[k].chunk;
    CHECK(navbake_mesh(index, 0, &other) == NAVBAKE_OK);
    CHECK(navbake_restore(other, saved, length, chunks, 0, message, sizeof message) == NAVBAKE_NO_CHUNK && strstr(message, "needs chunk"));
    CHECK(navbake_restore(other, saved, length, chunks, all, NULL, 0) == NAVBAKE_OK);
    for (k = 0; k < needed; k++) CHECK(navbake_chunk_loaded(other, keys[k][0], keys[k][1]) == NAVBAKE_OK);
    CHECK(navbake_save(other, same, length, &again) == NAVBAKE_OK && again == length && memcmp(saved, same, length) == 0);
    navbake_mesh_free(other);
    free(saved);
    free(same);
}

int main(int count, char **words) {
    NavbakeBlob *index = NULL;
    NavbakeMesh *mesh = NULL;
    NavbakeSearch *search = NULL;
    static Job jobs[MOST];
    pthread_t threads[MOST];
    NavbakeCommit done;
    NavbakePathRequest request;
    NavbakePath path;
    double places[600];
    size_t length, k, all, order;
    unsigned char *bytes;
    if (count < 11 || count > 605) return 2;
    count -= 5;
    for (k = 0; k < (size_t)count; k++) places[k] = atof(words[5 + k]);
    bytes = read_file(words[1], &length);
    if (navbake_open(bytes, length, NULL, 0, &index)) return 2;
    all = navbake_chunk_count(index);
    if (all < 3 || all > MOST) return 2;
    for (k = 0; k < all; k++) {
        NavbakeChunkFile *file = &jobs[k].file;
        CHECK(navbake_chunk_file(index, k, file) == NAVBAKE_OK);
        printf("%s %d,%d %u", file->name, (int)file->key[0], (int)file->key[1], file->polygons);
        show(file->least[0]);
        show(file->greatest[2]);
        printf(" %02x\n", file->hash[31]);
        jobs[k].index = index;
        jobs[k].folder = words[2];
        if (pthread_create(&threads[k], NULL, open_chunk, &jobs[k])) return 2;
    }
    for (order = 0; order < 2; order++) {
        if (navbake_mesh(index, 0, &mesh) || navbake_search_new(mesh, 0, &search)) return 2;
        /* Before any chunk. */
        CHECK(navbake_path_request(places, places + 3, &request) == NAVBAKE_OK);
        CHECK(navbake_path(mesh, search, &request, &path) == NAVBAKE_NOT_LOADED && path.point_count == 0);
        for (k = 0; k < all && order == 0; k++) CHECK(pthread_join(threads[k], NULL) == 0 && jobs[k].status == NAVBAKE_OK);
        for (k = 0; k < all; k++) CHECK(navbake_chunk_insert(mesh, jobs[order ? all - 1 - k : k].chunk) == NAVBAKE_OK);
        CHECK(navbake_chunk_loaded(mesh, jobs[0].file.key[0], jobs[0].file.key[1]) == NAVBAKE_NOT_LOADED);
        CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK && done.left == 0 && done.polygons > 0 && done.changed == 0);
        CHECK(navbake_chunk_loaded(mesh, jobs[0].file.key[0], jobs[0].file.key[1]) == NAVBAKE_OK);
        refusals(&jobs[0], mesh, words[3], words[4]);
        CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK && done.left == 0);
        answers(mesh, search, count, places);
        for (k = 1; k < all; k += 2) CHECK(navbake_chunk_remove(mesh, jobs[k].file.key[0], jobs[k].file.key[1]) == NAVBAKE_OK);
        CHECK(navbake_commit(mesh, 0, &done) == NAVBAKE_OK && done.left == 0);
        answers(mesh, search, count, places);
        saves(index, mesh, jobs, all);
        navbake_search_free(search);
        navbake_mesh_free(mesh);
    }
    for (k = 0; k < all; k++) navbake_chunk_free(jobs[k].chunk);
    navbake_close(index);
    free(bytes);
    printf("%d faults\n", faults);
    return faults != 0;
}

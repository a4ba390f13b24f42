"""What happens to the servers. The first line of each scenario's docs is its name."""

import shutil
import signal
import subprocess
import time
import types

from fakes import FakeS3, Hang, Refused
from runs import ALL, SETTINGS, SOME
from servers import Missing

UNREACHABLE, NOT_WRITTEN, ENTRY = "cache-unreachable", "cache-not-written", "cache-entry"


def twice(navbake, server):
    """empty, then full"""
    server.empty()
    navbake.bake(server, "first", cached=0)
    navbake.bake(server, "second", cached=ALL)


def at_once(navbake, server):
    """two bakes at once"""
    server.empty()
    bakes = [navbake.begin_bake(server) for _ in range(2)]
    for label, bake in zip(("one", "other"), bakes):
        navbake.end_bake(bake, label)
    navbake.bake(server, "then", cached=ALL)


def farm(navbake, server):
    """four jobs, two at once"""
    server.empty()
    plan(navbake, server)
    halves = ("0-1", "2-3")
    runs = [navbake.begin(server, "run", "--plan", "plan", "--job", jobs) for jobs in halves]
    for run in runs:
        navbake.end_verb(run)
    navbake.verb(server, "status", "--plan", "plan")
    navbake.verb(server, "merge", "--plan", "plan")
    navbake.bake(server, "bake", cached=ALL)


def restarted(navbake, server):
    """restarted"""
    server.empty()
    navbake.bake(server, "before", cached=0)
    server.stop(signal.SIGTERM)
    server.start()
    navbake.bake(server, "after", cached=ALL if server.keeps_entries else 0)
    navbake.bake(server, "again", cached=ALL)


def killed(navbake, server):
    """killed (-9) in a bake, then started again"""
    server.empty()
    bake = navbake.begin_bake(server)
    wait_for_entries(bake, server)
    server.stop()
    navbake.end_bake(bake, "killed", cached=0, warns=[UNREACHABLE])
    server.start()
    # What it was writing may be there in part.
    navbake.bake(server, "after", cached=SOME if server.keeps_entries else 0, may=[ENTRY])
    navbake.bake(server, "again", cached=ALL)


def stopped(navbake, server):
    """stopped (SIGSTOP) in a bake, then continued"""
    server.empty()
    bake = navbake.begin_bake(server)
    wait_for_entries(bake, server)
    server.send(signal.SIGSTOP)
    navbake.end_bake(bake, "stopped", cached=0, warns=[UNREACHABLE])
    server.send(signal.SIGCONT)
    # Whatever arrived meanwhile, it may store now.
    navbake.bake(server, "after", may=[ENTRY])
    navbake.bake(server, "again", cached=ALL)


def flip(entry, _=None):
    middle = len(entry) // 2
    return entry[:middle] + bytes([entry[middle] ^ 1]) + entry[middle + 1 :]


def damage(server, change):
    """Changes every second entry, given another one."""
    names = sorted(server.names())
    for name, other in zip(names[::2], names[1::2]):
        server.write(name, change(server.read(name), server.read(other)))


def damaged(name, change, is_noticed_by_server=False):
    """A scenario with wrong entries; a server that notices them itself says that there are none."""

    def scenario(navbake, server):
        server.empty()
        navbake.bake(server, "before", cached=0)
        damage(server, change)
        may_be_none = is_noticed_by_server and server.checks_size
        warns = [] if may_be_none else [ENTRY]
        navbake.bake(server, "damaged", cached=SOME, warns=warns, may=[ENTRY])
        navbake.bake(server, "again", cached=ALL)

    scenario.__doc__ = f"every second entry {name}"
    return scenario


def damaged_farm(navbake, server):
    """four jobs, then a bit of every second entry flipped"""
    server.empty()
    plan(navbake, server)
    navbake.verb(server, "run", "--plan", "plan", "--job", "0-3")
    damage(server, flip)
    navbake.verb(server, "merge", "--plan", "plan", code=75)
    again = navbake.verb(server, "status", "--plan", "plan", code=75).report()["again"]
    navbake.verb(server, "run", "--plan", "plan", "--job", again)
    navbake.verb(server, "merge", "--plan", "plan")


def small_disk(navbake, server):
    """a disk that is full"""
    server.stop()
    shutil.rmtree(server.data, ignore_errors=True)
    server.data.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "navbake", server.data]
    try:
        mounted = subprocess.run(mount, capture_output=True, text=True)
    except OSError as error:
        raise Missing(str(error)) from None
    if mounted.returncode:
        raise Missing(mounted.stderr.strip())
    try:
        server.start()
        if server.dies_when_full:
            some = [UNREACHABLE, NOT_WRITTEN]
            navbake.bake(server, "first", cached=0, some=some)
            server.stop()
            server.start()
            navbake.bake(server, "second", cached=SOME, some=some, may=[ENTRY])
        elif server.evicts:
            navbake.bake(server, "first", cached=0, may=[NOT_WRITTEN])
            navbake.bake(server, "second", may=[NOT_WRITTEN])
        else:
            navbake.bake(server, "first", cached=0, warns=[NOT_WRITTEN])
            navbake.bake(server, "second", cached=SOME, warns=[NOT_WRITTEN], may=[ENTRY])
    finally:
        server.stop()
        subprocess.run(["umount", server.data], check=True)


def quota(navbake, server):
    """less room than entries need, and than one needs"""
    try:
        for size, warns in (("1M", []), ("2K", [NOT_WRITTEN])):
            server.quota = [f"--quota-high={size}", "--quota-low=50%"]
            server.empty()
            navbake.bake(server, f"{size}: first", cached=0, warns=warns)
            navbake.bake(server, "second", warns=warns)
    finally:
        server.quota = []


def read_only(navbake, server):
    """read only, with every second entry"""
    server.empty()
    navbake.bake(server, "before", cached=0)
    for name in sorted(server.names())[::2]:
        name.unlink()
    reads = types.SimpleNamespace(url=f"{server.url}/read-only", environment=server.environment)
    navbake.bake(reads, "read only", cached=SOME, warns=[NOT_WRITTEN])
    refused_jobs(navbake, reads)
    navbake.bake(server, "then", cached=SOME)
    navbake.bake(reads, "read only, all there", cached=ALL, may=[NOT_WRITTEN])


def takes_none(fault):
    def scenario(navbake):
        fake = FakeS3()
        try:
            navbake.bake(fake, "before", cached=0)
            for name in sorted(fake.objects)[::2]:
                del fake.objects[name]
            fake.fault = fault
            navbake.bake(fake, "refused", cached=SOME, warns=[NOT_WRITTEN])
            refused_jobs(navbake, fake)
            fake.fault = None
            navbake.bake(fake, "then", cached=SOME)
            navbake.bake(fake, "again", cached=ALL)
        finally:
            fake.stop()

    scenario.__doc__ = f"takes no entries: {fault}"
    return scenario


def faulty(name, make, **checks):
    """A store that is useless."""
    checks = checks or {"warns": [UNREACHABLE]}

    def scenario(navbake):
        fake = make()
        try:
            navbake.bake(fake, "bake", **checks)
            navbake.found.append(f"without a store {navbake.seconds:.1f} s")
        finally:
            fake.stop()

    scenario.__doc__ = name
    return scenario


def useless(name, make):
    """All verbs of a farm with a store that is useless."""

    def scenario(navbake):
        fake = make()
        try:
            plan(navbake, fake, code=75, named=True)
            plan(navbake, None)
            navbake.verb(fake, "run", "--plan", "plan", "--job", "0-1", code=75, named=True)
            navbake.verb(None, "run", "--plan", "plan", "--job", "0-3")
            navbake.verb(fake, "status", "--plan", "plan", code=75, named=True)
            navbake.verb(fake, "merge", "--plan", "plan", code=75, named=True)
        finally:
            fake.stop()

    scenario.__doc__ = f"a farm: {name}"
    return scenario


def refused_jobs(navbake, store):
    """A job whose entries nothing keeps."""
    plan(navbake, None)
    navbake.verb(store, "run", "--plan", "plan", "--job", "0-3", code=75, named=True)


def plan(navbake, store, **checks):
    shutil.rmtree(navbake.folder / "plan", ignore_errors=True)
    navbake.verb(store, "plan", *SETTINGS, "-o", "plan", "--jobs", "4", **checks)


def wait_for_entries(bake, server):
    # The first few are chunks of the world, not tiles.
    while len(server.names()) < 10:
        if not bake.runs():
            bake.wait(1)
            bake.broke("it ended before the server had ten entries")
        time.sleep(0.02)


OF_SERVERS = [
    twice,
    at_once,
    farm,
    restarted,
    killed,
    stopped,
    damaged("with a bit flipped", flip),
    damaged("cut short", lambda entry, _: entry[: len(entry) // 2], is_noticed_by_server=True),
    damaged("replaced by another", lambda _, other: other, is_noticed_by_server=True),
    damaged("without bytes", lambda *_: b"", is_noticed_by_server=True),
    damaged_farm,
]
OF_ONE = {
    "moto": [],
    "s3rver": [small_disk],
    "casd": [small_disk, quota],
    "buildgrid": [small_disk, read_only],
}
USELESS = {
    "refused, S3": lambda: Refused("s3"),
    "refused, REAPI": lambda: Refused("grpc"),
    "hang, S3": lambda: Hang("s3"),
    "hang, REAPI": lambda: Hang("grpc"),
    "503": lambda: FakeS3("slow503"),
}
OF_FAKES = [
    *(faulty(name, make) for name, make in USELESS.items()),
    faulty("503 every second time", lambda: FakeS3("half503"), may=[UNREACHABLE, NOT_WRITTEN]),
    faulty("dies after 10 requests", lambda: FakeS3("dies", 10)),
    faulty("dies after 60 requests", lambda: FakeS3("dies", 60)),
    faulty("a byte in half a second", lambda: FakeS3("drip")),
    faulty("objects without end", lambda: FakeS3("endless"), some=[UNREACHABLE, ENTRY]),
    faulty("a page for everything", lambda: FakeS3("portal"), warns=[ENTRY]),
    takes_none("denied"),
    takes_none("full"),
    *(useless(name, make) for name, make in USELESS.items()),
]

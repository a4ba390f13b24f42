#!/usr/bin/env python3
"""Bakes a world with caches on servers, whatever happens to the servers, and compares the bytes.

usage: stores.py NAVBAKE [--servers DIR] [--all] [SERVER...]

NAVBAKE is built with the features s3 and reapi. Servers, all of them by default:

- moto, s3rver: S3. s3rver overwrites what it is asked to keep;
- casd (buildbox-casd), buildgrid: Remote Execution API;
- fakes: servers in this process that hang, refuse, fail or die.

Servers are installed into DIR, or into a temporary folder; it takes a minute or two. One that
cannot be installed is skipped. One line a scenario: of each bake the tiles that were baked and
cached, the seconds and the warnings; of other verbs the exit code. Ends with exit code 1 at the
first broken promise; with --all it goes on.
"""

import argparse
import pathlib
import signal
import sys
import tempfile

from runs import Broken, Navbake
from scenarios import OF_FAKES, OF_ONE, OF_SERVERS
from servers import SERVERS, Missing, environment

NAMES = [*SERVERS, "fakes"]


def hold(navbake, name, scenarios, go_on):
    """Prints what each scenario found. Whether all promises hold."""
    good = True
    for scenario, *server in scenarios:
        navbake.found, held = [], True
        try:
            scenario(navbake, *server)
        except Missing as error:
            navbake.found.append(f"skipped: {error}")
        except Broken as error:
            navbake.found.append(f"BROKEN: {error}")
            held = False
        finally:
            navbake.end_all()
        print(f"{name}: {scenario.__doc__}: {'; '.join(navbake.found)}", flush=True)
        good &= held
        if not good and not go_on:
            break
    return good


def serve(navbake, name, installed, folder, go_on):
    """All scenarios of a server. Whether all promises hold."""
    if name == "fakes":
        return hold(navbake, name, [(scenario,) for scenario in OF_FAKES], go_on)
    server = SERVERS[name](installed, folder)
    try:
        server.install()
    except Missing as error:
        print(f"{name}: skipped: {error}", flush=True)
        return True
    try:
        scenarios = [*OF_SERVERS, *OF_ONE[name]]
        return hold(navbake, name, [(scenario, server) for scenario in scenarios], go_on)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        usage=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("navbake", type=pathlib.Path)
    parser.add_argument("--servers", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("server", nargs="*")
    options = parser.parse_intermixed_args()
    for name in options.server:
        if name not in NAMES:
            sys.exit(f"{name}: one of {', '.join(NAMES)}")
    # So that servers are ended then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        installed = (options.servers or folder / "servers").resolve()
        (folder / "world").mkdir()
        navbake = Navbake(options.navbake.resolve(), folder / "world", environment())
        print(f"without a store: {navbake.tiles} tiles, {navbake.seconds:.1f} s", flush=True)
        good = True
        for name in options.server or NAMES:
            good &= serve(navbake, name, installed, folder, options.all)
            if not good and not options.all:
                break
    sys.exit(not good)


if __name__ == "__main__":
    main()

// What a program for WASI asks its system for (snapshot preview 1), with files in memory:
// arguments, a clock, reading files and folders, standard streams. Nothing is written.

// Errors and kinds of files, as WASI numbers them.
const [OK, BAD_FILE, NOT_A_LINK, IS_FOLDER, NO_FILE, UNKNOWN, NO_FOLDER, READ_ONLY] = [0, 8, 28, 31, 44, 52, 54, 69];
const [DEVICE, FOLDER, REGULAR] = [2, 3, 4];
const [CREATE, WANTS_FOLDER, TRUNCATE] = [1, 2, 8];
// The one folder that is open from the start.
const ROOT = 3;

/** The name of a file without `.`, `..` and slashes that say nothing. */
export function plain(name) {
  const parts = [];
  for (const part of name.split('/')) {
    if (part === '..') parts.pop();
    else if (part && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

class Exit extends Error {}

/**
 * Runs a program to its end, in memory of its own. `files` are bytes by plain names, `input` are
 * the bytes of stdin, `line` is called for each line on stderr.
 *
 * Gives the exit code and the bytes of stdout, or the `fault` that stopped the program.
 */
export async function run(module, words, files, input, line) {
  const text = new TextEncoder();
  const folders = new Set(['']);
  for (const name of files.keys()) {
    for (let k = name.indexOf('/'); k >= 0; k = name.indexOf('/', k + 1)) folders.add(name.slice(0, k));
  }
  const open = new Map([
    [0, { kind: DEVICE, bytes: input, at: 0 }],
    [1, { kind: DEVICE, bytes: [] }],
    [2, { kind: DEVICE, bytes: [] }],
    [ROOT, { kind: FOLDER, name: '' }],
  ]);
  let last = ROOT;
  let memory;
  const view = () => new DataView(memory.buffer);
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const named = (folder, at, length) => {
    const name = new TextDecoder().decode(bytes(at, length).slice());
    return plain(`${open.get(folder)?.name ?? ''}/${name}`);
  };
  const found = (name) => {
    if (folders.has(name)) return { kind: FOLDER, name };
    return files.has(name) ? { kind: REGULAR, name, bytes: files.get(name), at: 0 } : undefined;
  };
  // Ranges of memory that are read or written one after the other.
  const ranges = (at, count) => Array.from({ length: count }, (_, k) => {
    const [from, length] = [view().getUint32(at + 8 * k, true), view().getUint32(at + 8 * k + 4, true)];
    return bytes(from, length);
  });
  const about = (file, at) => {
    bytes(at, 64).fill(0);
    view().setUint8(at + 16, file.kind);
    view().setBigUint64(at + 24, 1n, true);
    view().setBigUint64(at + 32, BigInt(file.bytes?.length ?? 0), true);
    return OK;
  };
  const list = (all, pointers, at) => {
    for (const word of all) {
      view().setUint32(pointers, at, true);
      bytes(at, word.length).set(word);
      [pointers, at] = [pointers + 4, at + word.length];
    }
    return OK;
  };
  const sizes = (all, count, size) => {
    view().setUint32(count, all.length, true);
    view().setUint32(size, all.reduce((sum, word) => sum + word.length, 0), true);
    return OK;
  };
  const args = words.map((word) => text.encode(`${word}\0`));
  // Lines of stderr that are whole.
  const lines = (part) => {
    const rest = open.get(2);
    const said = new TextDecoder().decode(new Uint8Array([...rest.bytes, ...part]));
    const end = said.lastIndexOf('\n') + 1;
    rest.bytes = [...text.encode(said.slice(end))];
    for (const one of said.slice(0, end).split('\n')) if (one) line(one);
  };

  const calls = {
    args_sizes_get: (count, size) => sizes(args, count, size),
    args_get: (pointers, at) => list(args, pointers, at),
    environ_sizes_get: (count, size) => sizes([], count, size),
    environ_get: () => OK,
    clock_time_get(clock, _, at) {
      const now = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(now * 1e6)), true);
      return OK;
    },
    // Seeds of hash tables, on which no result depends.
    random_get: (at, length) => (bytes(at, length).fill(7), OK),
    sched_yield: () => OK,
    fd_prestat_get(fd, at) {
      if (fd !== ROOT) return BAD_FILE;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name: (_, at) => (bytes(at, 1).set(text.encode('/')), OK),
    fd_fdstat_get(fd, at) {
      const file = open.get(fd);
      if (!file) return BAD_FILE;
      bytes(at, 24).fill(0);
      view().setUint8(at, file.kind);
      // Every right: there are no files but these.
      bytes(at + 8, 16).fill(0xff);
      return OK;
    },
    fd_filestat_get: (fd, at) => (open.has(fd) ? about(open.get(fd), at) : BAD_FILE),
    path_filestat_get(folder, _, name, length, at) {
      const file = found(named(folder, name, length));
      return file ? about(file, at) : NO_FILE;
    },
    path_readlink: (folder, name, length) => (found(named(folder, name, length)) ? NOT_A_LINK : NO_FILE),
    path_open(folder, _, name, length, how, _rights, _inherited, _flags, at) {
      if (how & (CREATE | TRUNCATE)) return READ_ONLY;
      const file = found(named(folder, name, length));
      if (!file) return NO_FILE;
      if (how & WANTS_FOLDER && file.kind !== FOLDER) return NO_FOLDER;
      open.set(++last, file);
      view().setUint32(at, last, true);
      return OK;
    },
    fd_close: (fd) => (open.delete(fd) ? OK : BAD_FILE),
    fd_read(fd, at, count, size) {
      const file = open.get(fd);
      if (file?.at === undefined) return file?.kind === FOLDER ? IS_FOLDER : BAD_FILE;
      const begin = file.at;
      for (const range of ranges(at, count)) {
        const part = file.bytes.subarray(file.at, file.at + range.length);
        range.set(part);
        file.at += part.length;
      }
      view().setUint32(size, file.at - begin, true);
      return OK;
    },
    fd_write(fd, at, count, size) {
      if (fd !== 1 && fd !== 2) return BAD_FILE;
      let written = 0;
      for (const range of ranges(at, count)) {
        if (fd === 1) open.get(1).bytes.push(range.slice());
        else lines(range);
        written += range.length;
      }
      view().setUint32(size, written, true);
      return OK;
    },
    proc_exit(code) {
      throw new Exit(code);
    },
  };

  const imports = {};
  for (const { name } of WebAssembly.Module.imports(module)) imports[name] = calls[name] ?? (() => UNKNOWN);
  const { exports } = await started(module, { wasi_snapshot_preview1: imports });
  memory = exports.memory;
  let [code, fault] = [0];
  try {
    exports._start();
  } catch (thrown) {
    if (thrown instanceof Exit) code = Number(thrown.message);
    else fault = thrown;
  }
  return { code, fault, output: joined(open.get(1).bytes) };
}

// An instance, at once: the other way waits until the code of earlier runs is compiled better. On
// the main thread of pages, some browsers refuse that.
async function started(module, imports) {
  try {
    return new WebAssembly.Instance(module, imports);
  } catch (error) {
    if (error instanceof RangeError) return WebAssembly.instantiate(module, imports);
    throw error;
  }
}

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

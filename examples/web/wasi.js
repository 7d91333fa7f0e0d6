/* SPDX-License-Identifier: MIT
 *
 * wasi.js - a program for WASI, run once over files in memory
 *
 * The few system calls that a C program makes to read and write files, in the
 * form that wasi-libc has them (wasi_snapshot_preview1).  Names are those of
 * the specification.  The page's worker runs it, and so do the tests under
 * node; nothing here knows of either.
 */
'use strict';

const wasi = (() => {
    /* On the page jump.js stands before this file. */
    const {jumps} = typeof require === 'undefined' ? self
                                                   : require('./jump.js');
    /* Results of the calls. */
    const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44,
          NOSYS = 52, NOTDIR = 54, NOTEMPTY = 55;
    const DEVICE = 2, DIRECTORY = 3, REGULAR = 4;       /* kinds of files */
    const CREAT = 1, ONLY_DIRECTORY = 2, EXCL = 4, TRUNC = 8;
    const APPEND = 1;
    const ALL = 0x1fffffffn, UNSEEKABLE = ALL & ~0x24n; /* a terminal cannot */
    const ROOT = 3;                                     /* its descriptor */

    class Exit { constructor(status) { this.status = status; } }

    /* A file's bytes; the array has room for more. */
    class File {
        constructor(bytes) {
            this.room = bytes;
            this.size = bytes.length;
        }
        bytes() { return this.room.subarray(0, this.size); }
        write(at, from) {
            const end = at + from.length;
            if (end > this.room.length) {
                const more = new Uint8Array(Math.max(end, 2 * this.size, 4096));
                more.set(this.bytes());
                this.room = more;
            }
            this.room.set(from, at);
            this.size = Math.max(this.size, end);
        }
    }

    /* The files, by path from the root; a directory is null. */
    class Disk {
        constructor(files) {
            this.at = new Map([['', null]]);
            this.number = new WeakMap();
            this.numbers = 0;
            for (const [path, bytes] of files) {
                for (let up = this.above(path); up !== ''; up = this.above(up))
                    this.at.set(up, null);
                this.at.set(path, new File(bytes));
            }
        }
        has(path) { return this.at.has(path); }
        isDirectory(path) { return this.at.get(path) === null; }
        above(path) {
            return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
        }
        isEmpty(path) {
            for (const other of this.at.keys())
                if (other !== '' && this.above(other) === path)
                    return false;
            return true;
        }
        inode(file) {                       /* tells two files apart */
            if (file === null)
                return 1;
            if (!this.number.has(file))
                this.number.set(file, ++this.numbers + 1);
            return this.number.get(file);
        }
        files() {
            const all = new Map();
            for (const [path, file] of this.at)
                if (file !== null)
                    all.set(path, file.bytes().slice());
            return all;
        }
    }

    /* "./a//b/" and "/a/b" are "a/b". */
    const plain = path =>
        path.split('/').filter(part => part !== '' && part !== '.').join('/');

    /* The calls, over a disk, for a program whose memory `memory()` gives;
     * `heard(fd, bytes)` gets what goes to standard output and error. */
    function calls(args, disk, memory, heard) {
        const open = [{}, {}, {}, {path: ''}];          /* by descriptor */
        const view = () => new DataView(memory().buffer);
        const slice = (at, n) => new Uint8Array(memory().buffer, at, n);
        const text = (at, n) => new TextDecoder().decode(slice(at, n).slice());
        const strings = args.map(a => new TextEncoder().encode(a + '\0'));
        const set32 = (at, x) => view().setUint32(at, x, true);
        const set64 = (at, x) => view().setBigUint64(at, BigInt(x), true);
        const isFile = fd => open[fd] !== undefined &&
                             open[fd].file instanceof File;

        /* Each piece of memory that the list names. */
        function* pieces(list, n) {
            for (let i = 0; i < n; i++) {
                const v = view();
                yield slice(v.getUint32(list + 8 * i, true),
                            v.getUint32(list + 8 * i + 4, true));
            }
        }
        function status_of(at, file) {
            const kind = file === null ? DIRECTORY : REGULAR;
            slice(at, 64).fill(0);
            set64(at, 1);
            set64(at + 8, disk.inode(file));
            view().setUint8(at + 16, kind);
            set64(at + 24, 1);
            set64(at + 32, file === null ? 0 : file.size);
            return OK;
        }

        return {
            environ_sizes_get(count, bytes) {       /* there is none */
                set32(count, 0);
                set32(bytes, 0);
                return OK;
            },
            environ_get() { return OK; },
            args_sizes_get(count, bytes) {
                set32(count, strings.length);
                set32(bytes, strings.reduce((n, s) => n + s.length, 0));
                return OK;
            },
            args_get(list, at) {
                for (const s of strings) {
                    set32(list, at);
                    slice(at, s.length).set(s);
                    list += 4;
                    at += s.length;
                }
                return OK;
            },
            clock_time_get(clock, precision, at) {
                set64(at, Math.round(performance.now() * 1e6));
                return OK;
            },
            proc_exit(status) { throw new Exit(status); },

            fd_prestat_get(fd, at) {
                if (fd !== ROOT)
                    return BADF;
                set32(at, 0);
                set32(at + 4, 1);
                return OK;
            },
            fd_prestat_dir_name(fd, at) {
                slice(at, 1)[0] = 0x2f;
                return OK;
            },
            fd_fdstat_get(fd, at) {
                if (open[fd] === undefined)
                    return BADF;
                const kind = fd < ROOT ? DEVICE : isFile(fd) ? REGULAR
                                                             : DIRECTORY;
                slice(at, 24).fill(0);
                view().setUint8(at, kind);
                set64(at + 8, kind === DEVICE ? UNSEEKABLE : ALL);
                set64(at + 16, ALL);
                return OK;
            },
            fd_fdstat_set_flags: () => OK,
            fd_read(fd, list, n, got) {
                let sum = 0;
                if (!isFile(fd) && fd !== 0)
                    return BADF;
                for (const to of isFile(fd) ? pieces(list, n) : []) {
                    const f = open[fd];
                    const from = f.file.bytes()
                        .subarray(f.at, f.at + to.length);
                    to.set(from);
                    f.at += from.length;
                    sum += from.length;
                }
                set32(got, sum);
                return OK;
            },
            fd_write(fd, list, n, put) {
                let sum = 0;
                if (!isFile(fd) && fd !== 1 && fd !== 2)
                    return BADF;
                for (const from of pieces(list, n)) {
                    const f = open[fd];
                    if (isFile(fd)) {
                        f.at = f.append ? f.file.size : f.at;
                        f.file.write(f.at, from);
                        f.at += from.length;
                    } else if (from.length > 0)
                        heard(fd, from.slice());
                    sum += from.length;
                }
                set32(put, sum);
                return OK;
            },
            fd_seek(fd, offset, from, at) {
                if (!isFile(fd))
                    return BADF;
                const f = open[fd];
                const to = Number(offset) + [0, f.at, f.file.size][from];
                if (!(to >= 0))
                    return INVAL;
                f.at = to;
                set64(at, to);
                return OK;
            },
            fd_close(fd) {
                if (open[fd] === undefined)
                    return BADF;
                open[fd] = undefined;
                return OK;
            },

            path_open(root, follow, at, n, how, rights, later, flags, fd) {
                const path = plain(text(at, n));
                if (disk.isDirectory(path))
                    return ISDIR;
                if (how & ONLY_DIRECTORY)
                    return disk.has(path) ? NOTDIR : NOENT;
                if (disk.has(path) && how & CREAT && how & EXCL)
                    return EXIST;
                if (!disk.has(path) &&
                    (!(how & CREAT) || !disk.isDirectory(disk.above(path))))
                    return NOENT;
                if (!disk.has(path) || how & TRUNC)
                    disk.at.set(path, new File(new Uint8Array(0)));
                open.push({file: disk.at.get(path), at: 0,
                           append: (flags & APPEND) !== 0});
                set32(fd, open.length - 1);
                return OK;
            },
            path_filestat_get(root, follow, at, n, to) {
                const path = plain(text(at, n));
                return disk.has(path) ? status_of(to, disk.at.get(path))
                                      : NOENT;
            },
            path_create_directory(root, at, n) {
                const path = plain(text(at, n));
                if (disk.has(path))
                    return EXIST;
                if (!disk.isDirectory(disk.above(path)))
                    return NOENT;
                disk.at.set(path, null);
                return OK;
            },
            path_remove_directory(root, at, n) {
                const path = plain(text(at, n));
                if (!disk.isDirectory(path))
                    return disk.has(path) ? NOTDIR : NOENT;
                if (!disk.isEmpty(path))
                    return NOTEMPTY;
                disk.at.delete(path);
                return OK;
            },
            path_unlink_file(root, at, n) {
                const path = plain(text(at, n));
                if (disk.isDirectory(path))
                    return ISDIR;
                return disk.at.delete(path) ? OK : NOENT;
            },
            path_rename(root, at, n, other, to, m) {
                const path = plain(text(at, n)), name = plain(text(to, m));
                if (!disk.has(path))
                    return NOENT;
                if (disk.isDirectory(path) || disk.isDirectory(name))
                    return ISDIR;
                if (!disk.isDirectory(disk.above(name)))
                    return NOENT;
                const file = disk.at.get(path);
                disk.at.delete(path);
                disk.at.set(name, file);
                return OK;
            }
        };
    }

    /* Runs a compiled module.  `args` begin with the program's name; `files`
     * are pairs of path and Uint8Array, which are not changed.  Gives the
     * exit status, what was written to standard output and error, and all
     * files as they are then, a Map.  A program that breaks down has status
     * 134 and the reason as `broken`. */
    function run(module, args, files, heard = () => {}) {
        const said = ['', ''], decode = [new TextDecoder(), new TextDecoder()];
        const disk = new Disk(Array.from(files, ([p, b]) => [plain(p), b]));
        let program;
        const system = calls(args, disk, () => program.exports.memory,
            (fd, bytes) => {
                const more = decode[fd - 1].decode(bytes, {stream: true});
                said[fd - 1] += more;
                heard(fd, more);
            });

        const imports = {env: jumps(module, () => program.exports),
                         wasi_snapshot_preview1: system};
        for (const {module: from, name} of WebAssembly.Module.imports(module))
            if (imports[from][name] === undefined)
                imports[from][name] = () => NOSYS;

        let status = 0, broken = null;
        try {
            program = new WebAssembly.Instance(module, imports);
            program.exports._start();
        } catch (e) {
            if (!(e instanceof Exit))
                broken = String(e);
            status = e instanceof Exit ? e.status : 134;
        }
        return {status, broken, stdout: said[0], stderr: said[1],
                files: disk.files()};
    }

    return {run};
})();

if (typeof module !== 'undefined')
    module.exports = wasi;

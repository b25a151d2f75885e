/**
 * Names of environment variables that a reading process gets. Others may hold secrets of the host, which no reader
 * needs.
 */
const ENVIRONMENT =
  /^(PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|windir|(LD|DYLD)_\w+|MALLOC_\w+|FONTCONFIG_\w+)$/i;

/** Bytes of the largest blocks of memory that a reading process keeps for the next file. */
const KEPT_BLOCKS = String(16 * 2 ** 20);

/** The environment of a reading process. */
export function readingEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name));
  return {
    ...Object.fromEntries(kept),
    // In Electron the executable is a browser unless it is told to be Node.
    ELECTRON_RUN_AS_NODE: '1',
    // One request at a time needs no arena for each thread, and processor time is counted over all threads.
    MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
    // Blocks from this size on go back to the system where they are freed, and what lies free behind the last one;
    // glibc would raise the bounds to what was freed, up to 32 and 64 MiB. Each is mapped, filled with zeros and
    // unmapped for all threads: for those in which V8's compilers work (32 KiB) this cost a page of lines a third of
    // all processor time, for those of whole pictures (1 to 16 MiB) a scan three tenths.
    MALLOC_MMAP_THRESHOLD_: process.env['MALLOC_MMAP_THRESHOLD_'] ?? KEPT_BLOCKS,
    MALLOC_TRIM_THRESHOLD_: process.env['MALLOC_TRIM_THRESHOLD_'] ?? KEPT_BLOCKS,
    VIPS_CONCURRENCY: '1',
  };
}

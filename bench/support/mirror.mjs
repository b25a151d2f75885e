// Files of public repositories that are labelled but not part of this project: read from git directories
// MIRROR/OWNER+NAME/repo.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Largest file that is read from a mirror, bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The bytes of a labelled file.
 * @param {{ repository: string, commit: string, path: string, sha256: string }} label
 * @returns {Uint8Array | undefined} undefined where the mirror lacks it or holds other bytes.
 */
export function mirroredBytes(mirror, { repository, commit, path, sha256 }) {
  const directory = join(mirror, repository.replace('/', '+'), 'repo');
  try {
    const bytes = execFileSync('git', ['--git-dir', directory, 'cat-file', 'blob', `${commit}:${path}`], {
      maxBuffer: MOST_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? new Uint8Array(bytes) : undefined;
  } catch {
    // The mirror lacks the repository or the file; the caller says so.
    return undefined;
  }
}

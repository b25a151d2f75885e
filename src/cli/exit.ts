/** Exit codes of the command line. */
export const EXIT = Object.freeze({
  ok: 0,
  /** The work, or part of it, failed. */
  failure: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Ended by Ctrl-C or SIGTERM. */
  interrupted: 130,
});

/** The command line is wrong in a way that commander does not detect. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Takes the exit code of a command; a command that does not call it ends with 0. */
export type Finish = (exitCode: number) => void;

import type { Company, ServedCompany } from '../index.js';

/** A file that an agent's path names. */
export interface NamedFile {
  /** Its name without folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What an agent works with: one company, as its user sees it. */
export interface Agent {
  readonly company: Company;
  /** The same company, with its profile's defaults, and with usage counted. */
  readonly served: ServedCompany;
  /** True: tools that change the library are offered. */
  readonly write: boolean;
  /** UID of the user whose search inputs the agent makes; undefined: they are everybody's. */
  readonly owner?: string;
  /** Told of each change after it was made and before the agent hears of it: the tool, and the path or UID. */
  readonly noteChange?: (tool: string, object: string) => Promise<void>;
  /**
   * Reads a file of this machine by a path that the agent gave. Refuses with {@link ToolFailure} what lies outside the
   * folders that the operator named. Absent: the agent cannot name files of this machine.
   */
  readonly readFile?: (path: string) => Promise<NamedFile>;
}

/** Why a tool refuses, in words for a model: what was found, and what to do next. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: string;
  readonly next: string;

  constructor(code: string, message: string, next: string) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

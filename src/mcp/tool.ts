import type { z } from 'zod';
import type { FileRecord } from '../index.js';
import type { Agent } from './agent.js';

/** Most results of one page. */
export const MOST_RESULTS = 20;
/** Results of a page where the agent does not say how many. */
export const USUAL_RESULTS = 10;

/** A file to which the answer links. */
export type Linked = Pick<FileRecord, 'uid' | 'path'>;

/** What a tool answers: a value of its output schema, and what cannot be written as JSON. */
export interface ToolAnswer<Value> {
  readonly value: Value;
  /** PNG. */
  readonly pictures?: readonly Uint8Array[];
  readonly files?: readonly Linked[];
}

/** One tool: what it takes, what it gives, and the function that computes it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model that chooses among tools: what it finds, and when another one is meant. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Set: the tool changes the library. 'adds': nothing that was there is lost. 'replaces': it can be. */
  readonly writes?: 'adds' | 'replaces';
  readonly run: (agent: Agent, input: z.output<Input>, signal: AbortSignal) => Promise<ToolAnswer<z.input<Output>>>;
}

/** Declares a tool. Its types are checked here and then dropped, so that all tools fit in one list. */
export function toolOf<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): Tool {
  return tool as unknown as Tool;
}

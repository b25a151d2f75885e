import { readFileSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'vitest';

/** A call of the session in a README, and values of its answer by their places: `hits[0].path`. */
interface Step {
  readonly tool: string;
  readonly given: Record<string, unknown>;
  readonly answers: readonly (readonly [place: string, value: unknown])[];
}

/** The session that a README shows in a block of the language `mcp`. */
export function sessionOf(readme: URL): Step[] {
  const [, block = ''] = /```mcp\n([\s\S]*?)```/.exec(readFileSync(readme, 'utf8')) ?? [];
  const steps: { tool: string; given: Record<string, unknown>; answers: [string, unknown][] }[] = [];
  for (const line of block.split('\n').filter((one) => one.trim() !== '')) {
    const [, tool, given] = /^(\w+) (\{.*\})$/.exec(line) ?? [];
    if (tool !== undefined) {
      steps.push({ tool, given: JSON.parse(given) as Record<string, unknown>, answers: [] });
      continue;
    }
    const [, place, value] = /^ {2}([\w[\].]+) = (.+)$/.exec(line) ?? [];
    if (place === undefined) throw new Error(`the session has a line of no form: ${line}`);
    steps.at(-1)?.answers.push([place, JSON.parse(value)]);
  }
  return steps;
}

/** Makes the calls in their order and holds each answer against what the README says. */
export async function runSession(client: Client, steps: readonly Step[]): Promise<void> {
  for (const { tool, given, answers } of steps) {
    const result = await client.callTool({ name: tool, arguments: given });
    expect(result.isError, JSON.stringify(result.content).slice(0, 500)).toBeFalsy();
    for (const [place, value] of answers)
      expect(at(result.structuredContent, place), `${tool}: ${place}`).toEqual(value);
  }
}

function at(value: unknown, place: string): unknown {
  return place
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<any>((found, key) => found?.[key], value);
}

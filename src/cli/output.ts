/** Where a command's words go: answers on stdout, remarks on stderr, and with `--json` only JSON on stdout. */
export interface Output {
  readonly json: boolean;
  /** A human's answer: stdout, or stderr when stdout belongs to JSON. */
  say(text: string): void;
  /** A remark that is no part of the answer: always stderr. */
  note(text: string): void;
  /** A machine's answer: one JSON document on a line of its own; nothing without `--json`. */
  emit(value: unknown): void;
}

/** The process's own streams as an {@link Output}. */
export function openOutput({ json = false }: { readonly json?: boolean }): Output {
  const note = (text: string): void => void process.stderr.write(`${text}\n`);
  return {
    json,
    note,
    say: json ? note : (text) => void process.stdout.write(`${text}\n`),
    emit: (value) => {
      if (json) process.stdout.write(`${JSON.stringify(value)}\n`);
    },
  };
}

/** Colours that a stream can show; every function gives its text back unchanged where it cannot. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** Colours only on a terminal, and not when NO_COLOR is set (https://no-color.org). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  const coloured = stream.isTTY === true && !process.env['NO_COLOR'];
  const code = (open: number, close: number) => (text: string) =>
    coloured ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return { bold: code(1, 22), dim: code(2, 22), red: code(31, 39), green: code(32, 39), yellow: code(33, 39) };
}

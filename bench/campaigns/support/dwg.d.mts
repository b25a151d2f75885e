export function dwg(version: string): Promise<Buffer>;

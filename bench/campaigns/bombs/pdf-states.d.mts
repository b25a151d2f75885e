import type { Bomb } from './pictures.mjs';

export function stateBombs(): Bomb[];
export function savesInStreams(streams: number, saves: number): Buffer;
export function savesInForms(forms: number, saves: number): Buffer;
export function encryptedPdf(content: string, method: 'rc4' | 'aes', map?: string): Buffer;

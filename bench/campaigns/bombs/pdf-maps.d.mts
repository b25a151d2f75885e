export function mapBombs(): readonly (readonly [name: string, make: () => Buffer])[];
export function mapOf(sections: string): string;
export function mappedPdf(sections: string): Buffer;

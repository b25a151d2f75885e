/** Formats that a model can be written in. */
export type ConversionFormat = 'stl' | 'step';

import type { Model } from './model.js';

/** Anything that a reader can find in a file. Drawings, images and documents join this union as their readers come. */
export type Content = Model;

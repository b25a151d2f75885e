import type { Document } from './document.js';
import type { Drawing } from './drawing.js';
import type { Image } from './image.js';
import type { Model } from './model.js';

/** The result of reading a file. */
export type Content = Model | Drawing | Image | Document;

import sharp from 'sharp';

// Decoded pictures are never used twice: the cache of libvips would only keep hundreds of megabytes between files. One
// thread a process, because the engine reads as many files at a time as the machine has cores.
sharp.cache(false);
sharp.concurrency(1);

/** libvips, set up for reading: no cache, one thread. Readers import it from here. */
export { default as sharp, type Metadata, type Sharp } from 'sharp';

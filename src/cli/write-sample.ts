import { ProgressLine } from './progress.js';

/** Makes the sample parts with a bar on stderr; the number of files, or undefined when the signal ended it. */
export async function writeSample(folder: string, signal: AbortSignal): Promise<number | undefined> {
  // The modeller is 23 MB of WebAssembly, so it is loaded here and nowhere else.
  const { makeSampleLibrary } = await import('./sample/library.js');
  const line = new ProgressLine('Making sample parts');
  const started = performance.now();
  try {
    return await makeSampleLibrary(folder, {
      signal,
      onProgress: (progress) => {
        const ratePerS = progress.done / ((performance.now() - started) / 1000);
        line.show({ ...progress, ratePerS, remainingS: (progress.total - progress.done) / ratePerS });
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  } finally {
    line.end();
  }
}

import { EngineError } from '../index.js';
import { ProgressLine } from './progress.js';

/** What the kit of parts (`bench/parts/sample/library.ts`, built into `dist/parts`) gives. */
interface SampleLibrary {
  makeSampleLibrary(
    folder: string,
    options: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: { readonly done: number; readonly total: number; readonly path: string }) => void;
    },
  ): Promise<number>;
}

/** Makes the sample parts with a bar on stderr; the number of files, or undefined when the signal ended it. */
export async function writeSample(folder: string, signal: AbortSignal): Promise<number | undefined> {
  const { makeSampleLibrary } = await loadSampleLibrary();
  const line = new ProgressLine('Making sample parts');
  try {
    return await makeSampleLibrary(folder, {
      signal,
      onProgress: (progress) => line.show(progress),
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  } finally {
    line.end();
  }
}

/** Loads the kit and with it the modeller, 23 MB of WebAssembly. @throws EngineError `PACKAGE_MISSING`. */
async function loadSampleLibrary(): Promise<SampleLibrary> {
  try {
    return (await import(new URL('../parts/sample/library.js', import.meta.url).href)) as SampleLibrary;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const name = 'replicad replicad-opencascadejs';
    throw new EngineError('PACKAGE_MISSING', `the sample parts need the packages ${name}: npm install ${name}`, {
      cause,
      details: { package: name },
    });
  }
}

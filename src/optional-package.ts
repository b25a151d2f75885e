import { EngineError } from './errors.js';

/**
 * Loads an optional dependency when it is first needed.
 * @param name npm package that `load` imports or resolves.
 * @param purpose what needs it, as the subject of the message: 'recognising text on pictures'.
 * @throws EngineError `PACKAGE_MISSING` (`details.package`) when it is not installed; any other failure of `load` as it
 * is.
 */
export async function loadOptional<T>(name: string, purpose: string, load: () => T | Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    // Node's message for a missing import or resolve names the package in quotes; a dependency missing inside it has
    // another name.
    const { code, message } = cause as NodeJS.ErrnoException;
    if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(code ?? '') || !message.includes(`'${name}`)) throw cause;
    throw new EngineError('PACKAGE_MISSING', `${purpose} needs the package ${name}: npm install ${name}`, {
      details: { package: name },
      cause,
    });
  }
}

import type { ComponentType } from 'preact';
import { Failure, Status } from './notice.js';
import { useLoaded } from './use-loaded.js';

/**
 * A component whose code is fetched when it is first shown. The 3D viewer alone is larger than the rest of the page.
 */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const { value: Component = loaded, failure } = useLoaded(async () => (loaded ??= await load()), []);
    if (failure !== undefined) return <Failure of={failure} />;
    return Component === undefined ? <Status /> : <Component {...props} />;
  };
}

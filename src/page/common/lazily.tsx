import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/request.js';
import { Notice } from './notice.js';

/**
 * A component whose code is fetched when it is first shown. The 3D viewer alone is larger than the rest of the page.
 */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Component, setComponent] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [failure, setFailure] = useState<string | undefined>(undefined);
    useEffect(() => {
      if (Component !== undefined) return;
      load().then(
        (component) => {
          loaded = component;
          setComponent(() => component);
        },
        (cause: unknown) => setFailure(messageOf(cause)),
      );
    }, [Component]);
    if (failure !== undefined) return <Notice kind="error">{failure}</Notice>;
    return Component === undefined ? (
      <p class="quiet" role="status">
        Loading…
      </p>
    ) : (
      <Component {...props} />
    );
  };
}

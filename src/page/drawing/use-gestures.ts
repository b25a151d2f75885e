import { useEffect, useRef } from 'preact/hooks';

/** Callbacks for gestures; coordinates in CSS pixels of the element. */
export interface GestureTargets {
  readonly onMove: (dx: number, dy: number) => void;
  readonly onZoom: (factor: number, at: { readonly x: number; readonly y: number }) => void;
  readonly onFit: () => void;
}

/** Zoom factor and distance of one press of a key or button. */
export const ZOOM_STEP = 1.4;
const MOVE_STEP_PX = 64;
/** Logarithm of the zoom factor per pixel of wheel rotation. */
const WHEEL_RATE = 0.0016;
/** A pointer that moves less makes a click. */
const CLICK_PX = 4;

/**
 * Moves and zooms by mouse, wheel, touch and keys: dragging moves, wheel and pinching zoom, a double click zooms in;
 * arrow keys move, + and - zoom, 0 fits. The click at the end of a drag is suppressed.
 */
export function useGestures(element: { readonly current: HTMLElement | null }, targets: GestureTargets): void {
  const latest = useRef(targets);
  latest.current = targets;
  useEffect(() => {
    const frame = element.current;
    if (frame === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const pointers = new Map<number, { x: number; y: number }>();
    let travelled = 0;
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (event: HTMLElementEventMap[Name]) => void,
      options?: AddEventListenerOptions,
    ): void => frame.addEventListener(name, act, { signal, ...options });
    const at = ({ clientX, clientY }: MouseEvent): { x: number; y: number } => {
      const { left, top } = frame.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    on('pointerdown', (event) => {
      if (event.button !== 0 && event.pointerType === 'mouse') return;
      if (pointers.size === 0) travelled = 0;
      pointers.set(event.pointerId, at(event));
    });
    on('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (before === undefined) return;
      const now = at(event);
      const [first, second] = [...pointers.values()];
      if (second === undefined) {
        travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
        // Not captured earlier: the click of a captured pointer would not reach the element under it.
        if (travelled > CLICK_PX && !frame.hasPointerCapture(event.pointerId)) frame.setPointerCapture(event.pointerId);
        if (travelled > CLICK_PX) latest.current.onMove(now.x - before.x, now.y - before.y);
      } else {
        const other = before === first ? second : first;
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        const gap = Math.hypot(before.x - other.x, before.y - other.y);
        travelled = Infinity;
        if (gap > 0) latest.current.onZoom(Math.hypot(now.x - other.x, now.y - other.y) / gap, middle);
        latest.current.onMove((now.x - before.x) / 2, (now.y - before.y) / 2);
      }
      pointers.set(event.pointerId, now);
    });
    for (const name of ['pointerup', 'pointercancel'] as const) on(name, ({ pointerId }) => pointers.delete(pointerId));
    const onClick = (event: MouseEvent): void => {
      if (travelled > CLICK_PX) event.stopPropagation();
      travelled = 0;
    };
    on('click', onClick, { capture: true });
    on('dblclick', (event) => latest.current.onZoom(2, at(event)));
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 * event.deltaY : event.deltaY;
      const turn = Math.max(-400, Math.min(400, pixels)) * (event.ctrlKey ? 4 : 1);
      latest.current.onZoom(Math.exp(-WHEEL_RATE * turn), at(event));
    };
    // Not passive: preventDefault must keep the page from scrolling.
    on('wheel', onWheel, { passive: false });
    on('keydown', (event) => {
      if (event.target !== frame || event.ctrlKey || event.metaKey || event.altKey) return;
      const { clientWidth, clientHeight } = frame;
      const middle = { x: clientWidth / 2, y: clientHeight / 2 };
      const { onMove, onZoom, onFit } = latest.current;
      const act = new Map([
        ['ArrowLeft', () => onMove(MOVE_STEP_PX, 0)],
        ['ArrowRight', () => onMove(-MOVE_STEP_PX, 0)],
        ['ArrowUp', () => onMove(0, MOVE_STEP_PX)],
        ['ArrowDown', () => onMove(0, -MOVE_STEP_PX)],
        ['+', () => onZoom(ZOOM_STEP, middle)],
        ['=', () => onZoom(ZOOM_STEP, middle)],
        ['-', () => onZoom(1 / ZOOM_STEP, middle)],
        ['0', onFit],
      ]).get(event.key);
      if (act === undefined) return;
      event.preventDefault();
      act();
    });
    return () => controller.abort();
  }, [element]);
}

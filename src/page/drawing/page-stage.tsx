import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Failure } from '../common/notice.js';
import { BALLOON, balloonPlaces } from './balloon-places.js';
import { usePagePicture } from './page-picture.js';
import { choose, pointing, shownSpots, type PagesState, type Spot } from './pages.js';
import {
  fitted,
  isFitted,
  moved,
  PAGE_SIDE,
  pageSize,
  showing,
  zoomed,
  type Placement,
  type Size,
} from './placement.js';
import { StageTools } from './stage-tools.js';
import { useGestures } from './use-gestures.js';

interface PageStageProps {
  readonly uid: string;
  /** Name of the file, for screen readers. */
  readonly name: string;
  readonly pageCount: number;
  readonly state: PagesState;
  /** True: the file has annotations to show; `hasViews`: it has views. */
  readonly hasPmi: boolean;
  readonly hasViews: boolean;
}

const FALLBACK: Size = { width: PAGE_SIDE, height: PAGE_SIDE * 0.7 };

/** A page that can be moved and zoomed by drag, wheel, pinch or keys. Boxes mark what was read on it. */
export function PageStage({ uid, name, pageCount, state, hasPmi, hasViews }: PageStageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Size | undefined>(undefined);
  const [placement, setPlacement] = useState<Placement | undefined>(undefined);
  const page = state.page.value;
  const picture = usePagePicture(uid, page, (placement?.scale ?? 1) * PAGE_SIDE * devicePixelRatio);
  // The size of the first picture counts: sharper ones differ by rounding, and the page must not jump.
  const known = useRef({ page: 0, size: FALLBACK });
  if (picture.size !== undefined && known.current.page !== page) known.current = { page, size: pageSize(picture.size) };
  const { size } = known.current;
  const isWhole = placement === undefined || room === undefined || isFitted(placement, size, room);

  useEffect(() => {
    if (frame.current === null) return;
    const observer = new ResizeObserver(([{ contentRect }]) =>
      setRoom({ width: contentRect.width, height: contentRect.height }),
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  // A new page, or a resized window, is shown whole, unless a selected spot has to be shown.
  const key = room === undefined ? '' : `${known.current.page} ${room.width} ${room.height}`;
  useLayoutEffect(() => {
    if (room === undefined) return;
    const whole = fitted(size, room);
    const spot = state.spots.peek().find(({ id }) => id === state.chosen.peek());
    setPlacement(spot !== undefined && spot.page === known.current.page ? showing(whole, spot.box, size, room) : whole);
  }, [key]);
  useEffect(() => {
    if (picture.size !== undefined && !state.sizes.peek().has(page))
      state.sizes.value = new Map([...state.sizes.peek(), [page, picture.size]]);
  }, [picture.size]);
  const chosen = state.chosen.value;
  // The address may select a spot before the spots are loaded.
  const isThere = state.spots.value.some(({ id }) => id === chosen);
  useEffect(() => {
    const spot = state.spots.peek().find(({ id }) => id === chosen);
    if (spot === undefined || spot.page !== page || room === undefined) return;
    setPlacement((now) => (now === undefined ? now : showing(now, spot.box, size, room)));
  }, [chosen, isThere]);

  const change = (next: (now: Placement, room: Size) => Placement): void => {
    if (room !== undefined) setPlacement((now) => (now === undefined ? now : next(now, room)));
  };
  const onZoom = (factor: number, at?: { readonly x: number; readonly y: number }): void =>
    change((now, within) => zoomed(now, factor, at ?? { x: within.width / 2, y: within.height / 2 }, size, within));
  const onFit = (): void => change((_, within) => fitted(size, within));
  useGestures(frame, { onZoom, onFit, onMove: (dx, dy) => change((now, within) => moved(now, dx, dy, size, within)) });

  return (
    <section class="stage" aria-label="Pages">
      <StageTools
        state={state}
        pageCount={pageCount}
        hasPmi={hasPmi}
        hasViews={hasViews}
        onFit={onFit}
        onZoom={onZoom}
        isWhole={isWhole}
      />
      <div
        ref={frame}
        class={`stage-frame${isWhole ? '' : ' stage-near'}`}
        tabIndex={0}
        role="group"
        aria-label={`Page ${page} of ${name}. Plus and minus zoom, arrow keys move, 0 shows the whole page.`}
        onClick={() => {
          state.chosen.value = '';
        }}
      >
        {placement !== undefined && (
          <div
            class="stage-page"
            style={{
              width: `${size.width}px`,
              height: `${size.height}px`,
              transform: `translate(${placement.x}px, ${placement.y}px) scale(${placement.scale})`,
            }}
          >
            {picture.address !== undefined && (
              <img src={picture.address} alt={`Page ${page} of ${name}`} draggable={false} />
            )}
            {picture.address !== undefined && <Spots state={state} size={size} />}
          </div>
        )}
        {picture.isLoading && (
          <p class="stage-loading" role="status">
            {picture.address === undefined ? 'Drawing the page…' : 'Sharpening…'}
          </p>
        )}
        {picture.failure !== undefined && (
          <div class="stage-failure">
            <Failure of={picture.failure} />
          </div>
        )}
      </div>
    </section>
  );
}

/** The numbers of the inspector's list. */
function Balloons({ state, size }: { readonly state: PagesState; readonly size: Size }) {
  const { page, spots, balloons, chosen } = state;
  const places = useMemo(
    () =>
      balloonPlaces(
        spots.value.filter((spot) => spot.page === page.value),
        balloons.value,
        size,
      ),
    [spots.value, page.value, balloons.value, size],
  );
  return (
    <>
      {[...places].map(([id, [x, y]]) => {
        const numbers = balloons.value.get(id)!;
        return (
          <g key={id} class={`page-balloon${id === chosen.value ? ' page-balloon-chosen' : ''}`}>
            <circle cx={x} cy={y} r={BALLOON} />
            <text x={x} y={y} font-size={Math.min(12, 30 / numbers.length)}>
              {numbers}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** Where a spot's rectangle is drawn: along its text where that is known, upright otherwise. */
function areaOf({ box, turned }: Spot, size: Size) {
  if (turned === undefined)
    return {
      x: box.x * size.width,
      y: box.y * size.height,
      width: Math.max(box.width * size.width, 1),
      height: Math.max(box.height * size.height, 1),
    };
  const side = Math.max(size.width, size.height);
  const [x, y, width, height] = [turned.x, turned.y, turned.width, turned.height].map((share) => share * side);
  return {
    x: x - width / 2,
    y: y - height / 2,
    width: Math.max(width, 1),
    height: Math.max(height, 1),
    transform: `rotate(${turned.angleDeg} ${x} ${y})`,
  };
}

/**
 * Boxes around what was read. They are hidden from keyboards and screen readers, which use the lists beside the page.
 */
function Spots({ state, size }: { readonly state: PagesState; readonly size: Size }) {
  const spots = shownSpots(state);
  return (
    <svg class="spots" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
      {spots.map((spot) => {
        const { id, kind, group, name } = spot;
        const classes = [
          'spot',
          `spot-${kind}`,
          group === undefined ? '' : `spot-group-${group.replace('&', '')}`,
          id === state.chosen.value ? 'spot-chosen' : '',
          id === state.pointedAt.value ? 'spot-pointed' : '',
        ];
        return (
          <rect
            key={id}
            class={classes.filter(Boolean).join(' ')}
            {...areaOf(spot, size)}
            onClick={(event) => {
              event.stopPropagation();
              choose(state, spot);
            }}
            {...pointing(state, spot)}
          >
            <title>{name}</title>
          </rect>
        );
      })}
      <Balloons state={state} size={size} />
    </svg>
  );
}

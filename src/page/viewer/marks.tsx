import { useEffect, useReducer } from 'preact/hooks';
import { Vector3, type Box3 } from 'three';
import { lengthText } from '../common/figures.js';
import { boxEdges, outerSides, type PickedPoint } from './measure.js';
import type { Stage } from './stage.js';

interface MarksProps {
  readonly stage: Stage;
  /** A box to draw with its three dimensions. */
  readonly box?: Box3;
  /** Points to draw; two of them with their distance. */
  readonly points: readonly PickedPoint[];
  /** Corners of a measured edge. */
  readonly edge?: readonly Vector3[];
}

/** Dimensions and picked points, drawn over the canvas and updated after every drawing. */
export function Marks({ stage, box, points, edge = [] }: MarksProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => stage.on('draw', () => redraw(undefined)), [stage]);
  const places = points.map(({ point }) => stage.project(point));
  return (
    <svg class="viewer-marks" aria-hidden="true">
      {box !== undefined && <BoxMarks stage={stage} box={box} />}
      {edge.length > 1 && (
        <polyline
          class="mark-edge-line"
          points={edge
            .map((corner) => stage.project(corner))
            .map(({ x, y }) => `${x},${y}`)
            .join(' ')}
        />
      )}
      {places.length === 2 && (
        <line class="mark-distance" x1={places[0].x} y1={places[0].y} x2={places[1].x} y2={places[1].y} />
      )}
      {places.map(({ x, y }, i) => (
        <circle key={i} class={`mark-point mark-${points[i].on}`} cx={x} cy={y} r={points[i].on === 'face' ? 4 : 6} />
      ))}
      {places.length === 2 && (
        <Label
          stage={stage}
          x={(places[0].x + places[1].x) / 2}
          y={(places[0].y + places[1].y) / 2 - 14}
          text={lengthText(points[0].point.distanceTo(points[1].point))}
        />
      )}
    </svg>
  );
}

function BoxMarks({ stage, box }: { readonly stage: Stage; readonly box: Box3 }) {
  const middle = stage.project(box.getCenter(new Vector3()));
  return (
    <>
      {boxEdges(box).map(({ from, to }, i) => {
        const a = stage.project(from),
          b = stage.project(to);
        return <line key={i} class="mark-box" x1={a.x} y1={a.y} x2={b.x} y2={b.y} />;
      })}
      {outerSides(box, stage).map(({ axis, lengthMm, from, to }) => {
        const a = stage.project(from),
          b = stage.project(to);
        const length = Math.hypot(b.x - a.x, b.y - a.y);
        // Seen end-on a side is nearly a point, and its dimension would mislead.
        if (length < 8) return null;
        const x = (a.x + b.x) / 2,
          y = (a.y + b.y) / 2,
          away = Math.hypot(x - middle.x, y - middle.y) || 1;
        return (
          <g key={axis}>
            <line class="mark-side" x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
            <Label
              stage={stage}
              x={x + (20 * (x - middle.x)) / away}
              y={y + (20 * (y - middle.y)) / away}
              text={`${axis.toUpperCase()} ${lengthText(lengthMm)}`}
            />
          </g>
        );
      })}
    </>
  );
}

interface LabelProps {
  readonly stage: Stage;
  /** Centre of the label, CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** A text with a background, moved to stay inside the canvas. */
function Label({ stage: { canvas }, x: wantedX, y: wantedY, text }: LabelProps) {
  const width = 7.5 * text.length + 14;
  const x = within(wantedX, width / 2 + 4, canvas.clientWidth),
    y = within(wantedY, 14, canvas.clientHeight);
  return (
    <g class="mark-label">
      <rect x={x - width / 2} y={y - 10} width={width} height={20} rx={3} />
      <text x={x} y={y + 4} text-anchor="middle">
        {text}
      </text>
    </g>
  );
}

function within(value: number, margin: number, length: number): number {
  return Math.max(margin, Math.min(length - margin, value));
}

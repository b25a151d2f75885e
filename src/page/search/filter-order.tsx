import { useEffect, useRef, useState } from 'preact/hooks';
import { setAttributeOrder } from '../api/library-endpoints.js';
import { Failure } from '../common/notice.js';
import { useAction } from '../common/use-loaded.js';
import { attributeOrder } from './attribute-order.js';
import './filter-order.css';

interface FilterOrderProps {
  /** Names of the attributes in the order in which they are shown. */
  readonly names: readonly string[];
  readonly onClose: () => void;
}

/** Puts the filters of the company into an order; those that were moved come before all others. */
export function FilterOrder({ names, onClose }: FilterOrderProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [order, setOrder] = useState(names);
  // The first ones are stored; the rest follows in the usual order.
  const [stored, setStored] = useState(attributeOrder.value.filter((name) => names.includes(name)).length);
  const { busy, failure, run } = useAction();
  useEffect(() => dialog.current?.showModal(), []);
  const move = (from: number, to: number): void => {
    const next = order.toSpliced(from, 1).toSpliced(to, 0, order[from]);
    setOrder(next);
    const joins = from >= stored && to < from;
    setStored(Math.max(stored + (joins ? 1 : 0), to + 1));
  };
  const save = (chosen: readonly string[]) => async (): Promise<void> => {
    attributeOrder.value = await setAttributeOrder(chosen);
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="filter-order-title" onClose={onClose}>
      <h2 id="filter-order-title">Order of the filters</h2>
      <p class="quiet">For everybody of the company.</p>
      <ol class="filter-order" tabIndex={0} aria-label="Filters">
        {order.map((name, at) => (
          <li key={name}>
            <span>{name}</span>
            <button type="button" aria-label={`${name} to the top`} disabled={at === 0} onClick={() => move(at, 0)}>
              Top
            </button>
            <button type="button" aria-label={`${name} up`} disabled={at === 0} onClick={() => move(at, at - 1)}>
              ↑
            </button>
            <button
              type="button"
              aria-label={`${name} down`}
              disabled={at === order.length - 1}
              onClick={() => move(at, at + 1)}
            >
              ↓
            </button>
          </li>
        ))}
      </ol>
      <Failure of={failure} />
      <p class="dialog-end">
        <button type="button" disabled={busy !== ''} onClick={() => run(save([]))}>
          Usual order
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={busy !== ''} onClick={() => run(save(order.slice(0, stored)))}>
          Save
        </button>
      </p>
    </dialog>
  );
}

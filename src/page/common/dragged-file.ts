/** Type of what is dragged: the UID of a file of the library. */
export const DRAGGED_FILE = 'application/x-shapedex-file';

/** Makes an element stand for a file when it, or a link or picture in it, is dragged. */
export function draggedAs(uid: string) {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent): void => {
      dataTransfer?.setData(DRAGGED_FILE, uid);
    },
  };
}

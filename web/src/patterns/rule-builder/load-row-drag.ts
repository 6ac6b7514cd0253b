import { startLater } from '../../ui/start-later.ts'
import type { Place } from './rule/edit-tree.ts'

type Stop = () => void

/** Loads dragging after the rows are shown, because keys and menus move them without it. Returns how to stop it. */
export const startRowDrag = (row: HTMLElement, id: string): Stop =>
  startLater(
    import('./row-drag.ts').then(
      ({ makeRowDraggable }) =>
        () =>
          makeRowDraggable(row, id),
    ),
  )

export const startRowDrops = (root: HTMLElement, move: (id: string, place: Place) => void): Stop =>
  startLater(
    import('./row-drag.ts').then(
      ({ watchRowDrops }) =>
        () =>
          watchRowDrops(root, move),
    ),
  )

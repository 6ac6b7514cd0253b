import { startLater } from '../../ui/start-later.ts'

type BoardDrag = typeof import('./board-drag.ts')
type CardDrag = Parameters<BoardDrag['makeDraggable']>[1]
type LaneDrop = Parameters<BoardDrag['makeDropTarget']>[1]
type Stop = () => void

/** Loads dragging after the cards are shown, because keys and menus move cards without it. Returns how to stop it. */
export const startDragging = (element: HTMLElement, card: CardDrag): Stop =>
  startLater(
    import('./board-drag.ts').then(
      ({ makeDraggable }) =>
        () =>
          makeDraggable(element, card),
    ),
  )

export const startDropping = (element: HTMLElement, lane: LaneDrop): Stop =>
  startLater(
    import('./board-drag.ts').then(
      ({ makeDropTarget }) =>
        () =>
          makeDropTarget(element, lane),
    ),
  )

type BoardDrag = typeof import('./board-drag.ts')
type CardDrag = Parameters<BoardDrag['makeDraggable']>[1]
type LaneDrop = Parameters<BoardDrag['makeDropTarget']>[1]
type Stop = () => void

/** Loads dragging after the cards are shown, because keys and menus move cards without it. Returns how to stop it. */
export const startDragging = (element: HTMLElement, card: CardDrag): Stop =>
  stopLater(
    import('./board-drag.ts').then(
      ({ makeDraggable }) =>
        () =>
          makeDraggable(element, card),
    ),
  )

export const startDropping = (element: HTMLElement, lane: LaneDrop): Stop =>
  stopLater(
    import('./board-drag.ts').then(
      ({ makeDropTarget }) =>
        () =>
          makeDropTarget(element, lane),
    ),
  )

/** Starts once it is loaded, unless it was stopped before. */
function stopLater(loaded: Promise<() => Stop>): Stop {
  let isStopped = false
  let stop: Stop | undefined
  void loaded.then((start) => {
    if (!isStopped) stop = start()
  })
  return () => {
    isStopped = true
    stop?.()
  }
}

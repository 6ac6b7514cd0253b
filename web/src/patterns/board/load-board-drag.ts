type BoardDrag = typeof import('./board-drag.ts')

/** Loads dragging after the cards are shown, because keys and menus move cards without it. Returns how to stop it. */
export function loadBoardDrag(start: (drag: BoardDrag) => () => void): () => void {
  let isStopped = false
  let stop: (() => void) | undefined
  void import('./board-drag.ts').then((drag) => {
    if (!isStopped) stop = start(drag)
  })
  return () => {
    isStopped = true
    stop?.()
  }
}

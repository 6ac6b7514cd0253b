import type { ActiveRow } from './active-row.ts'

export type ListPlace = {
  name: string
  active: Omit<ActiveRow, 'name'>
  /** The first row in view and how far it is scrolled out; left out if the active row decides. */
  top?: { row: number; pixels: number; id?: string }
}

let last: ListPlace | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const settleMs = 200

/** The place of the list on this page, otherwise that of the entry of the history, which outlives a reload. */
export function readListPlace(name: string): ListPlace | undefined {
  const stored = (history.state as { listPlace?: ListPlace } | null)?.listPlace
  return [last, stored].find((place) => place?.name === name)
}

export function rememberListPlace(place: ListPlace): void {
  last = place
}

export function keepListPlace(place: ListPlace): void {
  rememberListPlace(place)
  clearTimeout(timer)
  const { pathname } = location
  timer = setTimeout(() => {
    // Not by the method of the router, which would load the page again.
    if (location.pathname === pathname)
      History.prototype.replaceState.call(history, { ...history.state, listPlace: place }, '')
  }, settleMs)
}

export function findNear(
  id: string,
  index: number,
  getRow: (index: number) => { id: string } | undefined,
): number | undefined {
  for (let by = 0; by <= 100; by++)
    for (const at of [index + by, index - by]) if (at >= 0 && getRow(at)?.id === id) return at
  return undefined
}

export type Lanes = readonly { items: readonly { id: string }[] }[]
export type Direction = 'up' | 'down' | 'left' | 'right' | 'next' | 'previous'

/** Returns the card that a key moves to, or undefined if there is none. `next` and `previous` continue in the neighboring lane. */
export function findNeighbor(lanes: Lanes, id: string | undefined, direction: Direction): string | undefined {
  const at = lanes.findIndex(({ items }) => items.some((item) => item.id === id))
  if (at === -1) return findItems(lanes, -1, 1)[0]?.id
  const { items } = lanes[at]!
  const index = items.findIndex((item) => item.id === id)
  switch (direction) {
    case 'up':
      return items[index - 1]?.id
    case 'down':
      return items[index + 1]?.id
    case 'previous':
      return (items[index - 1] ?? findItems(lanes, at, -1).at(-1))?.id
    case 'next':
      return (items[index + 1] ?? findItems(lanes, at, 1)[0])?.id
    case 'left':
    case 'right': {
      const others = findItems(lanes, at, direction === 'left' ? -1 : 1)
      return others[Math.min(index, others.length - 1)]?.id
    }
  }
}

/** The cards of the nearest lane to one side that has any. */
function findItems(lanes: Lanes, from: number, step: 1 | -1): Lanes[number]['items'] {
  for (let at = from + step; at >= 0 && at < lanes.length; at += step)
    if (lanes[at]!.items.length > 0) return lanes[at]!.items
  return []
}

/** The card that takes the place of a card which has left its lane, so that the focus stays near. */
export function findSuccessor(before: Lanes, after: Lanes, id: string): string | undefined {
  const lane = before.find(({ items }) => items.some((item) => item.id === id))
  if (!lane) return undefined
  const index = lane.items.findIndex((item) => item.id === id)
  const remaining = new Set(after.flatMap(({ items }) => items.map((item) => item.id)))
  const candidates = [...lane.items.slice(index + 1), ...lane.items.slice(0, index).toReversed()]
  return candidates.find((item) => remaining.has(item.id))?.id ?? findNeighbor(after, undefined, 'down')
}

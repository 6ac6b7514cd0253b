export type Change = { field: string; before: unknown; after: unknown; truncated?: true }

const maxBytes = 32 * 1024
const longest = 16 * 1024
const shortest = 32

/** At most 32 KiB: long values are cut, as much as it takes, the longest first. Should even that not do, the last fields go. */
export function cutToSize(changes: Change[]): Change[] {
  if (bytesOf(changes) <= maxBytes) return changes
  for (let length = longest; length >= shortest; length /= 2) {
    const cut = changes.map((change) => cutChange(change, length))
    if (bytesOf(cut) <= maxBytes) return cut
  }
  return firstThatFit(changes.map((change) => cutChange(change, shortest)))
}

function cutChange(change: Change, length: number): Change {
  const [before, after] = [cutValue(change.before, length), cutValue(change.after, length)]
  if (before === change.before && after === change.after) return change
  return { ...change, before, after, truncated: true }
}

/** What is not text is cut as its JSON. */
function cutValue(value: unknown, length: number): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= length ? value : cutText(text, length)
}

/** No longer than that, and not in the middle of a character. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

function firstThatFit(changes: Change[]): Change[] {
  const rest: Change = { field: '…', before: null, after: null, truncated: true }
  let left = maxBytes - bytesOf([rest])
  const kept = changes.filter((change) => {
    left -= bytesOf(change) + 1
    return left >= 0
  })
  return [...kept, rest]
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

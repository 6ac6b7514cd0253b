export type FieldChange = { field: string; before: unknown; after: unknown; truncated?: true }

const maxBytes = 32 * 1024
const longestValue = 16 * 1024
const shortestValue = 32

/** Limits changes to 32 KiB by truncating long values, and omits the last fields if that is not enough. */
export function truncateChanges(changes: FieldChange[]): FieldChange[] {
  if (byteLength(changes) <= maxBytes) return changes
  for (let length = longestValue; length >= shortestValue; length /= 2) {
    const truncated = changes.map((change) => truncateChange(change, length))
    if (byteLength(truncated) <= maxBytes) return truncated
  }
  return keepFirstFields(changes.map((change) => truncateChange(change, shortestValue)))
}

function truncateChange(change: FieldChange, length: number): FieldChange {
  const [before, after] = [truncateValue(change.before, length), truncateValue(change.after, length)]
  if (before === change.before && after === change.after) return change
  return { ...change, before, after, truncated: true }
}

function truncateValue(value: unknown, length: number): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= length ? value : truncateText(text, length)
}

/** Does not split a surrogate pair. */
export const truncateText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

function keepFirstFields(changes: FieldChange[]): FieldChange[] {
  const omitted: FieldChange = { field: '…', before: null, after: null, truncated: true }
  let remaining = maxBytes - byteLength([omitted])
  const kept = changes.filter((change) => {
    remaining -= byteLength(change) + 1
    return remaining >= 0
  })
  return [...kept, omitted]
}

const byteLength = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const delayMs = 800

type Waiting = { timer: ReturnType<typeof setTimeout>; save: () => void }

const waiting = new Map<string, Waiting>()

/** Saves a moment after the last change. */
export function saveLater(id: string, save: () => void): void {
  clearTimeout(waiting.get(id)?.timer)
  waiting.set(id, { timer: setTimeout(() => saveNow(id), delayMs), save })
}

/** Does not wait any longer, because the page is left or the user asks for it. Returns whether something waited. */
export function saveNow(id: string): boolean {
  const { timer, save } = waiting.get(id) ?? {}
  clearTimeout(timer)
  waiting.delete(id)
  save?.()
  return save !== undefined
}

export const isSaveWaiting = (id: string): boolean => waiting.has(id)

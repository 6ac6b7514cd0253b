import { useSyncExternalStore } from 'react'

const stepMs = 30_000
let now = Date.now()
const listeners = new Set<() => void>()

setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, stepMs)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The current time for relative times and clocks; it moves every half minute. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

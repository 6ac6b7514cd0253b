import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 640px)')

const subscribe = (listener: () => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the screen has the width of a phone, where lists become cards and panels cover the page. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)

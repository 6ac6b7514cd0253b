import { useSyncExternalStore } from 'react'

function followMedia(query: string): () => boolean {
  const media = matchMedia(query)
  const subscribe = (listener: () => void) => {
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => media.matches)
}

/** Whether the screen has the width of a phone, where lists become cards. */
export const useNarrow = followMedia('(max-width: 640px)')

export const useWide = followMedia('(min-width: 1200px)')

/** Whether panels cover the page, because there is no room beside the list. */
export const useSmall = followMedia('(max-width: 900px)')

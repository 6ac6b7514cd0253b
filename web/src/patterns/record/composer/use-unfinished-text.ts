import { useLayoutEffect, useRef } from 'react'

type UnfinishedText = { isChanged: () => boolean; save: () => void }

/** Saves a changed text if its editor disappears with the record. Closing the page would lose it, so the browser asks. */
export function useUnfinishedText(text: UnfinishedText): void {
  const latest = useRef(text)
  latest.current = text
  useLayoutEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current.isChanged()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => {
      removeEventListener('beforeunload', ask)
      if (latest.current.isChanged()) latest.current.save()
    }
  }, [])
}

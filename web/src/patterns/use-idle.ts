import { useEffect } from 'react'

const maxWaitMs = 3_000

/** Runs once when the browser has nothing else to do, for example to load what the user may need next. */
export function useIdle(run: () => void): void {
  useEffect(() => {
    const handle = requestIdleCallback(run, { timeout: maxWaitMs })
    return () => cancelIdleCallback(handle)
  }, [])
}

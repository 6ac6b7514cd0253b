import { useEffect, useState } from 'react'

const pauseMs = 150

/** The text after the user has paused, which saves requests. `isHurried` ends the pause. */
export function useSettled(text: string, isHurried = false): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), isHurried ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [text, isHurried])
  return isHurried ? text : settled
}

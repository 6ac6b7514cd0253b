import { type RefObject, useEffect } from 'react'

const property = '--bottom-bar'

/** Keeps toasts above a bar that covers the foot of the page, however many lines the bar has. */
export function useRaisedToasts(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement
    const page = document.getElementById('content')!
    const observer = new ResizeObserver(() => {
      const height = page.getBoundingClientRect().bottom - bar.current!.getBoundingClientRect().top
      style.setProperty(property, `${Math.max(0, height)}px`)
    })
    observer.observe(bar.current!)
    observer.observe(page)
    return () => {
      observer.disconnect()
      style.removeProperty(property)
    }
  }, [bar])
}

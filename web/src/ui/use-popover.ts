import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { placePopup } from './place-popup.ts'

type PopoverOptions = {
  popup: RefObject<HTMLElement | null>
  anchor: RefObject<HTMLElement | null>
  align: 'start' | 'end'
  content: unknown
  close: () => void
}

/**
 * Shows an element above everything else, also above dialogs, next to the one that opened it. It is a popover of the
 * browser, so that it stays inside its part of the page.
 */
export function usePopover({ popup, anchor, align, content, close }: PopoverOptions): { left: number; top: number } {
  const [place, setPlace] = useState({ left: 0, top: 0 })
  useLayoutEffect(() => {
    popup.current!.showPopover()
  }, [popup])
  useLayoutEffect(() => {
    const screen = { width: innerWidth, height: innerHeight }
    setPlace(placePopup(anchor.current!.getBoundingClientRect(), popup.current!.getBoundingClientRect(), screen, align))
  }, [content, popup, anchor, align])
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      const isInside = (element: HTMLElement | null) => target instanceof Node && element?.contains(target)
      if (!isInside(popup.current) && !isInside(anchor.current)) close()
    }
    addEventListener('pointerdown', closeOutside)
    addEventListener('resize', close)
    return () => {
      removeEventListener('pointerdown', closeOutside)
      removeEventListener('resize', close)
    }
  }, [popup, anchor, close])
  return place
}

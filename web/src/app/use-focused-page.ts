import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

/** Moves the focus to the heading of a page that was opened, so that screen readers read it and Tab begins there. */
export function useFocusedPage(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        const page = main.current
        const { activeElement } = document
        if (!page || !fromLocation || !pathChanged || (activeElement !== page && page.contains(activeElement))) return
        const heading = page.querySelector('h1') ?? page
        heading.tabIndex = -1
        heading.focus()
      }),
    [router, main],
  )
}

import { type RefObject, useEffect, useRef } from 'react'
import { openDialogs } from './open-dialogs.ts'

/** `autoFocus` has no effect in a dialog, because React focuses the element before the dialog is open. */
const firstField = 'input:not([type=radio], [hidden]), input[type=radio]:checked, select, textarea'

/** Shows a dialog of the browser above the page while the component is shown, and then returns the focus. */
export function useModal(
  element: RefObject<HTMLDialogElement | null>,
  close?: () => void,
  initialFocus: string = firstField,
): void {
  const closeNow = useRef(close)
  closeNow.current = close
  useEffect(() => {
    const dialog = element.current!
    const opener = document.activeElement
    dialog.showModal()
    dialog.querySelector<HTMLElement>(initialFocus)?.focus()
    openDialogs.set(openDialogs.get() + 1)
    // Browsers close a dialog after a second Escape without asking.
    const onClose = () => {
      if (closeNow.current) closeNow.current()
      else dialog.showModal()
    }
    dialog.addEventListener('close', onClose)
    return () => {
      dialog.removeEventListener('close', onClose)
      openDialogs.set(openDialogs.get() - 1)
      dialog.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [element])
}

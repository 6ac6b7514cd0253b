import { X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { uiTexts } from '../texts/en/ui-texts.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { useModal } from './use-modal.ts'

/** A modal dialog of the browser: it keeps the focus, closes with Escape and returns the focus. */
export function Dialog({
  title,
  close,
  children,
  footer,
  width = 'normal',
  isForReading = false,
}: {
  title: string
  close?: () => void
  children: ReactNode
  footer?: ReactNode
  width?: 'normal' | 'wide'
  /** The text has the focus instead of the first field, so that keys scroll it and change nothing. */
  isForReading?: boolean
}) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useModal(element, close, isForReading ? '[data-text]' : undefined)
  return (
    <dialog
      ref={element}
      className={`${styles.dialog} ${styles[width]}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        close?.()
      }}
    >
      <header className={styles.header}>
        <h2 id={titleId}>{title}</h2>
        {close && <IconButton label={uiTexts.close} size="small" icon={<X size={16} />} onClick={close} />}
      </header>
      <div className={styles.body} {...(isForReading && { 'data-text': true, tabIndex: -1 })}>
        {children}
      </div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </dialog>
  )
}

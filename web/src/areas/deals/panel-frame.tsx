import { type ReactNode, useEffect, useRef } from 'react'
import { useSmall } from '../../patterns/use-narrow.ts'
import styles from './panel-frame.module.css'

export function PanelFrame({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  const coversBoard = useSmall()
  useEffect(() => {
    if (coversBoard) element.current!.focus()
  }, [coversBoard])
  return (
    <div ref={element} className={styles.frame} tabIndex={-1}>
      {children}
    </div>
  )
}

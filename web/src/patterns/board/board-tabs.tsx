import { type RefObject, useEffect, useState } from 'react'
import type { Card, Lane } from './board-model.ts'
import styles from './board-tabs.module.css'

type TabsProps<Item extends Card> = {
  board: RefObject<HTMLElement | null>
  lanes: readonly Lane<Item>[]
  label: string
}

/** Names the lanes of a phone, where the board shows one lane at a time and is swiped. */
export function BoardTabs<Item extends Card>({ board, lanes, label }: TabsProps<Item>) {
  const [shown, setShown] = useState(0)
  const [tabs, setTabs] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const element = board.current!
    const update = () => setShown(Math.round(element.scrollLeft / Math.max(1, element.clientWidth)))
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [board])
  useEffect(() => {
    const tab = tabs?.children[shown]
    if (tab instanceof HTMLElement) tabs!.scrollTo({ left: tab.offsetLeft - 16, behavior: 'instant' })
  }, [tabs, shown])
  const show = (at: number) => {
    const element = board.current!
    element.scrollTo({ left: at * element.clientWidth, behavior: 'instant' })
  }
  return (
    <nav ref={setTabs} className={styles.tabs} aria-label={label}>
      {lanes.map(({ key, label: text, mark, count }, at) => (
        <button
          key={key}
          type="button"
          className={styles.tab}
          aria-current={at === shown ? 'true' : undefined}
          onClick={() => show(at)}
        >
          {mark}
          {text}
          <span className={`number ${styles.count}`}>{count}</span>
        </button>
      ))}
    </nav>
  )
}

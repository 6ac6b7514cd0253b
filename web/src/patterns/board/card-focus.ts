import { type RefObject, useEffect, useRef } from 'react'
import type { BoardActions, Card, Lane } from './board-model.ts'
import { findSuccessor } from './board-position.ts'

/** Keeps the focus on the active card when it changes its lane, and on its neighbor when it leaves the board. */
export function useFocusFollowsActive<Item extends Card>(
  element: RefObject<HTMLElement | null>,
  lanes: readonly Lane<Item>[],
  { activeId, setActive }: BoardActions<Item>,
) {
  const before = useRef({ lanes, hadFocus: false })
  useEffect(() => {
    const board = element.current!
    const note = () => {
      before.current.hadFocus = board.contains(document.activeElement)
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [element])
  useEffect(() => {
    const { lanes: lanesBefore, hadFocus } = before.current
    before.current.lanes = lanes
    if (!activeId) return
    const isShown = lanes.some(({ items }) => items.some(({ id }) => id === activeId))
    if (!isShown) {
      const successor = findSuccessor(lanesBefore, lanes, activeId)
      if (successor) setActive(successor)
    } else if (hadFocus && document.activeElement === document.body) focusCard(activeId)
  }, [lanes, activeId, setActive])
}

export const cardElementId = (id: string): string => `card-${id}`

export function focusCard(id: string): void {
  document.getElementById(cardElementId(id))?.focus()
  scrollToCard(id)
}

export const scrollToCard = (id: string): void =>
  document.getElementById(cardElementId(id))?.closest('li')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

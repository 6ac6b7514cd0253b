import { Fragment, useEffect, useRef } from 'react'
import styles from './board.module.css'
import { BoardCard } from './board-card.tsx'
import type { BoardActions, Card, Drag, Lane, SetDrag } from './board-model.ts'
import type { Direction } from './board-position.ts'
import { loadBoardDrag } from './load-board-drag.ts'

type LaneProps<Item extends Card> = {
  lane: Lane<Item>
  actions: BoardActions<Item>
  drag: Drag<Item> | undefined
  setDrag: SetDrag<Item>
  accepts: (cardId: string) => boolean
  drop: (cardId: string) => void
  goTo: (direction: Direction) => void
}

export function BoardLane<Item extends Card>(props: LaneProps<Item>) {
  const { lane, actions, drag, setDrag, accepts, drop, goTo } = props
  const { key, label, name, header, items, foot } = lane
  const element = useRef<HTMLElement>(null)
  const canMove = actions.move !== undefined
  const latest = useRef({ accepts, drop })
  latest.current = { accepts, drop }
  useEffect(() => {
    if (!canMove) return
    const enter = (overLane: string | undefined) => setDrag((before) => before && { ...before, overLane })
    return loadBoardDrag(({ makeDropTarget }) =>
      makeDropTarget(element.current!, {
        accepts: (id) => latest.current.accepts(id),
        enter: () => enter(key),
        leave: () => enter(undefined),
        drop: (id) => latest.current.drop(id),
      }),
    )
  }, [canMove, key, setDrag])

  const isOver = drag?.overLane === key
  const place = isOver ? Math.min(actions.placeOf(drag.item, key), items.length) : -1
  const slot = isOver && (
    <li
      className={styles.slot}
      style={{ minHeight: items.length || foot ? drag.height : undefined }}
      aria-hidden="true"
    >
      {actions.dropText(label)}
    </li>
  )
  const hasActive = items.some(({ id }) => id === actions.activeId)
  return (
    <section ref={element} className={`${styles.lane} ${isOver ? styles.over : ''}`} aria-label={name} data-lane={key}>
      <header className={styles.header}>{header}</header>
      <div className={styles.scroll}>
        {(items.length > 0 || isOver) && (
          <ul className={styles.cards}>
            {items.map((item, at) => (
              <Fragment key={item.id}>
                {at === place && slot}
                <BoardCard
                  item={item}
                  actions={actions}
                  isTabStop={hasActive ? item.id === actions.activeId : at === 0}
                  isDragged={drag?.item.id === item.id}
                  setDrag={setDrag}
                  goTo={goTo}
                />
              </Fragment>
            ))}
            {place === items.length && slot}
          </ul>
        )}
        {foot}
      </div>
    </section>
  )
}

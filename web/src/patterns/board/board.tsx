import { useRef, useState } from 'react'
import { useCommands } from '../../session/commands.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { useNarrow } from '../use-narrow.ts'
import styles from './board.module.css'
import { BoardLane } from './board-lane.tsx'
import type { BoardActions, Card, Drag, Lane } from './board-model.ts'
import { type Direction, findNeighbor } from './board-position.ts'
import { BoardTabs } from './board-tabs.tsx'
import { focusCard, useFocusFollowsActive } from './card-focus.ts'

/** Cards in lanes. A column has several lanes if they are short; on a phone one lane is shown at a time. */
export function Board<Item extends Card>({
  label,
  columns,
  actions,
}: {
  label: string
  columns: readonly (readonly Lane<Item>[])[]
  actions: BoardActions<Item>
}) {
  const element = useRef<HTMLElement>(null)
  const isNarrow = useNarrow()
  const [drag, setDrag] = useState<Drag<Item>>()
  const lanes = columns.flat()
  useFocusFollowsActive(element, lanes, actions)
  const goTo = (direction: Direction) => {
    const id = findNeighbor(lanes, actions.activeId, direction)
    const item = id && findCard(id)
    if (!item) return
    actions.setActive(id)
    if (actions.openId) actions.open(item, false)
    focusCard(id)
  }
  useCommands([
    {
      id: 'board:next',
      label: listTexts.nextCard,
      group: listTexts.board,
      keys: ['j'],
      isListed: false,
      run: () => goTo('next'),
    },
    {
      id: 'board:previous',
      label: listTexts.previousCard,
      group: listTexts.board,
      keys: ['k'],
      isListed: false,
      run: () => goTo('previous'),
    },
  ])
  const findCard = (id: string) => lanes.flatMap(({ items }) => items).find((item) => item.id === id)
  const acceptsCard = (laneKey: string, id: string) =>
    !lanes.some(({ key, items }) => key === laneKey && items.some((item) => item.id === id))
  const lanesOf = (column: readonly Lane<Item>[]) =>
    column.map((lane) => (
      <BoardLane
        key={lane.key}
        lane={lane}
        actions={actions}
        drag={drag}
        setDrag={setDrag}
        goTo={goTo}
        accepts={(id) => acceptsCard(lane.key, id)}
        drop={(id) => {
          const item = findCard(id)
          if (item) actions.move?.(item, lane.key)
        }}
      />
    ))
  return (
    <>
      {isNarrow && <BoardTabs board={element} lanes={lanes} label={label} />}
      <section ref={element} className={styles.board} aria-label={label}>
        {columns.map((column) =>
          column.length === 1 ? (
            lanesOf(column)
          ) : (
            <div key={column[0]!.key} className={styles.stack}>
              {lanesOf(column)}
            </div>
          ),
        )}
      </section>
    </>
  )
}

import { Ellipsis } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { MenuButton } from '../../ui/menu.tsx'
import styles from './board.module.css'
import type { BoardActions, Card, SetDrag } from './board-model.ts'
import type { Direction } from './board-position.ts'
import { cardElementId } from './card-focus.ts'
import { loadBoardDrag } from './load-board-drag.ts'

const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

type CardProps<Item extends Card> = {
  item: Item
  actions: BoardActions<Item>
  /** One card of each lane is reached by Tab, the others by the arrow keys. */
  isTabStop: boolean
  isDragged: boolean
  setDrag: SetDrag<Item>
  goTo: (direction: Direction) => void
}

export function BoardCard<Item extends Card>(props: CardProps<Item>) {
  const { item, actions, isTabStop, isDragged, setDrag, goTo } = props
  const element = useRef<HTMLLIElement>(null)
  const latest = useRef(item)
  latest.current = item
  const canMove = actions.move !== undefined
  useEffect(() => {
    if (!canMove) return
    return loadBoardDrag(({ makeDraggable }) =>
      makeDraggable(element.current!, {
        id: item.id,
        previewClass: styles.preview!,
        start: (height) => setDrag(() => ({ item: latest.current, height })),
        end: () => setDrag(() => undefined),
      }),
    )
  }, [canMove, item.id, setDrag])

  const openByClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as Element
    // Clicks in the menu of the card bubble through React, although the menu is elsewhere in the page.
    if (event.currentTarget.contains(target) && !target.closest('[data-menu]')) actions.open(item, event.shiftKey)
  }
  const moveFocus = (event: KeyboardEvent) => {
    const direction = arrows[event.key]
    if (!direction || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    goTo(direction)
  }
  const menu = actions.menuOf(item)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button of the card handles the keys; below the pointer it would keep Firefox from dragging
    <li
      ref={element}
      className={`${styles.card} ${isDragged ? styles.source : ''}`}
      data-open={item.id === actions.openId || undefined}
      onClick={openByClick}
      onFocus={() => actions.setActive(item.id)}
    >
      <button
        type="button"
        id={cardElementId(item.id)}
        className={styles.cover}
        aria-label={actions.nameOf(item)}
        aria-current={item.id === actions.openId || undefined}
        tabIndex={isTabStop ? 0 : -1}
        onKeyDown={moveFocus}
      />
      {actions.renderCard(item)}
      {menu.length > 0 && (
        <span className={styles.menu} data-menu>
          <MenuButton
            label={actions.menuLabel(item)}
            icon={<Ellipsis size={15} />}
            variant="quiet"
            size="small"
            items={menu}
            tabIndex={isTabStop ? 0 : -1}
          />
        </span>
      )}
    </li>
  )
}

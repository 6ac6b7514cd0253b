import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useMe } from '../../session/me.ts'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { MenuButton } from '../../ui/menu.tsx'
import { startRowDrag } from './load-row-drag.ts'
import { addCondition, addGroup, moveByStep, removeRow } from './row-edits.ts'
import { listRowMenu } from './row-menu.tsx'
import { actionOfKey, type KeyPlace } from './rule/row-keys.ts'
import { findPlace, type Group, isGroup, listNodes, type RuleNode } from './rule/rule-tree.ts'
import styles from './rule-builder.module.css'
import { type Count, type Focus, useRuleEditor } from './rule-editor.ts'

export const rowElementId = (id: string): string => `rule-${id}`

type RowProps = {
  node: RuleNode
  group: Group
  at: number
  label: string
  isTop: boolean
  children: ReactNode
}

/** The frame of a condition or a group: a handle, "and" or "or", the content, the number and the menu. */
export function RuleRow({ node, group, at, label, isTop, children }: RowProps) {
  const editor = useRuleEditor()
  const element = useRef<HTMLLIElement>(null)
  const { isReadOnly } = editor
  const { id } = node
  useEffect(() => {
    if (!isReadOnly) return startRowDrag(element.current!, id)
  }, [id, isReadOnly])

  const handleKey = (event: KeyboardEvent) => {
    const target = event.target as Element
    const isInPopup = target.closest('[popover]') !== null
    if (isReadOnly || isInPopup || event.nativeEvent.isComposing || target.closest('li') !== event.currentTarget) return
    const action = actionOfKey(event, placeOf(target))
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    if (action.kind === 'move') moveByStep(editor, id, action.step)
    else if (action.kind === 'remove') removeRow(editor, id)
    else if (action.kind === 'add') addCondition(editor, { after: id })
    else if (action.kind === 'addGroup') addGroup(editor, { after: id })
    else focusNeighbor(editor.tree, id, action.step === 'up' ? -1 : 1)
  }
  const menu = isReadOnly ? [] : listRowMenu(editor, node)
  const count = editor.counts.get(id)
  return (
    <li
      ref={element}
      id={rowElementId(id)}
      data-rule-row={id}
      aria-label={label}
      className={`${styles.row} ${isGroup(node) ? styles.groupRow : ''} ${isTop ? styles.top : ''}`}
      onKeyDown={handleKey}
    >
      {!isReadOnly && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the button inside has the keys
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <span
          data-part="handle"
          className={styles.handle}
          // The pointer drags the part around the button, because Firefox does not drag buttons.
          onClick={(event) => event.currentTarget.querySelector('button')!.focus()}
        >
          <MenuButton
            label={`${ruleTexts.moveHandle}: ${label}`}
            icon={<GripVertical size={14} />}
            variant="plain"
            className={styles.grip}
            align="start"
            items={menu}
          />
        </span>
      )}
      <span className={styles.join}>{at > 0 && ruleTexts.joins[group.kind]}</span>
      {children}
      {isTop && <RowCount count={count} total={Math.max(0, ...[...editor.counts.values()].map((one) => one.count))} />}
      {!isReadOnly && (
        <span data-part="menu" className={styles.menu}>
          <MenuButton
            label={`${ruleTexts.rowMenu}: ${label}`}
            icon={<span aria-hidden="true">···</span>}
            variant="quiet"
            size="small"
            items={menu}
          />
        </span>
      )}
    </li>
  )
}

/** The number that the row matches alone. The bar compares it with the largest one of the rows. */
function RowCount({ count, total }: { count: Count | undefined; total: number }) {
  const { locale } = useMe()
  if (!count) return <span className={styles.count} />
  const text = `${formatNumber(count.count, locale)}${count.relation === 'gte' ? '+' : ''}`
  return (
    <span className={styles.count} title={ruleTexts.aloneHint}>
      <b>{text}</b>
      <span className={styles.meter} aria-hidden="true">
        <span style={{ width: `${total > 0 ? Math.round((100 * count.count) / total) : 0}%` }} />
      </span>
    </span>
  )
}

function placeOf(target: Element): KeyPlace {
  if (target.closest('[data-part=handle]')) return 'handle'
  return target.matches('input, select, textarea') ? 'field' : 'control'
}

/** Focuses the next row, or the own one at the end of the rule. */
function focusNeighbor(tree: Group, id: string, by: number): void {
  const rows = listNodes(tree)
  const next = rows[rows.findIndex((row) => row.id === id) + by]
  findPart(next?.id ?? id, 'handle')?.focus()
}

const controls = 'button, input, select'

/** The control of a part of a row. On phones, where the handle is hidden, the menu stands for it. */
export function findPart(id: string, part: Focus['part'], parameter?: string): HTMLElement | undefined {
  const row = document.getElementById(rowElementId(id))
  const visibleIn = (name: string) => {
    const place = `[data-part=${name}] ${parameter ? `[data-parameter=${parameter}]` : ''}`
    const owned = [...(row?.querySelectorAll<HTMLElement>(`${place} :is(${controls})`) ?? [])]
    return owned.find((one) => one.closest('li') === row && one.checkVisibility())
  }
  return visibleIn(part) ?? visibleIn('field') ?? visibleIn('menu')
}

export const describePlace = (tree: Group, id: string): string => {
  const place = findPlace(tree, id)
  return place ? ruleTexts.moved(place.at + 1, place.group.items.length) : ''
}

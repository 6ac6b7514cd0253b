import { useRef, useState } from 'react'
import { useCommands } from '../../../session/commands.ts'
import { useMe } from '../../../session/me.ts'
import { importColumnTexts as texts } from '../../../texts/en/import-column-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { Kbd } from '../../../ui/kbd.tsx'
import type { Wizard } from '../wizard/wizard-model.ts'
import { ColumnRow } from './column-row.tsx'
import styles from './columns.module.css'
import { ProblemList } from './problem-list.tsx'
import { RowPreview } from './row-preview.tsx'

/** Chooses the field of each column. What is wrong, and what a row becomes, is beside it. */
export function ColumnsStep({ wizard }: { wizard: Wizard }) {
  const { type, draft } = wizard
  const { locale } = useMe()
  const list = useRef<HTMLOListElement>(null)
  const [active, setActive] = useState<number>()
  const count = draft.columns.length
  const used = draft.columns.filter(({ field }) => field !== null).length

  const controlOf = (index: number, name: 'field' | 'change'): HTMLButtonElement | null =>
    list.current?.children[index]?.querySelector(`[data-control=${name}] button`) ?? null
  const focusColumn = (index: number) => {
    setActive(index)
    const control = controlOf(index, 'field')
    control?.focus()
    control?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }
  const open = (name: 'field' | 'change') => {
    const control = controlOf(active ?? 0, name)
    control?.focus()
    control?.click()
  }
  useCommands([
    {
      id: 'columns:next',
      label: texts.nextColumn,
      group: texts.group,
      keys: ['ArrowDown', 'j'],
      run: () => focusColumn(active === undefined ? 0 : Math.min(count - 1, active + 1)),
    },
    {
      id: 'columns:previous',
      label: texts.previousColumn,
      group: texts.group,
      keys: ['ArrowUp', 'k'],
      run: () => focusColumn(Math.max(0, (active ?? 0) - 1)),
    },
    { id: 'columns:field', label: texts.chooseField, group: texts.group, keys: ['f'], run: () => open('field') },
    { id: 'columns:change', label: texts.chooseChange, group: texts.group, keys: ['t'], run: () => open('change') },
  ])
  return (
    <div className={styles.split}>
      <div className={styles.left}>
        <div className={styles.scroll}>
          <div className={styles.head} aria-hidden="true">
            <span>{texts.column}</span>
            <span>{texts.samples}</span>
            <span />
            <span>{texts.fieldOf[type]}</span>
            <span>{texts.change}</span>
            <span />
          </div>
          <ol ref={list} aria-label={texts.columns} className={styles.list}>
            {draft.columns.map((column, index) => (
              <ColumnRow
                key={column.column}
                wizard={wizard}
                index={index}
                isActive={index === active}
                activate={() => setActive(index)}
              />
            ))}
          </ol>
        </div>
        <div className={styles.foot}>
          <span>{texts.used(formatNumber(used, locale), count, formatNumber(count, locale))}</span>
          <span className={styles.keys} aria-hidden="true">
            <span>
              <Kbd keys="ArrowUp" /> <Kbd keys="ArrowDown" /> {texts.keys.column}
            </span>
            <span>
              <Kbd keys="f" /> {texts.keys.field}
            </span>
            <span>
              <Kbd keys="t" /> {texts.keys.change}
            </span>
            <span>
              <Kbd keys="Mod+Enter" /> {texts.keys.next}
            </span>
          </span>
        </div>
      </div>
      <aside className={styles.panel} aria-label={texts.side}>
        <ProblemList
          wizard={wizard}
          show={(column) => focusColumn(draft.columns.findIndex((one) => one.column === column))}
        />
        <RowPreview wizard={wizard} />
      </aside>
    </div>
  )
}

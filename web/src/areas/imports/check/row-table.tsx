import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useMe } from '../../../session/me.ts'
import { importCheckTexts as texts } from '../../../texts/en/import-check-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from '../imports.module.css'
import { pickColumns, type RowMessage } from '../model/reasons.ts'
import type { ImportRow } from '../model/types.ts'
import type { Wizard } from '../wizard/wizard-model.ts'
import own from './check.module.css'

const shownAtFirst = 10

type TableProps = {
  wizard: Wizard
  title: string
  count: number
  rows: readonly ImportRow[]
  messagesOf: (row: ImportRow) => readonly RowMessage[]
  describe: (message: RowMessage) => string
  isProblem: boolean
  more: { has: boolean; isPending: boolean; load: () => void }
  actions: ReactNode
}

/** Rows of the file with their numbers in it. Cells with a message are marked. */
export function RowTable(props: TableProps) {
  const { wizard, title, count, rows, messagesOf, describe, isProblem, more, actions } = props
  const { type, file, draft } = wizard
  const { locale } = useMe()
  const [isWhole, setWhole] = useState(false)
  const columns = pickColumns(file.columns, draft.columns, rows, messagesOf)
  const hasMessages = rows.some((row) => messagesOf(row).length > 0)
  const visible = isWhole ? rows : rows.slice(0, shownAtFirst)
  const hidden = rows.length - visible.length
  const tone = isProblem ? own.error : own.warned
  return (
    <section className={`${styles.card} ${own.table}`} aria-label={title}>
      <div className={own.tableHead}>
        <h2>
          {title} <span>{texts.rowCount(count, formatNumber(count, locale))}</span>
        </h2>
        {actions}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        <table className={own.rows} aria-label={texts.rows}>
          <thead>
            <tr>
              <th scope="col">{texts.row}</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              {hasMessages && <th scope="col">{texts.what}</th>}
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <tr key={row.row_no}>
                <td className={own.number}>
                  <RowNumber row={row} type={type} text={formatNumber(row.row_no, locale)} />
                </td>
                {columns.map(({ name, index }) => (
                  <td key={name}>
                    {messagesOf(row).some(({ column }) => column === name) ? (
                      <span className={`${own.mark} ${tone}`}>{row.cells[index] || texts.blank}</span>
                    ) : (
                      row.cells[index]
                    )}
                  </td>
                ))}
                {hasMessages && (
                  <td className={`${own.message} ${isProblem ? own.wrong : ''}`}>
                    {messagesOf(row).map(describe).join(' · ')}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && (
        <Button variant="quiet" className={own.more} onClick={() => setWhole(true)}>
          {texts.moreRows(hidden, formatNumber(hidden, locale))}
        </Button>
      )}
      {hidden === 0 && more.has && (
        <Button variant="quiet" className={own.more} disabled={more.isPending} onClick={more.load}>
          {texts.loadMore}
        </Button>
      )}
    </section>
  )
}

const RowNumber = ({ row, type, text }: { row: ImportRow; type: string; text: string }) =>
  row.record_id ? (
    <Link to={`/${type}/${row.record_id}` as '/'} aria-label={texts.openRecord(text)}>
      {text}
    </Link>
  ) : (
    text
  )

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../../session/me.ts'
import { importColumnTexts as texts } from '../../../texts/en/import-column-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { formatDate, formatNumber } from '../../../ui/format.ts'
import type { ReadCell } from '../model/read-cell.ts'
import { previewRow } from '../model/row-preview.ts'
import type { Wizard } from '../wizard/wizard-model.ts'
import styles from './columns.module.css'

const inHead = ['first_name', 'last_name', 'name', 'title', 'company', 'account_name']

export function RowPreview({ wizard: { type, file, draft, fields } }: { wizard: Wizard }) {
  const { locale } = useMe()
  const [at, setAt] = useState(0)
  const count = file.sample_rows.length
  if (count === 0) return null
  const { fields: shown, values } = previewRow(file.sample_rows[at]!, draft, fields)
  const joined = (names: readonly string[], separator: string) =>
    names.flatMap((name) => values.get(name) ?? []).join(separator)
  const full = joined(['first_name', 'last_name'], ' ') || values.get('name')
  const name = full || values.get('email') || texts.noName
  return (
    <section className={styles.section} aria-label={texts.preview}>
      <div className={styles.previewHead}>
        <h2>{texts.rowBecomes(formatNumber(at + 1, locale))}</h2>
        <IconButton
          size="small"
          label={texts.previousRow}
          icon={<ChevronLeft size={15} />}
          disabled={at === 0}
          onClick={() => setAt(at - 1)}
        />
        <span>{texts.rowOf(formatNumber(at + 1, locale), formatNumber(count, locale))}</span>
        <IconButton
          size="small"
          label={texts.nextRow}
          icon={<ChevronRight size={15} />}
          disabled={at === count - 1}
          onClick={() => setAt(at + 1)}
        />
      </div>
      <div className={styles.card}>
        <div className={styles.person}>
          <Avatar name={name} size="medium" />
          <span>
            <b>{name}</b>
            <small>{joined(['title', 'company', 'account_name'], ', ')}</small>
          </span>
          <Badge hue="info">{texts.isNew[type]}</Badge>
        </div>
        <dl className={styles.values}>
          {shown
            .filter((field) => !inHead.includes(field.name))
            .map((field) => (
              <div key={field.name}>
                <dt>{field.label}</dt>
                <dd>
                  {field.read ? <Value read={field.read} locale={locale} /> : <em>{texts.twoValues}</em>}
                  {field.from !== undefined && <small>{texts.from(field.from)}</small>}
                  {field.isFromOptions && <small>{texts.fromOptions}</small>}
                </dd>
              </div>
            ))}
        </dl>
      </div>
      <p className={styles.note}>{texts.nothingWritten}</p>
    </section>
  )
}

function Value({ read, locale }: { read: ReadCell; locale: string }) {
  switch (read.kind) {
    case 'number':
      return `${formatNumber(read.value, locale)} ${read.unit}`.trim()
    case 'date':
      return formatDate(read.day, locale)
    case 'list':
      return (
        <span className={styles.items}>
          {read.items.map((item) => (
            <Badge key={item} hue="neutral" hasDot={false}>
              {item}
            </Badge>
          ))}
        </span>
      )
    case 'problem':
      return <em>{texts.unreadable(read.text)}</em>
    default:
      return read.text
  }
}

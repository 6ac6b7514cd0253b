import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntent } from '../../api/intent.ts'
import { startTracking } from '../../api/tasks.ts'
import { useMe } from '../../session/me.ts'
import { exportTexts as texts } from '../../texts/en/export-texts.ts'
import { Checkbox } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { customFieldsQuery } from '../shared-queries.ts'
import { useForm } from '../use-form.ts'
import { createExport, type ExportFilters } from './export-api.ts'
import { columnsOfList, type ExportColumn, type ExportType, listExportColumns } from './export-columns.ts'
import styles from './export-dialog.module.css'

type Format = 'csv' | 'jsonl'
type Choice = 'all' | 'chosen'

type DialogProps = {
  type: ExportType
  /** Null while it is counted. */
  count: number | null
  filters: ExportFilters
  /** The columns that the list shows. */
  shownColumns: readonly string[]
  close: () => void
}

const objectTypes = { leads: 'lead', contacts: 'contact', accounts: 'account' } as const

/** Writes the records of a list to a file, as it is filtered. */
export function ExportDialog({ type, count, filters, shownColumns, close }: DialogProps) {
  const { locale } = useMe()
  const intent = useIntent()
  const custom = useQuery(customFieldsQuery(objectTypes[type])).data ?? []
  const offered = listExportColumns(type, custom)
  const [choice, setChoice] = useState<Choice>('all')
  const [chosen, setChosen] = useState(() => columnsOfList(shownColumns, offered))
  const [format, setFormat] = useState<Format>('csv')
  const number = count === null ? null : formatNumber(count, locale)
  const hasColumns = choice === 'all' || chosen.length > 0
  const form = useForm(
    async () => {
      const columns = offered.map(({ key }) => key).filter((key) => chosen.includes(key))
      const body = { ...filters, format, ...(choice === 'chosen' && { columns }) }
      const { task_id } = await createExport(type, body, intent.keyOf(body))
      intent.end()
      void startTracking(task_id, texts.task[type](count ?? 0, number ?? ''))
      close()
    },
    (code) => (code === 'rate_limited' ? texts.tooMany : undefined),
  )
  return (
    <FormDialog
      title={texts.title[type]}
      submit={number === null ? texts.submit : texts.submitCount(number)}
      form={{ ...form, isPending: form.isPending || !hasColumns || count === 0 }}
      close={close}
      width={choice === 'chosen' ? 'wide' : 'normal'}
    >
      <p role="status">{number === null ? texts.counting : texts.text[type](count ?? 0, number)}</p>
      <RadioGroup
        label={texts.columns}
        name="columns"
        value={choice}
        options={[
          { value: 'all', label: texts.allColumns, description: texts.allColumnsText },
          { value: 'chosen', label: texts.chosenColumns, description: texts.chosenColumnsText(chosen.length) },
        ]}
        onChange={setChoice}
      />
      {choice === 'chosen' && <ColumnChoice offered={offered} chosen={chosen} setChosen={setChosen} />}
      <RadioGroup
        label={texts.format}
        name="format"
        value={format}
        options={[
          { value: 'csv', ...texts.formats.csv },
          { value: 'jsonl', ...texts.formats.jsonl },
        ]}
        onChange={setFormat}
      />
    </FormDialog>
  )
}

type ChoiceProps = {
  offered: readonly ExportColumn[]
  chosen: readonly string[]
  setChosen: (keys: string[]) => void
}

function ColumnChoice({ offered, chosen, setChosen }: ChoiceProps) {
  const toggle = (key: string) =>
    setChosen(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])
  return (
    <div className={styles.groups}>
      {[...Map.groupBy(offered, ({ group }) => group)].map(([group, columns]) => (
        <fieldset key={group} className={styles.group}>
          <legend>{group}</legend>
          {columns.map(({ key, label }) => (
            <Checkbox key={key} label={label} checked={chosen.includes(key)} onChange={() => toggle(key)} />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

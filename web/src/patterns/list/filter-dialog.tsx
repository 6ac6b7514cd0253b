import { useMe } from '../../session/me.ts'
import { listDialogTexts } from '../../texts/en/list-dialog-texts.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { PersonPicker } from '../person-picker.tsx'
import styles from './filter-dialog.module.css'
import type { FilterDefinition, FilterDialogKind, FilterDialogProps, ListDefinition } from './list-definition.ts'

/** Asks for a filter value that cannot be chosen from a short list. */
export function FilterDialog({
  filter,
  label,
  value,
  choose,
  close,
  definition,
}: FilterDialogProps & { definition: Pick<ListDefinition, 'filters'> }) {
  const me = useMe()
  const { dialog, limits, excludesNone } = definition.filters[filter]!
  const kind = dialog as FilterDialogKind
  const title = listDialogTexts.filterTitle(label)
  if (kind === 'owner')
    return (
      <PersonPicker
        title={title}
        first={[{ id: 'me', name: listTexts.me }, ...(excludesNone ? [] : [{ id: 'none', name: listTexts.noOwner }])]}
        choose={({ id }) => choose(id === me.id ? 'me' : (id ?? 'none'))}
        close={close}
      />
    )
  return (
    <Dialog title={title} close={close}>
      <form className={styles.form} action={(form) => choose(readValue(kind, form))}>
        {kind === 'text' && (
          <TextField label={label} name="text" maxLength={50} required autoFocus defaultValue={value} />
        )}
        {kind === 'number' && <NumberFields value={value} limits={limits} />}
        {kind === 'period' && <PeriodFields label={label} value={value} />}
        <div className={styles.buttons}>
          <Button onClick={close}>{listDialogTexts.cancel}</Button>
          <Button type="submit" variant="primary">
            {listDialogTexts.apply}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function NumberFields({ value = '', limits }: Pick<FilterDefinition, 'limits'> & { value?: string }) {
  const [lowest, highest] = value.split('-')
  const field = { type: 'number', ...limits }
  return (
    <div className={styles.range}>
      <TextField label={listDialogTexts.lowest} name="lowest" {...field} autoFocus defaultValue={lowest} />
      <TextField label={listDialogTexts.highest} name="highest" {...field} defaultValue={highest} />
    </div>
  )
}

const periods = [7, 30, 90]

function PeriodFields({ label, value = '' }: { label: string; value?: string }) {
  const isPeriod = value.endsWith('d')
  const [from, to] = isPeriod ? [] : value.split('..')
  return (
    <>
      <SelectField
        label={label}
        name="period"
        autoFocus
        defaultValue={isPeriod ? value : value ? '' : `${periods[0]}d`}
        options={[
          ...periods.map((days) => ({ value: `${days}d`, label: listTexts.lastDays(days) })),
          { value: '', label: listDialogTexts.between },
        ]}
      />
      <div className={styles.range}>
        <TextField label={listDialogTexts.from} name="from" type="date" defaultValue={from} />
        <TextField label={listDialogTexts.to} name="to" type="date" defaultValue={to} />
      </div>
    </>
  )
}

function readValue(kind: FilterDialogKind, form: FormData): string | undefined {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  if (kind === 'text') return text('text') || undefined
  if (kind === 'number') return text('lowest') || text('highest') ? `${text('lowest')}-${text('highest')}` : undefined
  if (text('from') || text('to')) return `${text('from')}..${text('to')}`
  return text('period') || undefined
}

import { PersonPicker } from '../../../patterns/person-picker.tsx'
import type { Me } from '../../../session/me.ts'
import { leadListTexts } from '../../../texts/en/lead-list-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import styles from './filter-dialog.module.css'
import type { DialogFilter } from './filter-values.tsx'

type FilterDialogProps = {
  filter: DialogFilter
  me: Me
  value: string | undefined
  choose: (value: string | undefined) => void
  close: () => void
}

/** Asks for a filter value that cannot be chosen from a short list. */
export function FilterDialog({ filter, me, value, choose, close }: FilterDialogProps) {
  if (filter === 'owner')
    return (
      <PersonPicker
        title={leadListTexts.ownerTitle}
        first={[
          { id: 'me', name: leadTexts.me },
          { id: 'none', name: leadTexts.noOwner },
        ]}
        choose={({ id }) => choose(id === me.id ? 'me' : (id ?? 'none'))}
        close={close}
      />
    )
  const titles = { tag: leadListTexts.tagTitle, score: leadListTexts.scoreTitle, created: leadListTexts.createdTitle }
  return (
    <Dialog title={titles[filter]} close={close}>
      <form className={styles.form} action={(form) => choose(readValue(filter, form))}>
        {filter === 'tag' && (
          <TextField label={leadTexts.filters.tag} name="tag" maxLength={50} required autoFocus defaultValue={value} />
        )}
        {filter === 'score' && <ScoreFields value={value} />}
        {filter === 'created' && <CreatedFields value={value} />}
        <div className={styles.buttons}>
          <Button onClick={close}>{leadListTexts.cancel}</Button>
          <Button type="submit" variant="primary">
            {leadListTexts.apply}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function ScoreFields({ value = '' }: { value?: string }) {
  const [lowest, highest] = value.split('-')
  const limits = { type: 'number', min: 0, max: 100 }
  return (
    <div className={styles.range}>
      <TextField label={leadListTexts.lowest} name="lowest" {...limits} autoFocus defaultValue={lowest} />
      <TextField label={leadListTexts.highest} name="highest" {...limits} defaultValue={highest} />
    </div>
  )
}

const periods = [7, 30, 90]

function CreatedFields({ value = '' }: { value?: string }) {
  const isPeriod = value.endsWith('d')
  const [from, to] = isPeriod ? [] : value.split('..')
  return (
    <>
      <SelectField
        label={leadTexts.filters.created}
        name="period"
        autoFocus
        defaultValue={isPeriod ? value : value ? '' : `${periods[0]}d`}
        options={[
          ...periods.map((days) => ({ value: `${days}d`, label: leadTexts.lastDays(days) })),
          { value: '', label: leadListTexts.between },
        ]}
      />
      <div className={styles.range}>
        <TextField label={leadListTexts.from} name="from" type="date" defaultValue={from} />
        <TextField label={leadListTexts.to} name="to" type="date" defaultValue={to} />
      </div>
    </>
  )
}

function readValue(filter: DialogFilter, form: FormData): string | undefined {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  if (filter === 'tag') return text('tag') || undefined
  if (filter === 'score') return text('lowest') || text('highest') ? `${text('lowest')}-${text('highest')}` : undefined
  if (text('from') || text('to')) return `${text('from')}..${text('to')}`
  return text('period') || undefined
}

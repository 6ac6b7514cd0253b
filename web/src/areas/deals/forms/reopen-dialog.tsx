import { useState } from 'react'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { toDayInput } from '../../../ui/time-zone.ts'
import { showToast } from '../../../ui/toast.tsx'
import type { Deal } from '../deal-queries.ts'
import { useConfirmedChange } from './close-dialogs.tsx'

type Stage = { key: string; label: string; kind: 'open' | 'won' | 'lost'; is_active: boolean }

/** A closed deal needs a new stage and a new date. */
export function ReopenDialog({ deal, stages, close }: { deal: Deal; stages: readonly Stage[]; close: () => void }) {
  const options = stages
    .filter(({ kind, is_active }) => kind === 'open' && is_active)
    .map(({ key, label }) => ({ value: key, label }))
  const [stageKey, setStageKey] = useState(options.at(-1)?.value ?? '')
  const change = useConfirmedChange(deal)
  const form = useForm(async (data) => {
    const saved = await change({ stage_key: stageKey, close_on: String(data.get('close_on')) })
    showToast(dealTexts.reopen.done(saved.name))
    close()
  }, dealTexts.problem)
  return (
    <FormDialog title={dealTexts.reopen.title(deal.name)} submit={dealTexts.reopen.submit} form={form} close={close}>
      <SelectField
        label={dealTexts.reopen.stage}
        autoFocus
        options={options}
        value={stageKey}
        onChange={(event) => setStageKey(event.target.value)}
        error={form.errors.stage_key}
      />
      <TextField
        label={dealTexts.reopen.closeOn}
        name="close_on"
        type="date"
        required
        defaultValue={toDayInput(Date.now(), 30)}
        error={form.errors.close_on}
      />
    </FormDialog>
  )
}

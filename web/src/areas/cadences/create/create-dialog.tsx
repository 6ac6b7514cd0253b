import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { useIntent } from '../../../api/intent.ts'
import { queryClient } from '../../../api/queries.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { cadenceTexts as texts } from '../../../texts/en/cadence-texts.ts'
import { TextField } from '../../../ui/field.tsx'
import { type Cadence, createCadence, loadCadence, type NewCadence } from '../cadence-queries.ts'
import { CadenceField } from './cadence-field.tsx'

const maxName = 150

/** Creates a cadence and opens it. */
export function CreateDialog({ close }: { close: () => void }) {
  const me = useMe()
  const [source, setSource] = useState<Choice>()
  const create = useCreate(close)
  const form = useForm(async (data) => {
    const name = String(data.get('name')).trim()
    const copied = source?.id ? toCopy(await loadCadence(source.id)) : {}
    await create({ ...copied, name, owner_id: me.id })
  }, texts.problem)
  return (
    <FormDialog title={texts.createTitle} submit={texts.create} form={form} close={close}>
      <TextField label={texts.name} name="name" required maxLength={maxName} error={form.errors.name} />
      <CadenceField label={texts.copyFrom} chosen={source} choose={setSource} />
    </FormDialog>
  )
}

export function DuplicateDialog({ cadence, close }: { cadence: Cadence; close: () => void }) {
  const me = useMe()
  const create = useCreate(close)
  const form = useForm(async (data) => {
    const name = String(data.get('name')).trim()
    await create({ ...toCopy(await loadCadence(cadence.id)), name, owner_id: me.id })
  }, texts.problem)
  return (
    <FormDialog title={texts.duplicateTitle(cadence.name)} submit={texts.duplicate} form={form} close={close}>
      <p>{texts.duplicateText}</p>
      <TextField
        label={texts.name}
        name="name"
        required
        maxLength={maxName}
        defaultValue={texts.copyOf(cadence.name).slice(0, maxName)}
        error={form.errors.name}
      />
    </FormDialog>
  )
}

function useCreate(close: () => void) {
  const navigate = useNavigate()
  const intent = useIntent()
  return async (values: NewCadence): Promise<void> => {
    const { id } = await createCadence(values, intent.keyOf(values))
    intent.end()
    close()
    await navigate({ to: '/cadences/$cadenceId', params: { cadenceId: id }, search: {} })
    void queryClient.invalidateQueries({ queryKey: areaKeys.cadences.lists })
  }
}

/** Copies the steps and the rules, but not the owner, the people and the status. */
function toCopy(cadence: Cadence): Omit<NewCadence, 'name'> {
  const { description, window, timezone_mode, timezone, exit_on, reenroll_after_days, track_clicks, track_opens } =
    cadence
  const steps = cadence.steps.map(({ id: _, position: __, ...values }) => values)
  return {
    description,
    window,
    timezone_mode,
    timezone,
    exit_on,
    reenroll_after_days,
    track_clicks,
    track_opens,
    steps,
  }
}

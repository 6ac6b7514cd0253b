import { useState } from 'react'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { cadenceTexts } from '../../../texts/en/cadence-texts.ts'
import { type Cadence, loadCadence } from '../cadence-queries.ts'
import { CadenceField } from '../create/cadence-field.tsx'
import { insertStep } from './step-edits.ts'
import { type CadenceStep, toStoredStep } from './step-model.ts'
import type { Steps } from './use-steps.ts'

type CopyProps = { cadence: Cadence; steps: Steps; close: () => void }

/** Takes over the steps of another cadence. */
export function CopyStepsDialog({ cadence, steps, close }: CopyProps) {
  const [source, setSource] = useState<Choice>()
  const form = useForm(async () => {
    if (!source?.id) return
    const copied = await loadCadence(source.id)
    const add = (step: CadenceStep, at: number) => ({ key: crypto.randomUUID(), at, values: toStoredStep(step).values })
    const added = copied.steps.map(add)
    steps.editNow((before) => added.reduce((edits, { key, at, values }) => insertStep(edits, at, key, values), before))
    close()
  })
  return (
    <FormDialog
      title={texts.none.copy}
      submit={texts.none.copySteps}
      form={source?.id ? form : { ...form, isPending: true }}
      close={close}
    >
      <CadenceField label={cadenceTexts.cadenceName} chosen={source} choose={setSource} without={cadence.id} />
    </FormDialog>
  )
}

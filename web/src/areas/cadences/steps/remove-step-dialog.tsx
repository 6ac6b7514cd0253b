import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import type { StepValues } from './step-model.ts'
import { titleOf } from './step-words.ts'

type RemoveProps = {
  position: number
  waitingCount: number | undefined
  /** The step behind it. */
  next: StepValues | undefined
  remove: () => void
  close: () => void
}

/** Says what happens to the people who wait in the step. */
export function RemoveStepDialog({ position, waitingCount = 0, next, remove, close }: RemoveProps) {
  const { locale } = useMe()
  const form = useForm(async () => remove())
  return (
    <FormDialog title={texts.removeTitle(position)} submit={texts.remove} variant="danger" form={form} close={close}>
      {waitingCount > 0 && (
        <p>
          {texts.removeWaiting(waitingCount, formatNumber(waitingCount, locale))}{' '}
          {next ? texts.continuesWith(titleOf(next)) : texts.continuesToEnd}
        </p>
      )}
      <p>{texts.removeText}</p>
    </FormDialog>
  )
}

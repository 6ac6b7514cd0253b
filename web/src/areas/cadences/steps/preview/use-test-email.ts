import { useMutation } from '@tanstack/react-query'
import { api, read } from '../../../../api/client.ts'
import { isProblem } from '../../../../api/problem.ts'
import { describeProblem, showRepeatableProblem } from '../../../../patterns/show-problem.ts'
import { cadenceStepTexts as texts } from '../../../../texts/en/cadence-step-texts.ts'
import { showToast } from '../../../../ui/toast.tsx'
import type { Cadence } from '../../cadence-queries.ts'
import type { EditedStep } from '../step-model.ts'
import { stepEdits } from '../step-store.ts'
import { type PreviewPerson, toPersonId } from './preview-queries.ts'

type TestOptions = {
  cadence: Cadence
  step: EditedStep
  position: number
  person: PreviewPerson | undefined
  save: () => Promise<boolean>
}

/** Sends the email of a step to the user, after what was typed is saved. */
export function useTestEmail({ cadence: { id }, step, position, person, save }: TestOptions) {
  const test = useMutation({
    mutationFn: async () => {
      await save()
      const stepId = stepEdits.get()[id]?.steps.find(({ key }) => key === step.key)?.id
      if (!stepId || !person) return undefined
      const body = { step_id: stepId, ...toPersonId(person) }
      return await read(api.POST('/api/cadences/{cadence_id}/test', { params: { path: { cadence_id: id } }, body }))
    },
    onSuccess(sent) {
      if (sent) showToast(`${texts.testSent(position, sent.sent_to)} ${texts.testHint}`)
      else showToast(texts.testNotSaved, { tone: 'failed' })
    },
    onError(error) {
      const isMissing = isProblem(error) && error.errors.some(({ code }) => code === 'missing_variable')
      const text = isMissing ? texts.testLacks(person!.name) : describeProblem(error, texts.testProblem)
      showRepeatableProblem(error, () => test.mutate(), text)
    },
  })
  return { isPending: test.isPending, send: () => test.mutate() }
}

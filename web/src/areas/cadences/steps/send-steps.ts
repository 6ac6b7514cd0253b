import { withWords } from '../../../api/field-messages.ts'
import { type ApiProblem, isProblem, isTemporary } from '../../../api/problem.ts'
import { type Cadence, loadCadence, replaceSteps, storeCadence } from '../cadence-queries.ts'
import {
  adoptLoaded,
  adoptSaved,
  noteSent,
  rejectSteps,
  type SentStep,
  type StepEdits,
  type toRequest,
} from './step-edits.ts'

type Sending = {
  id: string
  read: () => StepEdits
  change: (change: (before: StepEdits) => StepEdits) => void
  toSteps: (edits: StepEdits) => ReturnType<typeof toRequest>
}

const maxAttempts = 3

/** Sends what the user wants by now. After a change by another user, both are merged and sent again. */
export async function sendSteps({ id, read, change, toSteps }: Sending): Promise<{ isMerged: boolean }> {
  if (read().sent) await adoptCurrent()
  for (let attempt = 1; ; attempt++) {
    const edits = read()
    const steps = toSteps(edits)
    if (!steps) return { isMerged: attempt > 1 && edits.conflicts.length === 0 }
    change((before) => noteSent(before, steps))
    try {
      const saved = await replaceSteps(id, edits.stored.version, steps.map(toBody))
      change((before) => adoptSaved(before, steps, saved))
      storeCadence(saved)
      return { isMerged: attempt > 1 }
    } catch (error) {
      if (!isProblem(error) || isTemporary(error)) throw error
      if (error.status === 412 && attempt < maxAttempts) await adoptCurrent()
      else {
        change((before) => rejectSteps(before, toMessages(error, steps)))
        if (error.status !== 422) throw error
      }
    }
  }

  async function adoptCurrent(): Promise<void> {
    const cadence: Cadence = await loadCadence(id)
    change((before) => adoptLoaded(before, cadence))
    storeCadence(cadence)
  }
}

const toBody = ({ id, values }: SentStep) => ({ ...(id && { id }), ...values })

/** The first message of each step, by its key. */
function toMessages({ errors }: ApiProblem, steps: readonly SentStep[]): Record<string, string> {
  const messages = errors.flatMap(({ path, message }): [string, string][] => {
    const at = Number(/^\/steps\/(\d+)\//.exec(path)?.[1])
    const step = steps[at]
    return step ? [[step.key, withWords(message)]] : []
  })
  return Object.fromEntries(messages.toReversed())
}

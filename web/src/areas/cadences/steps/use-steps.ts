import { useMutation } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { connection } from '../../../api/connection.ts'
import { useStore } from '../../../api/store.ts'
import { showProblem } from '../../../patterns/show-problem.ts'
import type { ValueNames } from '../../../patterns/step-editor/template-text.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { showToast } from '../../../ui/toasts.ts'
import type { Cadence } from '../cadence-queries.ts'
import { isSaveWaiting, saveLater, saveNow } from './save-timer.ts'
import { sendSteps } from './send-steps.ts'
import { isChanged, isOrderChanged, isUnsaved, orderKey, type StepEdits, toRequest } from './step-edits.ts'
import type { EditedStep } from './step-model.ts'
import { hasProblems } from './step-problems.ts'
import { forgetEdits, openEdits, stepEdits, storeEdits } from './step-store.ts'

export type SaveState = 'saved' | 'saving' | 'waiting' | 'held' | 'failed' | 'offline'

type Options = {
  /** The names of values; undefined while they are not loaded. */
  known: ValueNames | undefined
  /** The number of people who wait in a step; undefined while it is not known. */
  waitingIn: (id: string) => number | undefined
}

export type Steps = ReturnType<typeof useSteps>

/** The steps of a cadence as the user edits them. They are saved a moment after the last key. */
export function useSteps(cadence: Cadence, { known, waitingIn }: Options) {
  const { id } = cadence
  const all = useStore(stepEdits)
  const isOffline = useStore(connection) === 'offline'
  const edits = all[id] ?? openEdits(cadence)
  const latest = useRef({ cadence, known, waitingIn })
  latest.current = { cadence, known, waitingIn }

  const read = () => stepEdits.get()[id] ?? openEdits(latest.current.cadence)
  const change = (next: (before: StepEdits) => StepEdits) => storeEdits(id, next(read()))
  const needsAnswer = (step: EditedStep): boolean => {
    const { known, waitingIn } = latest.current
    if (step.id === null || !isChanged(read(), step) || hasProblems(step, known)) return false
    return waitingIn(step.id) !== 0
  }
  const toSteps = (current: StepEdits) => {
    const { known, cadence } = latest.current
    if (isOrderChanged(current) && cadence.live_count > 0 && !current.confirmed.includes(orderKey)) return undefined
    return toRequest(current, { isInvalid: (step) => hasProblems(step, known), needsAnswer })
  }
  // Requests are sent one after the other, so that each has the version of the one before.
  const mutation = useMutation({
    scope: { id: `steps:${id}` },
    mutationFn: () => sendSteps({ id, read, change, toSteps }),
    onSuccess: ({ isMerged }) => {
      if (isMerged) showToast(recordTexts.merged)
    },
    onError: (error) => showProblem(error),
  })
  const isSaving = mutation.isPending

  useLayoutEffect(() => {
    if (!isSaving) storeEdits(id, openEdits(cadence))
  }, [id, cadence, isSaving])
  useEffect(
    () => () => {
      if (!saveNow(id) && !isUnsaved(read())) forgetEdits(id)
    },
    [id],
  )

  const state = (): SaveState => {
    if (!isUnsaved(edits)) return 'saved'
    if (isOffline) return 'offline'
    if (isSaving) return 'saving'
    if (mutation.isError) return 'failed'
    return toSteps(edits) ? 'waiting' : 'held'
  }
  return {
    edits,
    state: state(),
    needsAnswer,
    isOrderHeld: isOrderChanged(edits) && cadence.live_count > 0 && !edits.confirmed.includes(orderKey),
    /** Changes the steps, and saves them a moment later. */
    edit(next: (before: StepEdits) => StepEdits) {
      change(next)
      saveLater(id, mutation.mutate)
    },
    /** Changes the steps and saves them at once. */
    editNow(next: (before: StepEdits) => StepEdits) {
      change(next)
      saveLater(id, mutation.mutate)
      saveNow(id)
    },
    /** Saves what waits. Returns whether the API has all steps of the user. */
    async save(): Promise<boolean> {
      if (isSaveWaiting(id)) saveLater(id, () => {})
      saveNow(id)
      await mutation.mutateAsync().catch(() => {})
      return !isUnsaved(read())
    },
    retry: () => mutation.mutate(),
  }
}

import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type FieldConflict, type Fields, mergeFields } from '../../api/merge-fields.ts'
import { isProblem, messagesByField } from '../../api/problem.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import { showToast } from '../../ui/toast.tsx'

type Versioned = { id: string; version: number }

type SaveOptions<T extends Versioned> = {
  record: T
  update: (record: T, changes: Fields) => Promise<T>
  load: () => Promise<T>
  store: (record: T) => void
  /** The value of each field as it is sent, such as the id of an owner. */
  readValue: (record: T, field: string) => unknown
}

export type SaveFields = ReturnType<typeof useSaveFields>

/**
 * Saves single fields of a record. If another user changed the record in between, different fields are merged without a
 * question; for the same field the user chooses.
 */
export function useSaveFields<T extends Versioned>({ record, update, load, store, readValue }: SaveOptions<T>) {
  const [pending, setPending] = useState<Fields>({})
  const [conflicts, setConflicts] = useState<readonly FieldConflict[]>([])
  const [errors, setErrors] = useState<Record<string, string>>({})
  const latest = useRef(record)
  if (record.version >= latest.current.version || record.id !== latest.current.id) latest.current = record

  const finish = (saved: T, fields: readonly string[]) => {
    latest.current = saved
    store(saved)
    setPending((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field))))
  }

  async function send(changes: Fields): Promise<void> {
    const base = latest.current
    const fields = Object.keys(changes)
    try {
      finish(await update(base, changes), fields)
    } catch (error) {
      if (!isProblem(error) || error.status !== 412) throw error
      const theirs = await load()
      const baseValues = Object.fromEntries(fields.map((field) => [field, readValue(base, field)]))
      const theirValues = Object.fromEntries(fields.map((field) => [field, readValue(theirs, field)]))
      const merged = mergeFields(baseValues, changes, theirValues)
      finish(theirs, merged.conflicts.length ? [] : fields.filter((field) => !(field in merged.changes)))
      setConflicts(merged.conflicts)
      if (Object.keys(merged.changes).length === 0) return
      finish(await update(theirs, merged.changes), Object.keys(merged.changes))
      showToast(recordTexts.merged)
    }
  }

  const mutation = useMutation({
    // Changes of one record are sent one after the other, so that each has the version of the one before.
    scope: { id: `save:${record.id}` },
    mutationFn: send,
    onError: (error, changes) => {
      const problem = isProblem(error) ? error : undefined
      const messages = problem ? messagesByField(problem) : {}
      setErrors((before) => ({ ...before, ...messages }))
      setPending((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in changes))))
      if (Object.keys(messages).length === 0)
        showToast(stateTexts.problem(problem?.code ?? 'unknown'), { tone: 'failed' })
    },
  })

  return {
    pending,
    errors,
    conflicts,
    isWaiting: mutation.isPaused,
    save(changes: Fields) {
      setErrors({})
      setPending((before) => ({ ...before, ...changes }))
      mutation.mutate(changes)
    },
    takeTheirs() {
      setPending((before) =>
        Object.fromEntries(Object.entries(before).filter(([field]) => !conflicts.some((one) => one.field === field))),
      )
      setConflicts([])
    },
    saveMine() {
      const mine = Object.fromEntries(conflicts.map(({ field, mine }) => [field, mine]))
      setConflicts([])
      mutation.mutate(mine)
    },
  }
}

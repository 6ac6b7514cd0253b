import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { connection } from '../../api/connection.ts'
import { type Fields, mergeFields } from '../../api/merge-fields.ts'
import { isProblem, isTemporary, messagesByField } from '../../api/problem.ts'
import { useStore } from '../../api/store.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { showProblem } from '../show-problem.ts'
import { changeUnsaved, unsavedFields, unsavedOf, without } from './unsaved-fields.ts'

type Versioned = { id: string; version: number }

type SaveOptions<T extends Versioned> = {
  record: T
  update: (record: T, changes: Fields) => Promise<T>
  load: () => Promise<T>
  store: (record: T) => void
  /** The value of each field as it is sent, such as the id of an owner. */
  readValue: (record: T, field: string) => unknown
}

/** `base` has the values that the user saw, so that a change by another user in between is noticed. */
type Change = { changes: Fields; base: Fields; version: number }

export type SaveFields = ReturnType<typeof useSaveFields>

const maxAttempts = 3
/** Compares the values in any case, because the record may have been read again. */
const versionUnknown = -1

/**
 * Saves single fields of a record. If another user changed the record in between, different fields are merged without a
 * question; for the same field the user chooses.
 */
export function useSaveFields<T extends Versioned>({ record, update, load, store, readValue }: SaveOptions<T>) {
  const { id } = record
  const { pending, conflicts, errors, failed } = unsavedOf(useStore(unsavedFields), id)
  const isWaiting = useStore(connection) === 'offline'
  const latest = useRef(record)
  if (record.version >= latest.current.version || id !== latest.current.id) latest.current = record

  /** A field that the user has changed again in the meantime stays pending. */
  const finish = (saved: T, sent: Fields) => {
    latest.current = saved
    store(saved)
    changeUnsaved(id, (before) => {
      const fields = Object.keys(sent).filter((field) => before.pending[field] === sent[field])
      return { pending: without(before.pending, fields), errors: without(before.errors, fields) }
    })
  }

  async function send({ changes, base, version }: Change): Promise<void> {
    let isOutdated = false
    for (let attempt = 1; ; attempt++) {
      const current = latest.current
      const values = Object.fromEntries(Object.keys(changes).map((field) => [field, readValue(current, field)]))
      const merged = current.version === version ? { changes, conflicts: [] } : mergeFields(base, changes, values)
      changeUnsaved(id, () => ({ conflicts: merged.conflicts }))
      const conflicting = merged.conflicts.map(({ field }) => field)
      try {
        const saved = Object.keys(merged.changes).length > 0 ? await update(current, merged.changes) : current
        finish(saved, without(changes, conflicting))
        if (isOutdated && conflicting.length === 0) showToast(recordTexts.merged)
        return
      } catch (error) {
        if (!isProblem(error) || error.status !== 412 || attempt === maxAttempts) throw error
        isOutdated = true
        latest.current = await load()
      }
    }
  }

  const mutation = useMutation({
    // Changes of one record are sent one after the other, so that each has the version of the one before.
    scope: { id: `save:${id}` },
    mutationFn: send,
    onError: (error, { changes, base }) => {
      const fields = Object.keys(changes)
      if (isTemporary(error)) return changeUnsaved(id, (before) => ({ failed: { ...before.failed, ...base } }))
      const messages = isProblem(error) ? messagesByField(error) : {}
      changeUnsaved(id, (before) => ({
        pending: without(before.pending, fields),
        errors: { ...before.errors, ...messages },
      }))
      if (Object.keys(messages).length === 0) showProblem(error)
    },
  })

  function save(changes: Fields): void {
    const fields = Object.keys(changes)
    const base = Object.fromEntries(
      fields.map((field) => [field, field in pending ? pending[field] : readValue(record, field)]),
    )
    changeUnsaved(id, (before) => ({
      pending: { ...before.pending, ...changes },
      errors: without(before.errors, fields),
      failed: without(before.failed, fields),
    }))
    mutation.mutate({ changes, base, version: latest.current.version })
  }

  const conflicting = conflicts.map(({ field }) => field)
  return {
    pending,
    errors,
    conflicts,
    failed,
    isWaiting,
    save,
    /** Sends a change again that could not be sent. */
    retry() {
      const changes = Object.fromEntries(Object.keys(failed).map((field) => [field, pending[field]]))
      changeUnsaved(id, () => ({ failed: {} }))
      mutation.mutate({ changes, base: failed, version: versionUnknown })
    },
    takeTheirs: () => changeUnsaved(id, (before) => ({ conflicts: [], pending: without(before.pending, conflicting) })),
    saveMine() {
      const mine = Object.fromEntries(conflicts.map((conflict) => [conflict.field, conflict.mine]))
      const base = Object.fromEntries(conflicts.map((conflict) => [conflict.field, conflict.theirs]))
      changeUnsaved(id, () => ({ conflicts: [] }))
      mutation.mutate({ changes: mine, base, version: latest.current.version })
    },
  }
}

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { connection } from '../../api/connection.ts'
import type { Fields } from '../../api/merge-fields.ts'
import { useStore } from '../../api/store.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { showProblem } from '../show-problem.ts'
import {
  dropFields,
  enterValues,
  type FieldIntent,
  fieldsIn,
  keepMine,
  listConflicts,
  retrySending,
} from './field-intents.ts'
import { sendFields } from './send-fields.ts'
import { changeUnsaved, unsavedFields, unsavedOf } from './unsaved-fields.ts'

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
  const { id } = record
  const intents = unsavedOf(useStore(unsavedFields), id)
  const isWaiting = useStore(connection) === 'offline'
  const latest = useRef(record)
  if (record.version >= latest.current.version || id !== latest.current.id) latest.current = record

  const readIntents = () => unsavedOf(unsavedFields.get(), id)
  const readValues = (source: T, fields: readonly string[]): Fields =>
    Object.fromEntries(fields.map((field) => [field, readValue(source, field)]))

  async function send(fields: readonly string[]): Promise<void> {
    const { isMerged, problem } = await sendFields<T>(fields, {
      readIntents,
      changeIntents: (change) => changeUnsaved(id, change),
      readRecord: () => latest.current,
      storeRecord: (newer) => {
        latest.current = newer
        store(newer)
      },
      readValues,
      update,
      load,
    })
    if (isMerged) showToast(recordTexts.merged)
    if (problem) showProblem(problem)
  }

  // Changes of one record are sent one after the other, so that each has the version of the one before.
  const mutation = useMutation({ scope: { id: `save:${id}` }, mutationFn: send })
  const valuesIn = (...states: FieldIntent['state'][]): Fields =>
    Object.fromEntries(fieldsIn(intents, ...states).map((field) => [field, intents[field]!.value]))
  const errors = Object.fromEntries(fieldsIn(intents, 'rejected').map((field) => [field, intents[field]!.message!]))

  return {
    /** New values that are being sent, wait for the network or for a decision, or could not be sent. */
    pending: valuesIn('waiting', 'failed', 'conflict'),
    /** New values that the server does not accept, with the reason in `errors`. */
    rejected: valuesIn('rejected'),
    errors,
    conflicts: listConflicts(intents),
    failed: fieldsIn(intents, 'failed'),
    isWaiting,
    /** `seen` has the values that the user saw when they began to type, if that was before now. */
    save(changes: Fields, seen: Fields = {}): void {
      const fields = Object.keys(changes)
      changeUnsaved(id, (before) => enterValues(before, changes, { ...readValues(record, fields), ...seen }))
      mutation.mutate(fields)
    },
    retry() {
      const fields = fieldsIn(readIntents(), 'failed')
      changeUnsaved(id, retrySending)
      mutation.mutate(fields)
    },
    discard: (field: string) => changeUnsaved(id, (before) => dropFields(before, [field])),
    takeTheirs: () => changeUnsaved(id, (before) => dropFields(before, fieldsIn(before, 'conflict'))),
    saveMine() {
      const fields = fieldsIn(readIntents(), 'conflict')
      changeUnsaved(id, keepMine)
      mutation.mutate(fields)
    },
  }
}

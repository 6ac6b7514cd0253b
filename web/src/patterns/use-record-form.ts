import { type FormEvent, useRef, useState } from 'react'
import type { FieldConflict, Fields } from '../api/merge-fields.ts'
import { saveRecord } from '../api/save-record.ts'
import { formTexts } from '../texts/en/form-texts.ts'
import { recordTexts } from '../texts/en/record-texts.ts'
import { showToast } from '../ui/toast.tsx'
import { type Form, showAlert, useForm } from './use-form.ts'

type RecordFormOptions<R, F extends Fields> = {
  record: R
  /** The values of the fields of the form, as the API has them. */
  fieldsOf: (record: R) => F
  /** The values that the user entered. */
  readFields: (data: FormData) => F
  send: (changes: Partial<F>, version: number) => Promise<R>
  reload: () => Promise<R>
  onSaved: (record: R) => void
  describe?: (code: string) => string | undefined
}

export type RecordForm = Form & {
  /** Changes when the form must show other values than the user entered. */
  formKey: number
  conflicts: readonly FieldConflict[]
  takeTheirs: () => void
  saveMine: () => void
}

/** A form for a versioned record: only changed fields are sent, and changes of other users are never overwritten. */
export function useRecordForm<R extends { version: number }, F extends Fields>(
  options: RecordFormOptions<R, F>,
): RecordForm & { base: R } {
  const { fieldsOf, readFields, send, reload, onSaved } = options
  const [base, setBase] = useState(options.record)
  const [theirs, setTheirs] = useState<{ record: R; conflicts: FieldConflict[] }>()
  const [formKey, setFormKey] = useState(0)
  const element = useRef<HTMLFormElement>(null)

  const form = useForm(async (data) => {
    const start = theirs?.record ?? base
    const changes = changedFields(fieldsOf(start), readFields(data))
    if (Object.keys(changes).length === 0) {
      setTheirs(undefined)
      setBase(start)
      return showToast(formTexts.unchanged)
    }
    const result = await saveRecord({ base: start, changes, fieldsOf, send: send as SendFields<R>, reload })
    if (result.kind === 'conflict') {
      setTheirs(result)
      if (element.current) showAlert(element.current)
      return
    }
    setTheirs(undefined)
    setBase(result.record)
    if (result.isMerged) setFormKey((key) => key + 1)
    showToast(result.isMerged ? recordTexts.merged : recordTexts.saved)
    onSaved(result.record)
  }, options.describe)

  const takeTheirs = () => {
    if (!theirs) return
    setBase(theirs.record)
    setTheirs(undefined)
    setFormKey((key) => key + 1)
    onSaved(theirs.record)
  }
  return {
    ...form,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      element.current = event.currentTarget
      form.onSubmit(event)
    },
    base,
    formKey,
    conflicts: theirs?.conflicts ?? [],
    takeTheirs,
    saveMine: () => element.current?.requestSubmit(),
  }
}

type SendFields<R> = (changes: Fields, version: number) => Promise<R>

const changedFields = <F extends Fields>(before: F, after: F): Partial<F> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => (value ?? null) !== (before[name] ?? null)),
  ) as Partial<F>

import { type RefObject, useEffect, useRef, useState } from 'react'
import { type FieldConflict, type Fields, isEqual } from '../api/merge-fields.ts'
import { saveRecord } from '../api/save-record.ts'
import { formTexts } from '../texts/en/form-texts.ts'
import { recordTexts } from '../texts/en/record-texts.ts'
import { showToast } from '../ui/toast.tsx'
import { changedFields, hasOtherChanges, pickFields, withoutFields } from './form/form-fields.ts'
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
  element: RefObject<HTMLFormElement | null>
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
  const { record, fieldsOf, readFields, send, reload, onSaved } = options
  const toStart = (from: R) => ({ record: from, version: from.version, seen: fieldsOf(from) as Fields })
  const [start, setStart] = useState(() => toStart(record))
  const [theirs, setTheirs] = useState<{ record: R; conflicts: readonly FieldConflict[] }>()
  const [formKey, setFormKey] = useState(0)
  const element = useRef<HTMLFormElement>(null)
  const isTakingTheirs = useRef(false)
  const conflicting = theirs?.conflicts.map(({ field }) => field) ?? []
  const showAgain = (from: R) => {
    setStart(toStart(from))
    setFormKey((key) => key + 1)
  }

  useEffect(() => {
    const form = element.current
    if (theirs || record.version <= start.version) return
    if (isEqual(fieldsOf(record), start.seen)) return setStart(toStart(record))
    const isUsed = !form || form.contains(document.activeElement)
    if (!isUsed && isEqual(changedFields(start.seen, readFields(new FormData(form))), {})) showAgain(record)
  }, [record])

  const form = useForm(async (data) => {
    const given = isTakingTheirs.current ? conflicting : []
    const entered = readFields(data)
    const seen = theirs ? { ...start.seen, ...pickFields(fieldsOf(theirs.record), conflicting) } : start.seen
    const version = theirs?.record.version ?? start.version
    const changes = withoutFields(changedFields(seen, entered), given)
    if (Object.keys(changes).length === 0) {
      if (!theirs) return showToast(formTexts.unchanged)
      setTheirs(undefined)
      showAgain(theirs.record)
      return onSaved(theirs.record)
    }
    const result = await saveRecord({ version, base: seen, changes, fieldsOf, send: send as SendFields<R>, reload })
    if (result.kind === 'conflict') {
      setTheirs(result)
      if (element.current) showAlert(element.current)
      return
    }
    setTheirs(undefined)
    const isMerged = hasOtherChanges(withoutFields(seen, given), changes, fieldsOf(result.record))
    const isChangedSince = element.current && !isEqual(readFields(new FormData(element.current)), entered)
    // The older version makes the next request compare what the form still shows.
    if (isMerged && isChangedSince) setStart({ ...start, version, seen: { ...seen, ...changes } })
    else if (isMerged || given.length > 0) showAgain(result.record)
    else setStart(toStart(result.record))
    showToast(isMerged ? recordTexts.merged : recordTexts.saved)
    onSaved(result.record)
  }, options.describe)

  return {
    ...form,
    element,
    base: start.record,
    formKey,
    conflicts: theirs?.conflicts ?? [],
    takeTheirs() {
      isTakingTheirs.current = true
      element.current?.requestSubmit()
      isTakingTheirs.current = false
    },
    saveMine: () => element.current?.requestSubmit(),
  }
}

type SendFields<R> = (changes: Fields, version: number) => Promise<R>

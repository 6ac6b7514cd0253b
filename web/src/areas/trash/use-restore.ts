import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem, isTemporary } from '../../api/problem.ts'
import { sendEach } from '../../patterns/list/send-each.ts'
import { describeProblem, showProblem, showRepeatableProblem } from '../../patterns/show-problem.ts'
import { trashTexts as texts } from '../../texts/en/trash-texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { type DeletedRecord, refreshRestored, restoreRecord } from './trash-queries.ts'
import type { Kind } from './trash-search.ts'

const nameOf = ({ name }: DeletedRecord): string => name || texts.noName

/** Restores records and keeps the reason of each that cannot be restored. */
export function useRestore(kind: Kind, locale: string) {
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({})
  const reasonOf = (error: unknown) => describeProblem(error, (code) => texts.conflict(kind, code))
  const mutation = useMutation({
    mutationFn: (records: readonly DeletedRecord[]) => sendEach(records, ({ id }) => restoreRecord(kind, id)),
    onSuccess: async ({ done: restored, failed }, records) => {
      setReasons(Object.fromEntries(failed.map(({ record, error }) => [record.id, reasonOf(error)])))
      await refreshRestored()
      if (restored.length === 1) showToast(texts.restored(nameOf(restored[0]!)))
      else if (restored.length > 1)
        showToast(texts.restoredMany(restored.length, formatNumber(restored.length, locale)))
      report(failed, records.length)
    },
  })

  function report(failed: readonly { record: DeletedRecord; error: unknown }[], count: number): void {
    for (const { record, error } of failed)
      if (isProblem(error, 'not_found')) showProblem(error, texts.notInTrash(nameOf(record)))
    const left = failed.filter(({ error }) => !isProblem(error, 'not_found'))
    const [first] = left
    if (!first) return
    const text = count > 1 ? texts.failedMany(left.length, formatNumber(left.length, locale)) : reasonOf(first.error)
    const temporary = left.flatMap(({ record, error }) => (isTemporary(error) ? [record] : []))
    if (temporary.length > 0) showRepeatableProblem(first.error, () => mutation.mutate(temporary), text)
    else if (count > 1) showProblem(first.error, text)
  }

  return { reasons, isPending: mutation.isPending, restore: mutation.mutate }
}

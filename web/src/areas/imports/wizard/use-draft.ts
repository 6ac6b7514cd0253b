import { useEffect, useState } from 'react'
import { readDraft, writeDraft } from '../../../api/drafts.ts'
import { isEqual } from '../../../api/merge-fields.ts'
import { carryOver, type Draft, parseDraft, toDraft } from '../model/draft.ts'
import type { RecordImport } from '../model/types.ts'

const keyOf = (id: string): string => `import:${id}`

/** Keeps the choices of the user for an import. They survive a reload until they are saved. */
export function useDraft(file: RecordImport) {
  const [draft, setDraft] = useState(() => parseDraft(readDraft(keyOf(file.id)), file.columns) ?? toDraft(file))
  useEffect(() => {
    writeDraft(keyOf(file.id), isEqual(draft, toDraft(file)) ? '' : JSON.stringify(draft))
  }, [draft, file])
  return [draft, setDraft] as const
}

/** Keeps the choices of one import for another file. */
export const keepChoices = (before: Pick<Draft, 'columns' | 'options'>, file: RecordImport): void =>
  writeDraft(keyOf(file.id), JSON.stringify(carryOver(before, file)))

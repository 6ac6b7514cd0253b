import { useEffect } from 'react'
import { isFinished, useTask } from '../../../api/tasks.ts'
import { isAtWork, refreshImport } from '../import-api.ts'
import type { RecordImport, RecordType } from '../model/types.ts'

/** Reads the import as soon as its task has ended, instead of at the next turn. */
export function useTaskEnd(type: RecordType, file: RecordImport): void {
  const task = useTask(isAtWork(file) ? (file.task_id ?? undefined) : undefined)
  const hasEnded = isFinished(task)
  useEffect(() => {
    if (hasEnded) void refreshImport(type, file.id)
  }, [hasEnded, type, file.id])
}

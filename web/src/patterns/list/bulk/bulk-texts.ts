import type { TaskStatus } from '../../../api/tasks.ts'
import { contactBulkTexts } from '../../../texts/en/contact-bulk-texts.ts'
import { bulkTexts } from '../../../texts/en/lead-bulk-texts.ts'

type CountText = (count: number, text: string) => string

/** Sentences about a bulk action that name the kind of records. */
export type BulkTexts = {
  label: string
  selected: CountText
  selectFailed: string
  confirmSmall: string
  failedTitle: (failed: string, total: string) => string
  changedText: (before: string, now: string) => string
  done: Readonly<Record<string, CountText>>
  tasks: Readonly<Record<string, (total: string) => string>>
  taskEnded: { failed: string; cancelled: string }
  taskFailures: CountText
  restoring: CountText
  restored: (restored: number, restoredText: string, skipped: number, skippedText: string) => string
}

const textsOfKind: Readonly<Record<string, BulkTexts>> = { leads: bulkTexts, contacts: contactBulkTexts }

/** The texts of the records that the task changes; undefined if it is no bulk action and no undo of one. */
export const textsOfTask = ({ kind }: Pick<TaskStatus, 'kind'>): BulkTexts | undefined => textsOfKind[recordsOf(kind)]

/** The records of a task of the kind `leads.bulk` or `leads.bulk_undo`. */
export const recordsOf = (kind: string): string => /^(\w+)\.bulk(_undo)?$/.exec(kind)?.[1] ?? ''

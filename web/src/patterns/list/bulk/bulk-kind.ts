import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import type { TaskStatus } from '../../../api/tasks.ts'
import { contactBulkTexts } from '../../../texts/en/contact-bulk-texts.ts'
import { bulkTexts } from '../../../texts/en/lead-bulk-texts.ts'
import { type BulkTexts, recordsOf } from './bulk-texts.ts'

export type BulkKind = {
  texts: BulkTexts
  queryKey: readonly unknown[]
  undo: (taskId: string) => Promise<{ task_id: string; total: number }>
}

export const leadKind: BulkKind = {
  texts: bulkTexts,
  queryKey: queryKeys.leads.all,
  undo: (task_id) => read(api.POST('/api/leads/bulk/{task_id}/undo', { params: { path: { task_id } } })),
}

export const contactKind: BulkKind = {
  texts: contactBulkTexts,
  queryKey: areaKeys.contacts.all,
  undo: (task_id) => read(api.POST('/api/contacts/bulk/{task_id}/undo', { params: { path: { task_id } } })),
}

const kinds: Readonly<Record<string, BulkKind>> = { leads: leadKind, contacts: contactKind }

export const kindOfTask = ({ kind }: Pick<TaskStatus, 'kind'>): BulkKind | undefined => kinds[recordsOf(kind)]

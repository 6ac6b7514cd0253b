import { api, read, type Schemas, withKey } from '../../api/client.ts'
import type { TaskStatus } from '../../api/tasks.ts'
import { exportTexts as texts } from '../../texts/en/export-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { showRepeatableProblem } from '../show-problem.ts'
import type { ExportType } from './export-columns.ts'

export type ExportFilters = { query: object; filter?: object }
type NewExport = ExportFilters & { columns?: readonly string[]; format: 'csv' | 'jsonl' }

/** The exports of all kinds have the same requests, of which only the path differs. */
const pathOf = (type: ExportType) => `/api/${type}/exports` as '/api/leads/exports'

export const createExport = (type: ExportType, body: NewExport, key: string) =>
  read(api.POST(pathOf(type), { headers: withKey(key), body: body as Schemas['CreateLeadExportRequest'] }))

/** Whether the task has written a file that can be downloaded. */
export const hasFile = ({ kind, state }: Pick<TaskStatus, 'kind' | 'state'>): boolean =>
  kind === 'records.export' && state === 'succeeded'

const filePath = /^\/api\/(leads|contacts|accounts)\/exports\/([\da-f-]{36})\/file$/

/** Asks for a new link, because each is valid for an hour only, and lets the browser download the file. */
export async function downloadExport(status: Pick<TaskStatus, 'result'>): Promise<void> {
  const { download_url: path } = (status.result ?? {}) as { download_url?: string }
  const [, type, id] = filePath.exec(path ?? '') ?? []
  if (!type || !id) return
  try {
    const params = { path: { export_id: id } }
    const { download_url: url } = await read(
      api.GET(`${pathOf(type as ExportType)}/{export_id}` as '/api/leads/exports/{export_id}', { params }),
    )
    if (url === null) return showToast(texts.expired, { tone: 'failed' })
    const link = document.createElement('a')
    link.href = url
    link.download = ''
    link.click()
  } catch (error) {
    showRepeatableProblem(error, () => void downloadExport(status))
  }
}

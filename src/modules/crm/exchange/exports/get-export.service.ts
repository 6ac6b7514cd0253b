import { actorOf, type TenantTx } from '#platform/db'
import { gone, notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import type { FileObjectType } from '../record-columns/record-columns.rules.ts'
import { getExportRow } from './exports.queries.ts'
import { downloadUrlOf } from './exports.rules.ts'
import type { RecordExport } from './exports.schemas.ts'

export async function getExport(
  tx: TenantTx,
  objectType: FileObjectType,
  id: string,
  { clock, files }: Pick<Services, 'clock' | 'files'>,
): Promise<RecordExport> {
  const { filter: _, file_id, ...row } = await getExportRow(tx, objectType, id)
  const isExpired = row.state === 'completed' && (file_id === null || row.expires_at <= clock.now())
  const state = isExpired ? 'expired' : (row.state as RecordExport['state'])
  return {
    ...row,
    state,
    download_url: state === 'completed' ? downloadUrlOf(row) + ticketOf(tx, file_id!, files) : null,
  }
}

/** Browsers download files without headers, so sessions get a ticket. */
function ticketOf(tx: TenantTx, fileId: string, { tickets }: Services['files']): string {
  const { tenantId, userId, sessionId } = actorOf(tx)
  return sessionId ? `?ticket=${tickets.issue({ tenantId, fileId, userId, disposition: 'attachment' })}` : ''
}

export async function findExportFileId(
  tx: TenantTx,
  objectType: FileObjectType,
  id: string,
  { clock }: Pick<Services, 'clock'>,
): Promise<string> {
  const { state, file_id, expires_at } = await getExportRow(tx, objectType, id)
  if (expires_at <= clock.now()) throw gone('link_expired', 'This export has expired. Create a new one.')
  if (state !== 'completed' || file_id === null) throw notFound('file')
  return file_id
}

import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import type { Services } from '#platform/module'
import { runBulkUpdate } from '../bulk/run-bulk-update.flow.ts'
import { undoBulkUpdate } from '../bulk/undo-bulk-update.service.ts'
import type { BulkContactsRequest, BulkContactsResponse } from './contact-bulk.schemas.ts'
import { contactBulk } from './contact-bulk-kind.ts'

export const bulkUpdateContacts = async (
  services: Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>,
  actor: UserActor,
  request: BulkContactsRequest,
  inRequestTransaction: RequestTransaction,
): Promise<BulkContactsResponse> =>
  (await runBulkUpdate(contactBulk, services, actor, request, inRequestTransaction)) as BulkContactsResponse

export const undoContactBulkUpdate = (
  tx: TenantTx,
  actor: UserActor,
  taskId: string,
  services: Pick<Services, 'clock' | 'registry'>,
) => undoBulkUpdate(tx, contactBulk, actor, taskId, services)

import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import type { Services } from '#platform/module'
import { runBulkUpdate } from '../bulk/run-bulk-update.flow.ts'
import { undoBulkUpdate } from '../bulk/undo-bulk-update.service.ts'
import type { BulkLeadsRequest, BulkLeadsResponse } from './lead-bulk.schemas.ts'
import { leadBulk } from './lead-bulk-kind.ts'

export const bulkUpdateLeads = async (
  services: Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>,
  actor: UserActor,
  request: BulkLeadsRequest,
  inRequestTransaction: RequestTransaction,
): Promise<BulkLeadsResponse> =>
  (await runBulkUpdate(leadBulk, services, actor, request, inRequestTransaction)) as BulkLeadsResponse

export const undoLeadBulkUpdate = (
  tx: TenantTx,
  actor: UserActor,
  taskId: string,
  services: Pick<Services, 'clock' | 'registry'>,
) => undoBulkUpdate(tx, leadBulk, actor, taskId, services)

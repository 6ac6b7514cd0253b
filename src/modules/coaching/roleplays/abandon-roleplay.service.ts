import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { roleplayAbandoned } from '../coaching.events.ts'
import { recordPracticeAudit } from '../practice-audit/record-practice-audit.ts'
import { toAuditedChange } from '../sessions/sessions.rules.ts'
import { updateClaimedRoleplay } from './roleplay.queries.ts'
import type { RoleplayRow } from './roleplay-row.ts'

export async function abandonRoleplay(
  tx: TenantTx,
  roleplay: RoleplayRow,
  { claimId, now }: { claimId: string; now: Date },
): Promise<void> {
  const state = JSON.stringify({ ...roleplay.state, questions: [] })
  const abandoned = await updateClaimedRoleplay(tx, roleplay.id, claimId, {
    status: 'abandoned',
    finished_at: now,
    state,
  })
  if (!abandoned) return
  await recordPracticeAudit(tx, 'coaching_session.abandoned', {
    id: roleplay.id,
    ...toAuditedChange(roleplay, abandoned),
  })
  if (!abandoned.is_private) await emit(tx, roleplayAbandoned, abandoned, { rep_id: abandoned.rep_id })
}

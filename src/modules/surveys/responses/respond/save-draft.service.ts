import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { countStart } from '../../design/counters/counters.queries.ts'
import { responseStarted } from '../../surveys.events.ts'
import { findDraft, upsertDraft } from '../responses/respondents.queries.ts'
import type { Submission, SubmissionResult } from './submission.ts'
import { updateInvitationRow } from './token-holders.queries.ts'

const linkDraftDays = 30

export async function saveDraft(
  tx: TenantTx,
  { survey, holder, holderHash, language, response, now }: Submission,
): Promise<SubmissionResult> {
  const known = await findDraft(tx, holderHash)
  const invitation = holder.kind === 'invitation' ? holder.invitation : undefined
  const isFirst = !known && invitation?.status !== 'partial'
  if (isFirst) {
    if (invitation) await updateInvitationRow(tx, invitation.id, { status: 'partial' })
    await countStart(tx, survey.id, now)
    const { contact_id = null, lead_id = null } = invitation ?? {}
    await emit(tx, responseStarted, survey, { contact_id, lead_id })
  }
  await upsertDraft(tx, {
    holder_hash: holderHash,
    survey_id: survey.id,
    answers: response.answers,
    language,
    started_at: known?.started_at ?? now,
    saved_at: now,
    expires_at: invitation?.expires_at ?? daysLater(now, linkDraftDays),
  })
  return { status: 'partial', saved_at: now }
}

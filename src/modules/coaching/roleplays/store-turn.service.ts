import type { AssistAnswer } from '#platform/ai'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { BuyerState } from '../buyer/buyer-state.ts'
import { recordPracticeAudit } from '../practice-audit/record-practice-audit.ts'
import { toAuditedChange } from '../sessions/sessions.rules.ts'
import { insertMessage, listMessages, updateClaimedRoleplay } from './roleplay.queries.ts'
import { presentMessage, presentState, turnInProgressError } from './roleplay.rules.ts'
import type { MessageResult, NewMessage } from './roleplay.schemas.ts'
import type { RoleplayRow } from './roleplay-row.ts'

type Turn = {
  roleplay: RoleplayRow
  claimId: string
  message: NewMessage
  state: BuyerState
  answer: AssistAnswer<{ reply: string }>
  cue: string | null
  now: Date
}

/** The update of the session ends the claim and keeps its row locked, so the numbers of the messages have no gaps. */
export async function storeTurn(
  tx: TenantTx,
  { roleplay, claimId, message, state, answer: { output, ...provenance }, cue, now }: Turn,
): Promise<MessageResult> {
  const updated = await updateClaimedRoleplay(tx, roleplay.id, claimId, {
    state: JSON.stringify(state),
    turns: state.turn,
    engine: provenance.engine,
    last_activity_at: now,
  })
  if (!updated) throw turnInProgressError()
  const session_id = roleplay.id
  const last = (await listMessages(tx, session_id)).at(-1)?.seq ?? 0
  const sent = await insertMessage(tx, {
    id: newId(),
    session_id,
    seq: last + 1,
    role: 'rep',
    text: message.text,
    spoken_seconds: message.spoken_seconds ?? null,
    client_message_id: message.client_message_id ?? null,
  })
  const received = await insertMessage(tx, {
    id: newId(),
    session_id,
    seq: last + 2,
    role: 'buyer',
    text: output.reply,
    spoken_seconds: message.buyer_spoken_seconds ?? null,
    cue,
    ...provenance,
  })
  await recordPracticeAudit(tx, 'coaching_session.message_sent', { id: session_id, ...toAuditedChange(null, updated) })
  return {
    rep_message: presentMessage(sent),
    buyer_message: presentMessage(received),
    state: presentState(updated),
    cue,
    ...provenance,
  }
}

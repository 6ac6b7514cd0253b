import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { startBuyer } from '../buyer/buyer.rules.ts'
import { wordOpening } from '../buyer/wording.rules.ts'
import { roleplayStarted } from '../coaching.events.ts'
import type { PersonaRow } from '../personas/persona-row.ts'
import { recordPracticeAudit } from '../practice-audit/record-practice-audit.ts'
import type { ScenarioSnapshot, SessionRow } from '../sessions/session-row.ts'
import { toAuditedChange } from '../sessions/sessions.rules.ts'
import {
  countActiveRoleplays,
  findLastAttempt,
  insertMessage,
  insertRoleplay,
  lockRoleplaysOfUser,
} from './roleplay.queries.ts'
import { estimateSpokenSeconds, maxActiveRoleplays, seedOf, toBuyer } from './roleplay.rules.ts'
import type { RoleplayOptions } from './roleplay.schemas.ts'
import type { MessageRow, RoleplayRow } from './roleplay-row.ts'

type NewRoleplay = {
  persona: PersonaRow
  scenarioId: string | null
  snapshot: ScenarioSnapshot
  options: Pick<RoleplayOptions, 'is_private' | 'language'>
  practiceReason?: SessionRow['practice_reason']
  /** Seconds that a voice call may take; null for a conversation in writing. */
  voiceSeconds: number | null
  now: Date
}

export async function assertRoleplayAllowed(tx: TenantTx, userId: string): Promise<void> {
  if ((await countActiveRoleplays(tx, userId)) >= maxActiveRoleplays)
    throw conflict('too_many_active', `A user can have ${maxActiveRoleplays} active roleplays. Finish one first.`)
}

export async function createRoleplay(
  tx: TenantTx,
  { userId }: UserActor,
  { persona, scenarioId, snapshot, options, practiceReason = null, voiceSeconds, now }: NewRoleplay,
): Promise<{ roleplay: RoleplayRow; messages: MessageRow[] }> {
  await lockRoleplaysOfUser(tx, userId)
  await assertRoleplayAllowed(tx, userId)
  const isPrivate = options.is_private ?? false
  const attempt_no = (await findLastAttempt(tx, userId, { scenarioId, personaId: persona.id, isPrivate })) + 1
  const buyer = toBuyer(persona, options.language)
  const seed = seedOf({ scenarioId, personaId: persona.id, attemptNo: attempt_no })
  const isVoice = voiceSeconds !== null
  const roleplay = await insertRoleplay(tx, {
    id: newId(),
    kind: 'roleplay',
    status: 'active',
    scenario_id: scenarioId,
    persona_id: persona.id,
    rep_id: userId,
    is_private: isPrivate,
    practice_reason: practiceReason,
    started_at: now,
    last_activity_at: now,
    scenario_snapshot: JSON.stringify(snapshot),
    persona_snapshot: JSON.stringify(buyer),
    state: JSON.stringify(startBuyer(buyer, snapshot.difficulty)),
    attempt_no,
    seed,
    mode: isVoice ? 'voice' : 'text',
    transcript_source: isVoice ? 'client' : 'server',
    voice_seconds: voiceSeconds,
    created_by: userId,
  })
  const text = wordOpening(buyer, seed)
  const message = await insertMessage(tx, {
    id: newId(),
    session_id: roleplay.id,
    seq: 1,
    role: 'buyer',
    text,
    engine: 'rules',
    spoken_seconds: isVoice ? estimateSpokenSeconds(text) : null,
  })
  await recordPracticeAudit(tx, 'coaching_session.started', { id: roleplay.id, ...toAuditedChange(null, roleplay) })
  if (!roleplay.is_private) await emit(tx, roleplayStarted, roleplay, { rep_id: userId, scenario_id: scenarioId })
  return { roleplay, messages: [message] }
}

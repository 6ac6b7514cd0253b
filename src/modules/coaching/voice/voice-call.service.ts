import type { UserActor } from '#platform/access'
import type { RealtimeCredential, SpeechProvider } from '#platform/ai'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, unknownReference } from '#platform/errors'
import type { Services } from '#platform/module'
import { SecretDecryptionError } from '#platform/secrets'
import type { Buyer } from '../buyer/buyer-state.ts'
import { wordOpening } from '../buyer/wording.rules.ts'
import type { PersonaRow } from '../personas/persona-row.ts'
import { findPersona } from '../personas/personas.queries.ts'
import { assertRoleplayAllowed, createRoleplay } from '../roleplays/create-roleplay.service.ts'
import { presentRoleplay } from '../roleplays/present-roleplay.service.ts'
import { findLastAttempt, lockRoleplaysOfUser } from '../roleplays/roleplay.queries.ts'
import { seedOf, toBuyer } from '../roleplays/roleplay.rules.ts'
import type { ScenarioRow } from '../scenarios/scenario-row.ts'
import { findScenario, lockScenarioShared } from '../scenarios/scenarios.queries.ts'
import { canSeeScenario } from '../scenarios/scenarios.rules.ts'
import { assertPublished } from '../sessions/create-session.service.ts'
import type { ScenarioSnapshot, SessionRow } from '../sessions/session-row.ts'
import { takeSnapshot } from '../sessions/sessions.rules.ts'
import { readVoiceSettings } from '../settings/coaching-settings.ts'
import { readSpeechProvider } from '../settings/speech-settings.ts'
import { lockVoiceMinutes, readVoiceUsage } from './voice.queries.ts'
import {
  callSecondsOf,
  isWithinLimits,
  startOfDay,
  toRealtimeConnection,
  toStandardSnapshot,
  toTextConnection,
} from './voice.rules.ts'
import type { VoiceCall, VoiceCallOptions, VoiceFallbackReason } from './voice.schemas.ts'

export type CallInput = { personaId: string; options: VoiceCallOptions; now: Date }

export type PreparedCall = {
  persona: PersonaRow
  scenarioId: string | null
  snapshot: ScenarioSnapshot
  practiceReason: SessionRow['practice_reason']
  callSeconds: number
  buyer: Buyer
  opening: string
  provider: SpeechProvider | VoiceFallbackReason
}

/** Checks everything that a provider need not be asked for. */
export async function prepareCall(
  tx: TenantTx,
  actor: UserActor,
  { secrets }: Pick<Services, 'secrets'>,
  { personaId, options, now }: CallInput,
): Promise<PreparedCall> {
  const persona = await findPersona(tx, personaId)
  if (!persona) throw notFound('persona')
  if (!persona.is_active) throw conflict('not_published', 'The persona is not active. Choose another persona.')
  const scenarioId = options.scenario_id ?? null
  const scenario = scenarioId ? await getPublishedScenario(tx, actor, scenarioId) : undefined
  const snapshot = scenario ? takeSnapshot(scenario) : toStandardSnapshot(persona)
  const practiceReason = scenario && scenario.persona_id !== personaId ? 'other_persona' : null
  await assertRoleplayAllowed(tx, actor.userId)
  const callSeconds = callSecondsOf(snapshot)
  const provider = await readVoiceProvider(tx, secrets)
  const isAllowed = await hasMinutesLeft(tx, actor.userId, callSeconds, now)
  const usable = typeof provider === 'string' || isAllowed ? provider : 'budget_exceeded'
  const buyer = toBuyer(persona, options.language)
  const isPrivate = options.is_private ?? false
  const attemptNo = (await findLastAttempt(tx, actor.userId, { scenarioId, personaId, isPrivate })) + 1
  const opening = wordOpening(buyer, seedOf({ scenarioId, personaId, attemptNo }))
  return { persona, scenarioId, snapshot, practiceReason, callSeconds, buyer, opening, provider: usable }
}

async function getPublishedScenario(tx: TenantTx, actor: UserActor, scenarioId: string): Promise<ScenarioRow> {
  const scenario = await findScenario(tx, scenarioId)
  if (!scenario || !canSeeScenario(scenario, actor)) throw unknownReference('/scenario_id', 'scenario')
  assertPublished(scenario)
  return scenario
}

/** A key that cannot be decrypted must not prevent a conversation in writing. */
async function readVoiceProvider(
  tx: TenantTx,
  secrets: Services['secrets'],
): Promise<SpeechProvider | VoiceFallbackReason> {
  try {
    return (await readSpeechProvider(tx, secrets, 'voice')) ?? 'not_configured'
  } catch (error) {
    if (error instanceof SecretDecryptionError) return 'provider_unavailable'
    throw error
  }
}

async function hasMinutesLeft(tx: TenantTx, userId: string, callSeconds: number, now: Date): Promise<boolean> {
  const [settings, usage] = [await readVoiceSettings(tx), await readVoiceUsage(tx, userId, startOfDay(now))]
  return isWithinLimits(usage, callSeconds, settings)
}

type IssuedCall = Omit<PreparedCall, 'provider' | 'buyer' | 'opening'> & {
  issued: RealtimeCredential | VoiceFallbackReason
}

/** Counts the call at its maximum duration. A credential that came too late for the limits is dropped and expires unused. */
export async function createVoiceCall(
  tx: TenantTx,
  actor: UserActor,
  { persona, scenarioId, snapshot, practiceReason, callSeconds, issued }: IssuedCall,
  { options, now }: CallInput,
): Promise<VoiceCall> {
  let result = issued
  await lockRoleplaysOfUser(tx, actor.userId)
  if (typeof result !== 'string') {
    await lockVoiceMinutes(tx)
    if (!(await hasMinutesLeft(tx, actor.userId, callSeconds, now))) result = 'budget_exceeded'
  }
  if (scenarioId && !(await lockScenarioShared(tx, scenarioId))) throw unknownReference('/scenario_id', 'scenario')
  const voiceSeconds = typeof result === 'string' ? null : callSeconds
  const roleplay = { persona, scenarioId, snapshot, options, practiceReason, voiceSeconds, now }
  const created = await createRoleplay(tx, actor, roleplay)
  return {
    session: await presentRoleplay(tx, actor, created.roleplay, created.messages),
    voice: typeof result === 'string' ? toTextConnection(result) : toRealtimeConnection(result, callSeconds),
  }
}

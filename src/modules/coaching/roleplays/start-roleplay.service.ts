import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import type { PersonaRow } from '../personas/persona-row.ts'
import { findPersona } from '../personas/personas.queries.ts'
import { lockStartableScenario } from '../sessions/create-session.service.ts'
import { takeSnapshot } from '../sessions/sessions.rules.ts'
import { createRoleplay } from './create-roleplay.service.ts'
import { presentRoleplay } from './present-roleplay.service.ts'
import { lockRoleplaysOfUser } from './roleplay.queries.ts'
import type { Roleplay, RoleplayOptions } from './roleplay.schemas.ts'

export async function startRoleplay(
  tx: TenantTx,
  actor: UserActor,
  scenarioId: string,
  { options, now }: { options: RoleplayOptions; now: Date },
): Promise<Roleplay> {
  await lockRoleplaysOfUser(tx, actor.userId)
  const scenario = await lockStartableScenario(tx, actor, scenarioId)
  const persona = await getActivePersona(tx, options.persona_id, scenario.persona_id)
  const snapshot = takeSnapshot(scenario)
  const practiceReason = persona.id === scenario.persona_id ? null : 'other_persona'
  const roleplay = { persona, scenarioId, snapshot, options, practiceReason, voiceSeconds: null, now } as const
  const started = await createRoleplay(tx, actor, roleplay)
  return await presentRoleplay(tx, actor, started.roleplay, started.messages)
}

async function getActivePersona(
  tx: TenantTx,
  chosenId: string | undefined,
  scenarioPersonaId: string | null,
): Promise<PersonaRow> {
  const personaId = chosenId ?? scenarioPersonaId
  const persona = personaId ? await findPersona(tx, personaId) : undefined
  if (chosenId && !persona?.is_active) throw unknownReference('/persona_id', 'active persona')
  if (!persona?.is_active)
    throw conflict('not_published', 'The scenario has no active persona. Choose another scenario.')
  return persona
}

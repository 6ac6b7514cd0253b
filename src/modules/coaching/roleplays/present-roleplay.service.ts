import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { presentSession } from '../sessions/present-session.service.ts'
import { getVisibleSession } from '../sessions/session-access.service.ts'
import { findRoleplay, listMessages } from './roleplay.queries.ts'
import { presentMessage, presentState } from './roleplay.rules.ts'
import type { Roleplay } from './roleplay.schemas.ts'
import type { MessageRow, RoleplayRow } from './roleplay-row.ts'

export async function getRoleplay(tx: TenantTx, actor: UserActor, id: string): Promise<Roleplay> {
  const roleplay = await getVisibleRoleplay(tx, actor, id)
  return await presentRoleplay(tx, actor, roleplay, await listMessages(tx, id))
}

export async function getVisibleRoleplay(tx: TenantTx, actor: UserActor, id: string): Promise<RoleplayRow> {
  await getVisibleSession(tx, actor, id)
  const roleplay = await findRoleplay(tx, id)
  if (!roleplay) throw notFound('roleplay')
  return roleplay
}

export async function presentRoleplay(
  tx: TenantTx,
  actor: UserActor,
  roleplay: RoleplayRow,
  messages: readonly MessageRow[],
): Promise<Roleplay> {
  const { mode, transcript_source, persona_snapshot, scenario_snapshot } = roleplay
  const { name, job_title, company_profile } = persona_snapshot
  return {
    ...(await presentSession(tx, actor, roleplay)),
    mode,
    integrity: transcript_source,
    brief: scenario_snapshot.brief,
    buyer: { name, job_title, company_profile },
    messages: messages.map(presentMessage),
    state: presentState(roleplay),
  }
}

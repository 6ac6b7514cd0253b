import { findTeamNames, findUserCards, listMemberIds } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { invalid, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { promptAssigned } from '../pitches.events.ts'
import { copyDueDates, refreshAssignments, upsertAssignments } from './assignments.queries.ts'
import type { PromptRow } from './prompt-row.ts'
import type { Assign } from './prompts.schemas.ts'

/** Adds assignments; a given due date also replaces that of existing ones. The prompt must be locked. */
export async function assignPrompt(tx: TenantTx, prompt: PromptRow, assign: Assign): Promise<void> {
  const userIds = await resolveUserIds(tx, assign)
  if (!userIds.length) return
  const { due_on = null } = assign
  const assignments = userIds.map((user_id) => ({
    id: newId(),
    prompt_id: prompt.id,
    user_id,
    due_on,
    created_by: actorOf(tx).userId!,
  }))
  const changed = await upsertAssignments(tx, assignments, { replacesDueOn: assign.due_on !== undefined })
  if (!changed.length) return
  await refreshAssignments(
    tx,
    changed.map(({ id }) => id),
  )
  await copyDueDates(
    tx,
    prompt.id,
    changed.map(({ user_id }) => user_id),
  )
  const after = { users: changed.length, due_on }
  await recordAudit(tx, 'pitch_prompt.assigned', { id: prompt.id, label: prompt.title, after })
  await emit(tx, promptAssigned, prompt, after)
}

/** Viewers cannot pitch, because they have no right to write. As members of a team they are left out. */
async function resolveUserIds(tx: TenantTx, { user_ids = [], team_ids = [] }: Assign): Promise<string[]> {
  const teams = await findTeamNames(tx, team_ids)
  const unknownTeam = team_ids.findIndex((id) => !teams.has(id))
  if (unknownTeam >= 0) throw unknownReference(`/assign/team_ids/${unknownTeam}`, 'team')
  const members = (await Promise.all(team_ids.map((id) => listMemberIds(tx, id)))).flat()
  const cards = await findUserCards(tx, [...user_ids, ...members])
  for (const [index, id] of user_ids.entries()) {
    const path = `/assign/user_ids/${index}`
    if (cards.get(id)?.status !== 'active') throw unknownReference(path, 'active user')
    if (cards.get(id)?.role === 'viewer') throw invalid('body', path, 'not_allowed', 'Viewers cannot pitch.')
  }
  return [...cards.values()]
    .filter(({ role, status }) => status === 'active' && role !== 'viewer')
    .map(({ id }) => id)
    .sort()
}

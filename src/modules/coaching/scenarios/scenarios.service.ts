import { assertAssignable } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type Page, type TenantTx, toSearchText } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, notFound, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import {
  scenarioArchived,
  scenarioCreated,
  scenarioDeleted,
  scenarioPublished,
  scenarioUpdated,
} from '../coaching.events.ts'
import { completeCriteria } from '../criteria/complete-criteria.rules.ts'
import type { PersonaRow } from '../personas/persona-row.ts'
import { lockPersonaShared } from '../personas/personas.queries.ts'
import { presentScenarios } from './present-scenario.service.ts'
import type { AssertScenarioUnused, ScenarioRow } from './scenario-row.ts'
import {
  deleteScenarioRow,
  findScenario,
  hasSessions,
  insertScenario,
  listScenarioRows,
  listScenariosOfPersona,
  lockScenario,
  updateScenarioRow,
} from './scenarios.queries.ts'
import { assertPublishable, assertScenarioTransition, assertValidRubric, canSeeScenario } from './scenarios.rules.ts'
import type { NewScenario, Scenario, ScenarioChanges, ScenarioQuery } from './scenarios.schemas.ts'

const maxReferences = 20

export async function listScenarios(tx: TenantTx, actor: UserActor, query: ScenarioQuery): Promise<Page<Scenario>> {
  const page = await listScenarioRows(tx, actor, query)
  return { ...page, items: await presentScenarios(tx, page.items, toViewer(actor)) }
}

export async function getScenario(tx: TenantTx, actor: UserActor, id: string): Promise<Scenario> {
  const scenario = await findScenario(tx, id)
  if (!scenario || !canSeeScenario(scenario, actor)) throw notFound('scenario')
  return await presentScenario(tx, actor, scenario)
}

const toViewer = ({ role, userId }: UserActor) => ({ isAuthor: isManagerOrAdmin(role), userId })

async function presentScenario(tx: TenantTx, actor: UserActor, scenario: ScenarioRow): Promise<Scenario> {
  const [presented] = await presentScenarios(tx, [scenario], toViewer(actor))
  return presented!
}

export async function createScenario(tx: TenantTx, actor: UserActor, input: NewScenario): Promise<Scenario> {
  assertValidRubric(input.rubric)
  await lockKnownPersona(tx, input.persona_id)
  const scenario = await insertScenario(tx, {
    ...input,
    id: newId(),
    rubric: JSON.stringify(completeCriteria(input.rubric)),
    owner_id: actor.userId,
    created_by: actor.userId,
    search_text: searchTextOf(input),
  })
  await recordAudit(tx, 'coaching_scenario.created', { id: scenario.id, label: scenario.title, after: scenario })
  await emit(tx, scenarioCreated, scenario, { title: scenario.title })
  return await presentScenario(tx, actor, scenario)
}

type UpdateInput = { changes: ScenarioChanges; expectedVersion?: number }

export async function updateScenario(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: { rubric, ...requested }, expectedVersion }: UpdateInput,
): Promise<Scenario> {
  const scenario = await lockScenario(tx, id)
  assertVersion(scenario, expectedVersion)
  if (rubric) assertValidRubric(rubric)
  const changes: Partial<ScenarioRow> = changedFields(scenario, {
    ...requested,
    ...(rubric && { rubric: completeCriteria(rubric) }),
  })
  if (changes.status) assertScenarioTransition(scenario, changes.status)
  if (changes.owner_id) await assertAssignable(tx, changes.owner_id)
  Object.assign(changes, await checkPersona(tx, scenario, changes))
  if (!Object.keys(changes).length) return await presentScenario(tx, actor, scenario)

  const updated = await updateScenarioRow(tx, id, {
    ...changes,
    ...(changes.rubric && {
      rubric: JSON.stringify(changes.rubric),
      rubric_version: scenario.rubric_version + 1,
    }),
    search_text: searchTextOf({ ...scenario, ...changes }),
  } as object)
  await recordAudit(tx, 'coaching_scenario.updated', { id, label: updated.title, before: scenario, after: updated })
  await emit(tx, scenarioUpdated, updated, { changed: Object.keys(changes) })
  if (changes.status === 'published') await emit(tx, scenarioPublished, updated, {})
  if (changes.status === 'archived') await emit(tx, scenarioArchived, updated, {})
  return await presentScenario(tx, actor, updated)
}

/** Checks the persona of the changed scenario. A persona that was deleted while the scenario was archived is removed. */
async function checkPersona(
  tx: TenantTx,
  scenario: ScenarioRow,
  changes: Partial<ScenarioRow>,
): Promise<Partial<ScenarioRow>> {
  const { status, persona_id } = { ...scenario, ...changes }
  if (status === 'archived' && !changes.persona_id) return {}
  if (changes.persona_id) await lockKnownPersona(tx, changes.persona_id)
  const persona = persona_id === null ? undefined : await lockPersonaShared(tx, persona_id)
  if (changes.status || 'persona_id' in changes) assertPublishable(status, persona)
  return persona_id !== null && !persona ? { persona_id: null } : {}
}

async function lockKnownPersona(tx: TenantTx, personaId: string | null | undefined): Promise<void> {
  if (personaId && !(await lockPersonaShared(tx, personaId))) throw unknownReference('/persona_id', 'persona')
}

export async function assertPersonaUnused(tx: TenantTx, { id }: PersonaRow): Promise<void> {
  const references = await listScenariosOfPersona(tx, id, maxReferences)
  if (references.length)
    throw conflict('in_use', 'Scenarios use this persona. Archive them or choose another persona for them first.', {
      references: references.map((scenario) => ({ ...scenario, type: 'coaching_scenario' })),
    })
}

type DeleteInput = { assertUnused: readonly AssertScenarioUnused[]; expectedVersion?: number; now: Date }

export async function deleteScenario(
  tx: TenantTx,
  id: string,
  { assertUnused, expectedVersion, now }: DeleteInput,
): Promise<void> {
  const scenario = await lockScenario(tx, id)
  assertVersion(scenario, expectedVersion)
  for (const assertUnusedBy of assertUnused) await assertUnusedBy(tx, scenario)
  if (await hasSessions(tx, id)) await updateScenarioRow(tx, id, { deleted_at: now })
  else await deleteScenarioRow(tx, id)
  await recordAudit(tx, 'coaching_scenario.deleted', { id, label: scenario.title, before: scenario })
  await emit(tx, scenarioDeleted, scenario, {})
}

const searchTextOf = ({ title, description }: { title: string; description?: string | null }) =>
  toSearchText(title, description)

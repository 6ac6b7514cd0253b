import { listVisibleItems } from '#modules/library'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type Page, type TenantTx, violatedConstraint, withSavepoint } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { personaCreated, personaDeleted, personaUpdated } from '../coaching.events.ts'
import type { PersonaRow } from './persona-row.ts'
import {
  findPersonaIdByName,
  insertPersona,
  listPersonaRows,
  lockPersona,
  updatePersonaRow,
} from './personas.queries.ts'
import { assertUniqueKeys, presentPersona, toPersonaParts } from './personas.rules.ts'
import type { NewPersona, Persona, PersonaChanges, PersonaFilter } from './personas.schemas.ts'

export async function listPersonas(tx: TenantTx, actor: UserActor, filter: PersonaFilter): Promise<Page<Persona>> {
  const page = await listPersonaRows(tx, filter)
  const isAuthor = isManagerOrAdmin(actor.role)
  return { ...page, items: page.items.map((persona) => presentPersona(persona, { isAuthor })) }
}

export async function createPersona(tx: TenantTx, actor: UserActor, input: NewPersona): Promise<Persona> {
  assertUniqueKeys(input)
  await assertAvatar(tx, input.avatar_item_id)
  const fields = { ...input, ...toJson(toPersonaParts(input)), id: newId(), created_by: actor.userId }
  const persona = await uniquely(tx, input.name, () => insertPersona(tx, fields as Parameters<typeof insertPersona>[1]))
  await recordAudit(tx, 'coaching_persona.created', { id: persona.id, label: persona.name, after: persona })
  await emit(tx, personaCreated, persona, { name: persona.name })
  return presentPersona(persona, { isAuthor: true })
}

type UpdateInput = { changes: PersonaChanges; expectedVersion?: number }

export async function updatePersona(
  tx: TenantTx,
  id: string,
  { changes: requested, expectedVersion }: UpdateInput,
): Promise<Persona> {
  const persona = await lockPersona(tx, id)
  assertVersion(persona, expectedVersion)
  assertUniqueKeys(requested)
  const changes = changedFields(persona, { ...requested, ...toPersonaParts(requested, persona) })
  await assertAvatar(tx, changes.avatar_item_id)
  if (!Object.keys(changes).length) return presentPersona(persona, { isAuthor: true })
  const updated = await uniquely(tx, changes.name ?? persona.name, () =>
    updatePersonaRow(tx, id, toJson(changes) as object),
  )
  await recordAudit(tx, 'coaching_persona.updated', { id, label: updated.name, before: persona, after: updated })
  await emit(tx, personaUpdated, updated, { changed: Object.keys(changes) })
  return presentPersona(updated, { isAuthor: true })
}

/** Throws if scenarios use the persona. */
export type AssertPersonaUnused = (tx: TenantTx, persona: PersonaRow) => Promise<void>

type DeleteInput = { assertUnused: AssertPersonaUnused; expectedVersion?: number; now: Date }

export async function deletePersona(
  tx: TenantTx,
  id: string,
  { assertUnused, expectedVersion, now }: DeleteInput,
): Promise<void> {
  const persona = await lockPersona(tx, id)
  assertVersion(persona, expectedVersion)
  await assertUnused(tx, persona)
  await updatePersonaRow(tx, id, { deleted_at: now })
  await recordAudit(tx, 'coaching_persona.deleted', { id, label: persona.name, before: persona })
  await emit(tx, personaDeleted, persona, {})
}

const jsonColumns: readonly string[] = ['traits', 'objections', 'facts', 'voice']

const toJson = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, jsonColumns.includes(name) ? JSON.stringify(value) : value]),
  )

async function assertAvatar(tx: TenantTx, itemId: string | null | undefined): Promise<void> {
  if (!itemId) return
  const [item] = await listVisibleItems(tx, [itemId])
  if (!item) throw unknownReference('/avatar_item_id', 'content item')
}

/** The unique index decides about names, also of concurrent requests. */
async function uniquely<T>(tx: TenantTx, name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await withSavepoint(tx, write)
  } catch (error) {
    if (violatedConstraint(error) !== 'coaching_personas_name_unique') throw error
    const existing_id = await findPersonaIdByName(tx, name)
    throw conflict('already_exists', 'A persona with this name already exists.', { existing_id })
  }
}

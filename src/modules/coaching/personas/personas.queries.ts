import { type Insertable, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import { type Database, decodeCursor, directionOf, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import { notFound } from '#platform/errors'
import { Id } from '#platform/schema'
import { type PersonaRow, personaColumns } from './persona-row.ts'
import type { PersonaFilter } from './personas.schemas.ts'

type Personas = Database['enablement.coaching_personas']

const SortKey = Type.Tuple([Type.String(), Id])

export async function listPersonaRows(
  tx: TenantTx,
  { include_inactive, sort, ...page }: PersonaFilter,
): Promise<Page<PersonaRow>> {
  const order = directionOf(sort, 'name')
  let personas = tx.selectFrom('enablement.coaching_personas').where('deleted_at', 'is', null)
  if (!include_inactive) personas = personas.where('is_active', '=', true)
  let rows = personas
    .select([...personaColumns, 'name_key'])
    .orderBy('name_key', order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit < 51 ? sql.lit(51) : sql.lit(201))
  if (page.cursor) {
    const after = decodeCursor(page.cursor, SortKey, order)
    rows = rows.where((eb) => eb(eb.refTuple('name_key', 'id'), order.after, eb.tuple(...after)))
  } else rows = rows.offset(page.offset)
  const [total, found] = await Promise.all([
    totalOf(tx, personas, page),
    rows.$castTo<PersonaRow & { name_key: string }>().execute(),
  ])
  const result = toPage(found, total, page, ({ name_key, id }) => [name_key, id], order)
  return { ...result, items: result.items.map(({ name_key: _, ...persona }) => persona) }
}

const selectPersona = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('enablement.coaching_personas')
    .select(personaColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$castTo<PersonaRow>()

export const findPersona = (tx: TenantTx, id: string): Promise<PersonaRow | undefined> =>
  selectPersona(tx, id).executeTakeFirst()

export const listPersonasByIds = (tx: TenantTx, ids: readonly string[]): Promise<PersonaRow[]> =>
  tx
    .selectFrom('enablement.coaching_personas')
    .select(personaColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .$castTo<PersonaRow>()
    .execute()

export const lockPersona = (tx: TenantTx, id: string): Promise<PersonaRow> =>
  selectPersona(tx, id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('persona'))

/** Prevents that a persona is deleted while a scenario begins to use it. */
export const lockPersonaShared = (tx: TenantTx, id: string): Promise<PersonaRow | undefined> =>
  selectPersona(tx, id).forShare().executeTakeFirst()

export async function findPersonaIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('enablement.coaching_personas')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

export const insertPersona = (tx: TenantTx, persona: Insertable<Personas>): Promise<PersonaRow> =>
  tx
    .insertInto('enablement.coaching_personas')
    .values(persona)
    .returning(personaColumns)
    .$castTo<PersonaRow>()
    .executeTakeFirstOrThrow()

export const updatePersonaRow = (tx: TenantTx, id: string, fields: Updateable<Personas>): Promise<PersonaRow> =>
  tx
    .updateTable('enablement.coaching_personas')
    .set(fields)
    .where('id', '=', id)
    .returning(personaColumns)
    .$castTo<PersonaRow>()
    .executeTakeFirstOrThrow()

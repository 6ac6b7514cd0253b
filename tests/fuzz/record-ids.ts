import { referencesIn } from '../matrix/calls.ts'
import { fixtures, kinds } from '../matrix/fixtures.ts'
import type { MatrixTenant } from '../matrix/matrix-tenant.ts'
import type { Route } from '../matrix/routes.ts'

type RecordId = { id: string; parent?: string }
export type IdsByKind = Map<string, RecordId[]>

/** Creates records of every kind, which belong to an admin and to a member. */
export async function createRecords(tenant: MatrixTenant): Promise<IdsByKind> {
  const ids: IdsByKind = new Map()
  const { admin, member } = tenant.workspace
  for (const [kind, { parentKind }] of Object.entries(kinds)) {
    const parent = parentKind && (await tenant.sharedRecord(parentKind))
    const records: RecordId[] = []
    for (const owner of [admin.userId, member.userId])
      records.push({ id: await tenant.createRecord(kind, { parent, owner }), parent })
    ids.set(kind, records)
  }
  return ids
}

/** Adds the ids of all lists, above all those of the sample data. */
export async function addListedIds(ids: IdsByKind, { workspace }: MatrixTenant, routes: readonly Route[]) {
  const kindByList = new Map<string, string>()
  for (const { name, url, params } of routes) {
    const kind = params.length === 1 && url.endsWith(`/:${params[0]}`) && fixtures[name]?.path?.[params[0]!]
    const prefix = url.slice(0, url.lastIndexOf('/'))
    const list = routes.find((route) => route.method === 'GET' && [prefix, `${prefix}/`].includes(route.url))
    if (kind && list && !kinds[kind]!.isGlobal && !kindByList.has(list.url)) kindByList.set(list.url, kind)
  }
  for (const [url, kind] of kindByList) {
    const { body } = await workspace.admin.get(`${url}?limit=200`)
    const items: { id?: string }[] = body?.items ?? (Array.isArray(body) ? body : [])
    // In the order of creation, which is the same in every workspace, unlike names.
    const sorted = items.flatMap(({ id }) => id ?? []).toSorted()
    ids.get(kind)?.push(...sorted.map((id) => ({ id })))
  }
}

/** Returns the kinds of record that a field with this name refers to, according to the fixtures. */
export async function listKindsByField(tenant: MatrixTenant): Promise<Map<string, string[]>> {
  const found: [string, string][] = []
  for (const { path = {}, query = {}, body } of Object.values(fixtures)) {
    found.push(...Object.entries(path))
    for (const references of [referencesIn(query), referencesIn(await body?.(tenant))])
      for (const [pointer, { kind }] of references)
        found.push([pointer.split('/').findLast((key) => !/^\d+$/.test(key))!, kind])
  }
  const byField = Map.groupBy(found, ([field]) => field)
  return new Map([...byField].map(([field, pairs]) => [field, [...new Set(pairs.map(([, kind]) => kind))]]))
}

export const missingIds = Array.from({ length: 8 }, (_, n) => `01890000-0000-7000-8000-00000000000${n}`)

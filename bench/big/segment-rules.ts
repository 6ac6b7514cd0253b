import type { BenchWorkspace } from './bench-workspace.ts'

export type SegmentCase = { name: string; object_type: 'lead' | 'contact'; rules: object }

const field = (name: string, op: string, value?: unknown) => ({
  field: name,
  op,
  ...(value !== undefined && { value }),
})
const calls = { fact: 'activity', types: ['call'] }

/** Ten typical segments. `nestedId` is a segment of the workspace. */
export const listSegmentCases = (nestedId: string): SegmentCase[] => [
  { name: 'indexed field', object_type: 'lead', rules: field('status', 'eq', 'qualified') },
  { name: 'custom field', object_type: 'lead', rules: field('custom.bench_tier', 'eq', 'gold') },
  { name: 'activity fact', object_type: 'lead', rules: { ...calls, within_days: 30 } },
  {
    name: 'nested segment',
    object_type: 'lead',
    rules: { all: [{ fact: 'segment', segment_id: nestedId }, field('country', 'eq', 'DE')] },
  },
  {
    name: 'not',
    object_type: 'lead',
    rules: { not: { any: [field('industry', 'eq', 'Retail'), { ...calls, min: 2 }] } },
  },
  {
    name: 'five conditions',
    object_type: 'lead',
    rules: {
      all: [
        field('status', 'in', ['new', 'working']),
        field('score', 'gte', 90),
        field('country', 'eq', 'SE'),
        field('employee_count', 'between', [100, 900]),
        { not: calls },
      ],
    },
  },
  { name: 'contains', object_type: 'lead', rules: field('company', 'contains', 'pany 4242') },
  { name: 'tags', object_type: 'lead', rules: field('tags', 'contains_any', ['vip']) },
  { name: 'date', object_type: 'lead', rules: field('created_at', 'in_last_days', 3) },
  {
    name: 'account field of contacts',
    object_type: 'contact',
    rules: { all: [field('account.industry', 'eq', 'Software'), field('lifecycle_stage', 'eq', 'sql')] },
  },
]

/** Adds a custom field with a value for one of 20 leads and the nested segment, unless an earlier run has added them. */
export async function prepareSegments({ send, tenantId }: BenchWorkspace, query: Query): Promise<string> {
  const isKnown = async (path: string) => (await send({ path })).body.items[0]
  const create = async (path: string, body: object) => (await send({ method: 'POST', path, body })).body
  if (!(await isKnown('/api/custom-fields?object_type=lead'))) {
    const { id } = await create('/api/custom-fields', {
      object_type: 'lead',
      key: 'bench_tier',
      label: 'Bench tier',
      type: 'select',
      options: ['gold', 'silver'].map((key) => ({ key, label: key })),
    })
    await query(fillField, [tenantId, id])
  }
  const segment = { object_type: 'lead', name: 'Bench', rules: field('score', 'gte', 95) }
  return ((await isKnown('/api/segments?object_type=lead')) ?? (await create('/api/segments', segment))).id
}

type Query = (text: string, values: unknown[]) => Promise<unknown>

const fillField = `
  with chosen as (
    select id, case when right(id::text, 2) < '03' then 'gold' else 'silver' end as tier
    from crm.leads where tenant_id = $1 and right(id::text, 2) < '0d'
  ), stored as (
    update crm.leads lead set custom = jsonb_build_object('bench_tier', tier) from chosen where lead.tenant_id = $1 and lead.id = chosen.id
  )
  insert into crm.custom_field_index (tenant_id, field_id, record_id, ord, txt) select $1, $2, id, 0, tier from chosen`

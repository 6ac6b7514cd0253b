import { leadSorts } from '../../src/modules/crm/people/lead-records/leads.schemas.ts'
import type { BenchWorkspace } from './bench-workspace.ts'

/** Result line that a request counts for. */
type Kind = 'list' | 'call' | 'search' | 'frequent' | 'analytics' | 'forecast'

/** Query parameters of the lead list. */
export type ListQuery = Record<string, string>

/** Sends one request and returns its duration in milliseconds. */
export type Measure = () => Promise<number>

export type BenchRequest = {
  name: string
  kind: Kind
  prepare(workspace: BenchWorkspace): Promise<Measure>
  /** Query of the list, for the comparison with plain PostgreSQL. */
  listQuery?(workspace: BenchWorkspace): Promise<ListQuery>
}

export const listPath = (query: ListQuery) => `/api/leads/?${new URLSearchParams(query)}`

function list(
  name: string,
  query: (workspace: BenchWorkspace) => ListQuery | Promise<ListQuery>,
  kind: Kind = 'list',
): BenchRequest {
  return {
    name,
    kind,
    listQuery: async (workspace) => query(workspace),
    async prepare(workspace) {
      const path = listPath(await query(workspace))
      return async () => (await workspace.send({ path })).durationMs
    },
  }
}

const deepPages = 50

/** Returns the cursor after 5,000 leads. */
async function deepCursor({ send }: BenchWorkspace): Promise<ListQuery> {
  let cursor = ''
  for (let page = 0; page < deepPages; page++) {
    const { body } = await send({ path: listPath({ limit: '100', count: 'none', ...(cursor && { cursor }) }) })
    cursor = body.next_cursor!
  }
  return { cursor }
}

let leadCount = 0
const newLead = () => {
  const n = ++leadCount
  const name = { first_name: 'Bench', last_name: `Number${n}`, company: `Bench ${process.pid}-${n}` }
  return { ...name, email: `n${n}@bench${process.pid}-${n}.example`, title: 'Head of Sales', source: 'web' }
}
const createLead = { method: 'POST', path: '/api/leads/' }

const get = (name: string, path: (workspace: BenchWorkspace) => string, kind: Kind = 'call'): BenchRequest => ({
  name,
  kind,
  prepare: async (workspace) => async () => (await workspace.send({ path: path(workspace) })).durationMs,
})

/** Measures with a change that is not in the rollups yet, as in any active workspace. */
const getAfterChange = (name: string, path: string, kind: Kind): BenchRequest => ({
  name,
  kind,
  async prepare(workspace) {
    await workspace.send({ ...createLead, body: newLead() })
    return async () => (await workspace.send({ path })).durationMs
  },
})

const dateInDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!

export const benchRequests: BenchRequest[] = [
  list('default list', () => ({})),
  list('by status', () => ({ status: 'working' })),
  list('by two statuses', () => ({ status: 'new,working' })),
  list('by owner', ({ leads }) => ({ owner_id: leads.find(({ owner_id }) => owner_id)!.owner_id! })),
  list('by grade and scores', () => ({ grade: 'B', score_min: '45', score_max: '65' })),
  list('by scores', () => ({ score_min: '45', score_max: '65' })),
  ...leadSorts.slice(1).map((sort) => list(`sorted by ${sort}`, () => ({ sort }))),
  list('by status, sorted by name', () => ({ status: 'working', sort: 'name' })),
  list('deep page', deepCursor),
  get('single lead', ({ leads }) => `/api/leads/${pick(leads).id}`),
  {
    name: 'create',
    kind: 'call',
    prepare: async (workspace) => async () => (await workspace.send({ ...createLead, body: newLead() })).durationMs,
  },
  {
    name: 'convert',
    kind: 'call',
    prepare: async (workspace) => async () => {
      const { body } = await workspace.send({ ...createLead, body: newLead() })
      return (await workspace.send({ method: 'POST', path: `/api/leads/${body.id}/convert`, body: {} })).durationMs
    },
  },
  getAfterChange('kpis', '/api/leads/kpis', 'call'),
  list('search, rare name', ({ leads }) => ({ search: leads[0]!.name_key }), 'search'),
  // The number of matches grows with the number of leads.
  list('search, match in one of 400', () => ({ search: 'lindstr' }), 'frequent'),
  getAfterChange('analytics', '/api/leads/analytics', 'analytics'),
  get(
    'forecast of all open deals',
    () => `/api/opportunities/forecast?from=${dateInDays(-1)}&to=${dateInDays(190)}`,
    'forecast',
  ),
]

import { sorts } from '../../src/modules/crm/leads/leads.schemas.ts'
import type { Workspace } from './workspaces.ts'

/** Which line of the result a question counts for. */
type Kind = 'list' | 'call' | 'search' | 'frequent' | 'analytics' | 'forecast'

/** A query of the list as it stands in its address. */
export type Listed = Record<string, string>
type Prepared = () => Promise<number>
export type Question = {
  name: string
  kind: Kind
  /** Gets ready, and gives back what is measured: one request, in milliseconds. */
  prepare(workspace: Workspace): Promise<Prepared>
  /** The same list as a query, to be asked of PostgreSQL alone. */
  listed?(workspace: Workspace): Promise<Listed>
}

export const pathOf = (query: Listed) => `/api/leads/?${new URLSearchParams(query)}`

function list(name: string, query: (workspace: Workspace) => Listed | Promise<Listed>, kind: Kind = 'list'): Question {
  return {
    name,
    kind,
    listed: async (workspace) => query(workspace),
    async prepare(workspace) {
      const path = pathOf(await query(workspace))
      return async () => (await workspace.ask({ path })).took
    },
  }
}

const deepPages = 50

/** The cursor of a page that lies 5,000 leads down. */
async function deepCursor({ ask }: Workspace): Promise<Listed> {
  let cursor = ''
  for (let page = 0; page < deepPages; page++) {
    const { answer } = await ask({ path: pathOf({ limit: '100', count: 'none', ...(cursor && { cursor }) }) })
    cursor = answer.next_cursor!
  }
  return { cursor }
}

let number = 0
const newLead = () => {
  const n = ++number
  const name = { first_name: 'Bench', last_name: `Number${n}`, company: `Bench ${process.pid}-${n}` }
  return { ...name, email: `n${n}@bench${process.pid}-${n}.example`, title: 'Head of Sales', source: 'web' }
}
const capture = { method: 'POST', path: '/api/leads/' }

const call = (name: string, path: (workspace: Workspace) => string, kind: Kind = 'call'): Question => ({
  name,
  kind,
  prepare: async (workspace) => async () => (await workspace.ask({ path: path(workspace) })).took,
})

/** Asked while the day is marked, as in any workspace where somebody works: what changed just now is counted live. */
const counts = (name: string, path: string, kind: Kind): Question => ({
  name,
  kind,
  async prepare(workspace) {
    await workspace.ask({ ...capture, body: newLead() })
    return async () => (await workspace.ask({ path })).took
  },
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const anyOf = <T>(some: readonly T[]): T => some[Math.floor(Math.random() * some.length)]!

export const questions: Question[] = [
  list('default list', () => ({})),
  list('by status', () => ({ status: 'working' })),
  list('by two statuses', () => ({ status: 'new,working' })),
  list('by owner', ({ leads }) => ({ owner_id: leads.find(({ owner_id }) => owner_id)!.owner_id! })),
  list('by grade and scores', () => ({ grade: 'B', score_min: '45', score_max: '65' })),
  list('by scores', () => ({ score_min: '45', score_max: '65' })),
  ...sorts.slice(1).map((sort) => list(`sorted by ${sort}`, () => ({ sort }))),
  list('by status, sorted by name', () => ({ status: 'working', sort: 'name' })),
  list('deep page', deepCursor),
  call('single lead', ({ leads }) => `/api/leads/${anyOf(leads).id}`),
  {
    name: 'create',
    kind: 'call',
    prepare: async (workspace) => async () => (await workspace.ask({ ...capture, body: newLead() })).took,
  },
  {
    name: 'convert',
    kind: 'call',
    prepare: async (workspace) => async () => {
      const { answer } = await workspace.ask({ ...capture, body: newLead() })
      return (await workspace.ask({ method: 'POST', path: `/api/leads/${answer.id}/convert`, body: {} })).took
    },
  },
  counts('kpis', '/api/leads/kpis', 'call'),
  list('search, a name few have', ({ leads }) => ({ search: leads[0]!.name_key }), 'search'),
  // Of a hundred times the leads a hundred times as many have it.
  list('search, a part one in 400 has', () => ({ search: 'lindstr' }), 'frequent'),
  counts('analytics', '/api/leads/analytics', 'analytics'),
  call(
    'forecast of all open deals',
    () => `/api/opportunities/forecast?from=${inDays(-1)}&to=${inDays(190)}`,
    'forecast',
  ),
]

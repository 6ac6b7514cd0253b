import { type Action, type Resource, resources, type Scope } from './scopes.ts'

export const roles = ['admin', 'manager', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

export const isManagerOrAdmin = (role: Role): boolean => role === 'manager' || role === 'admin'

/** R, W, D: read, write, delete all records; d: delete own records only; -: no access. */
const rights: Record<Resource, Record<Exclude<Role, 'admin'>, string>> = {
  users: { manager: 'R', member: 'R', viewer: 'R' },
  teams: { manager: 'RWD', member: 'R', viewer: 'R' },
  leads: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  contacts: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  accounts: { manager: 'RWD', member: 'RW', viewer: 'R' },
  opportunities: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  tasks: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  campaigns: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  cadences: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  custom_fields: { manager: 'RWD', member: 'RW', viewer: 'R' },
  segments: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  enrichment: { manager: 'RWD', member: 'RW', viewer: 'R' },
  surveys: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  community: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  content: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  collections: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  rooms: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  coaching: { manager: 'RWD', member: 'RW', viewer: 'R' },
  learning: { manager: 'RWD', member: 'RW', viewer: 'R' },
  pitch: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  experts: { manager: 'RWD', member: 'RW', viewer: 'R' },
  insights: { manager: 'RWD', member: 'R', viewer: 'R' },
  plg: { manager: 'RWD', member: 'R', viewer: 'R' },
  admin: { manager: '-', member: '-', viewer: '-' },
  webhooks: { manager: 'RWD', member: 'R', viewer: 'R' },
  quotes: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  orders: { manager: 'RWD', member: 'RW', viewer: 'R' },
  contracts: { manager: 'RWD', member: 'RW', viewer: 'R' },
  invoices: { manager: 'RWD', member: 'R', viewer: 'R' },
  renewals: { manager: 'RWD', member: 'RW', viewer: 'R' },
  customers: { manager: 'RWD', member: 'RW', viewer: 'R' },
  support: { manager: 'RWD', member: 'RW', viewer: 'R' },
  compensation: { manager: 'RWD', member: 'R', viewer: 'R' },
  rfx: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  workflows: { manager: 'RWD', member: 'R', viewer: 'R' },
  agents: { manager: 'RWD', member: 'RW', viewer: 'R' },
  reports: { manager: 'RWD', member: 'RWd', viewer: 'R' },
  integrations: { manager: 'RWD', member: 'R', viewer: 'R' },
}
const letters: Record<Action, string> = { read: 'R', write: 'W', delete: 'D' }

function rightsOf(role: Role): Map<Scope, 'all' | 'own'> {
  const granted = new Map<Scope, 'all' | 'own'>()
  for (const resource of resources) {
    const permissions = role === 'admin' ? 'RWD' : rights[resource][role]
    for (const action of ['read', 'write', 'delete'] as const) {
      if (permissions.includes(letters[action])) granted.set(`${resource}.${action}`, 'all')
      else if (permissions.includes(letters[action].toLowerCase())) granted.set(`${resource}.${action}`, 'own')
    }
  }
  return granted
}

export const roleScopes: Record<Role, ReadonlyMap<Scope, 'all' | 'own'>> = {
  admin: rightsOf('admin'),
  manager: rightsOf('manager'),
  member: rightsOf('member'),
  viewer: rightsOf('viewer'),
}

const allScopesOf = (role: Role): ReadonlySet<Scope> => new Set(roleScopes[role].keys())

const scopesOf: Record<Role, ReadonlySet<Scope>> = {
  admin: allScopesOf('admin'),
  manager: allScopesOf('manager'),
  member: allScopesOf('member'),
  viewer: allScopesOf('viewer'),
}

export const scopesOfRole = (role: Role): ReadonlySet<Scope> => scopesOf[role]

type OwnedRecord = { owner_id?: string | null; created_by?: string | null }

type RecordUser = { role: Role; userId: string; scopes: ReadonlySet<Scope> }

/** Whether the scope covers this record. Records without an owner belong to their creator. */
export function canAccess({ role, userId, scopes }: RecordUser, scope: Scope, record: OwnedRecord): boolean {
  // An API key has the role of its creator but possibly fewer scopes.
  const reach = scopes.has(scope) ? roleScopes[role].get(scope) : undefined
  return reach === 'all' || (reach === 'own' && (record.owner_id ?? record.created_by) === userId)
}

/** Their records have an audience, an author or a state that hides them from other users: drafts, practice, requests, links. */
const resourcesWithHiddenRecords: readonly Resource[] = [
  'community',
  'content',
  'collections',
  'rooms',
  'coaching',
  'learning',
  'pitch',
  'experts',
  'insights',
]

/** Whether every record of the resource is visible with its read scope. */
export const seesAllRecords = (role: Role, resource: Resource): boolean =>
  isManagerOrAdmin(role) || !resourcesWithHiddenRecords.includes(resource)

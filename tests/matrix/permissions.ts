// Permissions, deliberately repeated here: if they were read from the product code, its mistakes would be expected results.
import type { Role } from '#platform/access'

const actions = ['read', 'write', 'delete'] as const

/** R, W, D: read, write, delete; d: delete own records only. Admins have all permissions. */
const permissions: Record<string, [manager: string, member: string, viewer: string]> = {
  users: ['R', 'R', 'R'],
  teams: ['RWD', 'R', 'R'],
  leads: ['RWD', 'RWd', 'R'],
  contacts: ['RWD', 'RWd', 'R'],
  accounts: ['RWD', 'RW', 'R'],
  opportunities: ['RWD', 'RWd', 'R'],
  tasks: ['RWD', 'RWd', 'R'],
  campaigns: ['RWD', 'RWd', 'R'],
  cadences: ['RWD', 'RWd', 'R'],
  custom_fields: ['RWD', 'RW', 'R'],
  segments: ['RWD', 'RWd', 'R'],
  enrichment: ['RWD', 'RW', 'R'],
  surveys: ['RWD', 'RWd', 'R'],
  community: ['RWD', 'RWd', 'R'],
  content: ['RWD', 'RWd', 'R'],
  collections: ['RWD', 'RWd', 'R'],
  rooms: ['RWD', 'RWd', 'R'],
  coaching: ['RWD', 'RW', 'R'],
  learning: ['RWD', 'RW', 'R'],
  pitch: ['RWD', 'RWd', 'R'],
  experts: ['RWD', 'RW', 'R'],
  insights: ['RWD', 'R', 'R'],
  plg: ['RWD', 'R', 'R'],
  admin: ['', '', ''],
  webhooks: ['RWD', 'R', 'R'],
  quotes: ['RWD', 'RWd', 'R'],
  orders: ['RWD', 'RW', 'R'],
  contracts: ['RWD', 'RW', 'R'],
  invoices: ['RWD', 'R', 'R'],
  renewals: ['RWD', 'RW', 'R'],
  customers: ['RWD', 'RW', 'R'],
  support: ['RWD', 'RW', 'R'],
  compensation: ['RWD', 'R', 'R'],
  rfx: ['RWD', 'RWd', 'R'],
  workflows: ['RWD', 'R', 'R'],
  agents: ['RWD', 'RW', 'R'],
  reports: ['RWD', 'RWd', 'R'],
  integrations: ['RWD', 'R', 'R'],
}

/** Resources that are not in the contract. */
const addedPermissions: typeof permissions = {}

const resourceByPrefix: Record<string, string> = {
  '/api/users': 'users',
  '/api/auth/me': 'users',
  '/api/home': 'users',
  '/api/search': 'users',
  '/api/teams': 'teams',
  '/api/leads': 'leads',
  '/api/activities': 'leads',
  '/api/deleted-records': 'leads',
  '/api/contacts': 'contacts',
  '/api/accounts': 'accounts',
  '/api/opportunities': 'opportunities',
  '/api/tasks': 'tasks',
  '/api/campaigns': 'campaigns',
  '/api/cadences': 'cadences',
  '/api/custom-fields': 'custom_fields',
  '/api/segments': 'segments',
  '/api/enrichment': 'enrichment',
  '/api/surveys': 'surveys',
  '/api/community': 'community',
  '/api/enablement/content': 'content',
  '/api/enablement/collections': 'collections',
  '/api/enablement/rooms': 'rooms',
  '/api/enablement/coaching': 'coaching',
  '/api/enablement/learning': 'learning',
  '/api/enablement/pitch': 'pitch',
  '/api/enablement/experts': 'experts',
  '/api/enablement/insights': 'insights',
  '/api/enablement/readiness': 'insights',
  '/api/tenant/plg': 'plg',
  '/api/admin': 'admin',
  '/api/health/audit': 'admin',
  '/api/webhooks': 'webhooks',
  '/api/connected-apps': 'integrations',
}

export const contractResources = Object.keys(permissions)
const permissionsOf = { ...permissions, ...addedPermissions }
export const resources = Object.keys(permissionsOf)
export const allScopes = resources.flatMap((resource) => actions.map((action) => `${resource}.${action}`))
/** Each covers one action on all resources. */
export const wildcards = actions.map((action) => `crm.${action}`)

export const expandScope = (scope: string): string[] =>
  scope.startsWith('crm.') ? resources.map((resource) => `${resource}${scope.slice('crm'.length)}`) : [scope]

export function scopesOfRole(role: Role): ReadonlySet<string> {
  if (role === 'admin') return new Set(allScopes)
  const column = { manager: 0, member: 1, viewer: 2 }[role]
  const isGranted = (scope: string) => {
    const [resource = '', action = ''] = scope.split('.')
    return permissionsOf[resource]![column]!.toLowerCase().includes(action[0]!)
  }
  return new Set(allScopes.filter(isGranted))
}

const actionOf: Record<string, string> = { GET: 'read', HEAD: 'read', DELETE: 'delete' }

/** Returns the scope of a path and method, or undefined if any signed-in user may call it. */
export function requiredScope(method: string, url: string): string | undefined {
  const path = url.replace(/\/$/, '')
  const matching = Object.keys(resourceByPrefix).filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  const longest = matching.sort((one, other) => other.length - one.length)[0]
  return longest && `${resourceByPrefix[longest]}.${actionOf[method] ?? 'write'}`
}

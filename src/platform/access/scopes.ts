export const actions = ['read', 'write', 'delete'] as const
export type Action = (typeof actions)[number]

/** Noun phrases for the descriptions of scopes; null marks a resource whose module does not exist yet. */
const resourceNames = {
  users: 'users and their profiles',
  teams: 'teams and their members',
  leads: 'leads',
  contacts: 'contacts',
  accounts: 'accounts',
  opportunities: 'deals and pipelines',
  tasks: 'background tasks',
  campaigns: 'campaigns and their members',
  cadences: 'cadences, their steps and enrollments',
  custom_fields: 'custom fields and their values',
  segments: 'segments, their members and flows',
  enrichment: 'enrichment of records and its settings',
  surveys: 'surveys, their invitations and responses',
  community: 'threads and replies in community rooms',
  content: 'sales content, its files and views',
  collections: 'collections of content',
  rooms: 'rooms that are shared with buyers',
  coaching: 'coaching: personas, scenarios, sessions and roleplays',
  learning: 'learning paths, enrollments, quizzes and certificates',
  pitch: 'pitch practice: prompts, submissions, reviews and comments',
  experts: 'experts and requests to them',
  insights: 'insights and readiness of sellers',
  plg: 'product usage: events, analytics and qualified leads',
  admin: 'workspace settings, the audit log and system health',
  webhooks: 'webhook endpoints and their deliveries',
  quotes: null,
  orders: null,
  contracts: null,
  invoices: null,
  renewals: null,
  customers: null,
  support: null,
  compensation: null,
  rfx: null,
  workflows: null,
  agents: null,
  reports: null,
  integrations: 'connected apps',
} as const

export type Resource = keyof typeof resourceNames
export type Scope = `${Resource}.${Action}`
/** `crm.read` grants every read scope, `crm.write` every write scope, and so on. */
export type Wildcard = `crm.${Action}`

export const resources = Object.keys(resourceNames) as Resource[]
export const scopes = resources.flatMap((resource) => actions.map((action): Scope => `${resource}.${action}`))

const verbs = { read: 'Read', write: 'Create and update', delete: 'Delete' } as const

export const describeResource = (resource: Resource): string | null => resourceNames[resource]

/** Whether a scope grants access to anything: others are reserved for modules that do not exist yet. */
export const grantsAccess = (scope: Scope): boolean => resourceNames[scope.split('.')[0] as Resource] !== null

export function describeScope(scope: Scope): string {
  const [resource, action] = scope.split('.') as [Resource, Action]
  const name = resourceNames[resource]
  return name ? `${verbs[action]} ${name}` : 'Reserved, grants no access yet'
}

const resourceByPrefix: [prefix: string, resource: Resource][] = Object.entries({
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
} satisfies Record<string, Resource>).sort(([a], [b]) => b.length - a.length)

const actionByMethod: Record<string, Action> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'delete',
}

export function baselineScope(method: string, url: string): Scope | undefined {
  const match = resourceByPrefix.find(([prefix]) => url === prefix || url.startsWith(`${prefix}/`))
  const action = actionByMethod[method]
  return match && action && `${match[1]}.${action}`
}

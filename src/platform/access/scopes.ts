export const actions = ['read', 'write', 'delete'] as const
export type Action = (typeof actions)[number]

/** What each resource is, in the words an administrator reads when granting a scope. */
const meaning = {
  users: 'people and their profiles',
  teams: 'teams',
  leads: 'leads',
  contacts: 'contacts',
  accounts: 'accounts',
  opportunities: 'opportunities',
  tasks: 'background tasks',
  campaigns: 'campaigns',
  cadences: 'cadences',
  custom_fields: 'custom fields and their values',
  segments: 'segments',
  enrichment: 'enrichment jobs and settings',
  surveys: 'surveys and their answers',
  community: 'community threads and replies',
  content: 'content items and files',
  collections: 'content collections',
  rooms: 'deal rooms',
  coaching: 'coaching personas, scenarios and sessions',
  learning: 'learning paths and enrollments',
  pitch: 'pitch prompts and submissions',
  experts: 'experts and requests to them',
  insights: 'enablement insights and readiness',
  plg: 'product-usage events and analytics',
  admin: 'workspace administration',
  webhooks: 'webhook endpoints and deliveries',
  quotes: 'quotes',
  orders: 'orders',
  contracts: 'contracts',
  invoices: 'invoices',
  renewals: 'renewals',
  customers: 'customers',
  support: 'support cases',
  compensation: 'compensation statements',
  rfx: 'requests for proposal',
  workflows: 'workflows',
  agents: 'agents',
  reports: 'reports',
  integrations: 'connected apps',
} as const

export type Resource = keyof typeof meaning
export type Scope = `${Resource}.${Action}`
/** `crm.read` grants reading everywhere, and so on. */
export type Wildcard = `crm.${Action}`

export const resources = Object.keys(meaning) as Resource[]
export const scopes = resources.flatMap((resource) => actions.map((action): Scope => `${resource}.${action}`))

const verbOf = { read: 'See', write: 'Create and change', delete: 'Delete' } as const

/** The sentence an administrator reads when granting the scope. */
export function meaningOf(scope: Scope): string {
  const [resource, action] = scope.split('.') as [Resource, Action]
  return `${verbOf[action]} ${meaning[resource]}`
}

/** Longest prefix first, so that `/api/health/audit` is not taken for something shorter. */
const resourceAt: [prefix: string, resource: Resource][] = Object.entries({
  '/api/users': 'users',
  '/api/auth/me': 'users',
  '/api/teams': 'teams',
  '/api/leads': 'leads',
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
} satisfies Record<string, Resource>).sort(([one], [other]) => other.length - one.length)

const actionOf: Record<string, Action> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'delete',
}

/** The scope a route must at least ask for, as its path and method say; undefined where no resource is at that path. */
export function baselineScope(method: string, url: string): Scope | undefined {
  const found = resourceAt.find(([prefix]) => url === prefix || url.startsWith(`${prefix}/`))
  const action = actionOf[method]
  return found && action && `${found[1]}.${action}`
}

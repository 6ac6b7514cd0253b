type Layers = string[][]

/** Layers of each area, lowest area first. The folders of `outside` are in no area, and above all areas. */
type Areas = Record<string, Layers>

/** Folders of the modules, lowest layer first. A folder imports only folders of lower layers; `src/modules.test.ts` checks it. */
const modules: Record<string, Layers | Areas> = {
  identity: {
    workspace: [
      ['notifications', 'preferences', 'record-search', 'sessions', 'teams', 'tenants'],
      ['settings'],
      ['home', 'user-records'],
    ],
    credentials: [
      ['api-keys', 'oidc', 'throttles', 'tokens'],
      ['connected-apps', 'emails', 'request-auth'],
      ['passwords'],
    ],
    users: [
      ['user-profile', 'users'],
      ['forecast-users', 'operator', 'user-access', 'user-erasure'],
    ],
    'sign-in': [
      ['login', 'own-sessions'],
      ['current-session', 'impersonation', 'user-activity'],
      ['pages', 'registration', 'sso'],
    ],
    outside: [['integrity', 'sample-data']],
  },
  crm: {
    records: [
      ['person-keys', 'settings', 'system-activities'],
      ['custom-values'],
      ['fields'],
      ['references', 'removal'],
      ['filters'],
    ],
    people: [
      ['lead-records'],
      ['assignment', 'lead-sources', 'scoring', 'sla'],
      ['consent'],
      ['contacts', 'suppressions'],
      ['accounts'],
      ['duplicates'],
      ['leads'],
    ],
    deals: [['pipelines'], ['forecast', 'opportunities'], ['deal-board', 'deal-contacts']],
    work: [
      ['activities', 'analytics', 'bulk', 'deleted-records', 'profile'],
      ['ai-drafts', 'contact-bulk', 'convert', 'home', 'lead-bulk', 'merge'],
    ],
    lookup: [['custom-fields', 'enriched-values', 'persons', 'record-rules', 'record-search', 'record-summaries']],
    exchange: [['record-columns'], ['exports', 'import-mapping'], ['import-records'], ['imports']],
    privacy: [['erasure'], ['erasure-preview']],
    outside: [['integrity', 'sample-data']],
  },
  email: [['erasure', 'policies', 'templates'], ['messages'], ['unsubscribe']],
  marketing: {
    segments: [
      ['segments'],
      ['continuous-enrollment', 'rule-fields', 'segment-counts', 'segment-members'],
      ['segment-preview'],
    ],
    campaigns: [['campaigns'], ['attribution'], ['campaign-members']],
    cadences: [
      ['cadence-records'],
      ['cadence-runs', 'cadence-senders', 'cadence-tracking'],
      ['cadence-checks', 'cadence-enrollments', 'cadence-tasks', 'cadence-templates', 'cadences'],
      ['cadence-restore', 'cadence-sending'],
    ],
    outside: [['enrichment', 'home', 'record-search', 'sample-data']],
  },
  surveys: {
    design: [
      ['counters', 'settings', 'translations'],
      ['question-records'],
      ['conditions', 'survey-records'],
      ['links', 'questions', 'scores'],
    ],
    sending: [['invitation-tokens', 'invitations'], ['survey-emails'], ['distributions']],
    responses: [['answers', 'effects'], ['anonymity'], ['responses'], ['surveys'], ['respond'], ['survey-pages']],
    results: [['analytics', 'erasure', 'exports', 'maintenance']],
    outside: [['integrity', 'sample-data']],
  },
  community: [
    ['suspensions'],
    ['rooms'],
    ['posts'],
    ['readers'],
    ['threads'],
    ['replies'],
    ['following', 'moderation', 'public-threads'],
    ['maintenance', 'reports'],
    ['erasure', 'integrity', 'sample-data'],
  ],
  plg: [
    ['settings', 'usage-store'],
    ['states'],
    ['actors', 'edit-settings', 'event-names', 'integrity', 'rebuild', 'rule-facts'],
    ['links'],
    ['ingest', 'qualifications'],
    ['analytics', 'erasure', 'maintenance', 'sample-data'],
  ],
  operations: [
    ['archives'],
    [
      'architecture',
      'audit-log',
      'backups',
      'code-viewer',
      'erasure',
      'integrity',
      'retention',
      'slow-queries',
      'system-stats',
      'tasks',
      'webhook-endpoints',
      'webhook-payloads',
    ],
    ['restore', 'webhook-catalogue', 'webhook-dispatch'],
    ['clean-data', 'webhook-deliveries'],
    ['health', 'sample-data'],
  ],
  library: [
    ['erasure', 'sample-files', 'views'],
    ['content', 'facts'],
    ['analytics', 'collections', 'files', 'schedules'],
    ['integrity', 'sample-data'],
  ],
  rooms: [
    ['facts', 'records', 'search', 'visit-records'],
    ['alerts', 'links', 'plan'],
    ['items', 'previews'],
    ['analytics', 'home', 'visits'],
    ['integrity', 'pages', 'rooms'],
    ['sample-data'],
  ],
  coaching: [
    ['criteria', 'facts', 'personas', 'practice-audit', 'settings'],
    ['scenarios'],
    ['buyer', 'presets', 'sessions'],
    ['roleplays', 'stats'],
    ['integrity', 'sample-data', 'voice'],
  ],
  pitches: [
    ['facts', 'prompts'],
    ['submissions'],
    ['comments', 'evaluation', 'integrity', 'reviews', 'videos'],
    ['sample-data'],
  ],
  learning: [
    ['cycles', 'records'],
    ['certificates', 'facts', 'quizzes'],
    ['progress'],
    ['attempts', 'enrollments', 'modules'],
    ['absence', 'integrity', 'paths'],
    ['sample-data'],
  ],
  experts: [['facts', 'records'], ['requests'], ['directory', 'integrity'], ['sample-data']],
  insights: [['integrity', 'readiness'], ['profile', 'report'], ['sample-data']],
}

export const areasOf = (module: string): string[] => {
  const layers = modules[module] ?? []
  return Array.isArray(layers) ? [] : Object.keys(layers).filter((area) => area !== 'outside')
}

/** Folders as paths below their module: `people/leads` in an area, `leads` in a module without areas. */
const pathsOf = (layers: Layers | Areas): Layers =>
  Array.isArray(layers)
    ? layers
    : Object.entries(layers).flatMap(([area, inArea]) =>
        area === 'outside' ? inArea : inArea.map((layer) => layer.map((folder) => `${area}/${folder}`)),
      )

export const moduleLayers: Record<string, Layers> = Object.fromEntries(
  Object.entries(modules).map(([module, layers]) => [module, pathsOf(layers)]),
)

const plurals = { lead: 'leads', contact: 'contacts', account: 'accounts', opportunity: 'opportunities' } as const

type TimelineRecord = { type: keyof typeof plurals; id: string }
type EnrolledPerson = { type: 'lead' | 'contact'; id: string }

/**
 * The keys of all cached responses. Each is written here and read by one query, because two contents under one key would
 * replace each other. A shorter key stands for all that begin with it. Those of areas that the first pages do not read are in
 * `area-keys.ts`, which loads later.
 */
export const queryKeys = {
  me: ['me'],
  preferences: ['preferences'],
  home: ['home'],
  openTasks: {
    all: ['open-tasks'],
    activities: ['open-tasks', 'activities'],
    ofCadences: ['open-tasks', 'cadences'],
    text: (activityId: string) => ['open-tasks', 'text', activityId],
  },
  search: (text: string) => ['search', text],
  accountSearch: (text: string) => ['accounts', 'search', text],
  contactSearch: (accountId: string, text: string) => ['contacts', 'search', accountId, text],
  campaignSearch: (text: string) => ['campaigns', 'search', text],
  campaignName: (id: string) => ['campaigns', 'name', id],
  signInProviders: ['sign-in-providers'],
  pipelines: ['pipelines'],
  leadSources: ['lead-sources'],
  scoringWeights: ['scoring-weights'],
  standardFields: (objectType: string) => ['standard-fields', objectType],
  customFields: (objectType: string) => ['custom-fields', objectType],
  deletedRecords: (type: string) => ['deleted-records', type],
  hotRooms: ['rooms', 'hot'],
  fixedChoices: (owner: string, text: string) => ['fixed-choices', owner, text],
  recordChoices: (kind: string, text: string) => ['record-choices', kind, text],
  recordName: (kind: string, id: string) => ['record-names', kind, id],
  ruleValues: (owner: string, text: string) => ['segments', 'rule-values', owner, text],
  accountMatches: (domain: string | null, company: string | null) => ['accounts', 'matches', domain, company],
  timeline: ({ type, id }: TimelineRecord) => [plurals[type], id, 'activities'],
  enrollments: ({ type, id }: EnrolledPerson) => [type === 'lead' ? 'leads' : 'contacts', id, 'enrollments'],
  leads: {
    all: ['leads'],
    lists: ['leads', 'list'],
    list: (query: object) => ['leads', 'list', query],
    detail: (id: string) => ['leads', 'detail', id],
    any: ['leads', 'any'],
    kpis: (ownerId: string | undefined) => ['leads', 'kpis', ownerId ?? 'all'],
    similar: (email: string) => ['leads', 'similar', email],
    campaigns: (id: string) => ['leads', id, 'campaigns'],
    duplicates: (id: string) => ['leads', id, 'duplicates'],
    compared: (id: string) => ['leads', id, 'compared'],
  },
  suggestions: ({ type, id }: TimelineRecord) => ['suggestions', type, id],
  deals: {
    all: ['opportunities'],
    boards: ['opportunities', 'board'],
    board: (filter: object) => ['opportunities', 'board', filter],
    closed: (filter: object) => ['opportunities', 'closed', filter],
    detail: (id: string) => ['opportunities', 'detail', id],
    forecast: (ownerId: string | undefined) => ['opportunities', 'forecast', ownerId ?? 'all'],
    history: (id: string) => ['opportunities', id, 'history'],
  },
  users: {
    all: ['users'],
    lists: ['users', 'list'],
    list: (query: object) => ['users', 'list', query],
    detail: (id: string) => ['users', 'detail', id],
    profile: (id: string) => ['users', 'profile', id],
    picker: (text: string) => ['users', 'picker', text],
    successors: (text: string) => ['users', 'successors', text],
    forecast: ['users', 'forecast'],
    teams: ['teams', 'names'],
  },
  notifications: {
    all: ['notifications'],
    list: (isUnread: boolean) => ['notifications', { isUnread }],
  },
  settings: {
    workspace: ['settings'],
    crm: ['crm-settings'],
    sender: ['sender-settings'],
    sampleData: ['sample-data'],
    sampleDataTask: (state: string) => ['tasks', 'sample-data', state],
    sessions: ['sessions'],
    signedIn: ['sessions', 'signed-in'],
    apiKeys: (userId: string) => ['api-keys', userId],
  },
} as const

type TimelineRecord = { type: 'lead' | 'opportunity'; id: string }
type EnrolledPerson = { type: 'lead' | 'contact'; id: string }

/**
 * The keys of all cached responses. Each is written here and read by one query, because two contents under one key would
 * replace each other. A shorter key stands for all that begin with it.
 */
export const queryKeys = {
  me: ['me'],
  home: ['home'],
  search: (text: string) => ['search', text],
  accountSearch: (text: string) => ['accounts', 'search', text],
  contactSearch: (accountId: string, text: string) => ['contacts', 'search', accountId, text],
  contact: (id: string) => ['contacts', 'detail', id],
  signInProviders: ['sign-in-providers'],
  pipelines: ['pipelines'],
  leadSources: ['lead-sources'],
  scoringWeights: ['scoring-weights'],
  customFields: (objectType: string) => ['custom-fields', objectType],
  deletedRecords: (type: string) => ['deleted-records', type],
  hotRooms: ['rooms', 'hot'],
  accountMatches: (domain: string | null, company: string | null) => ['accounts', 'matches', domain, company],
  timeline: ({ type, id }: TimelineRecord) => [type === 'lead' ? 'leads' : 'opportunities', id, 'activities'],
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
  },
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
    sampleData: ['sample-data'],
    sampleDataTask: (state: string) => ['tasks', 'sample-data', state],
    sessions: ['sessions'],
    signedIn: ['sessions', 'signed-in'],
    apiKeys: (userId: string) => ['api-keys', userId],
  },
} as const

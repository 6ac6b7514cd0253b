/**
 * The keys of all cached responses. Each is written here and read by one query, because two contents under one key would
 * replace each other. A shorter key stands for all that begin with it. Those of areas that the first pages do not read are in
 * `area-keys.ts`, which loads later.
 */
export const queryKeys = {
  me: ['me'],
  preferences: ['preferences'],
  home: ['home'],
  search: (text: string) => ['search', text],
  pipelines: ['pipelines'],
  leadSources: ['lead-sources'],
  scoringWeights: ['scoring-weights'],
  customFields: (objectType: string) => ['custom-fields', objectType],
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
} as const

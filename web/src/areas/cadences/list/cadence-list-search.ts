import { defineSearch } from '../../../patterns/list/list-search.ts'

export const cadenceStatuses = ['draft', 'active', 'paused', 'archived'] as const
export type CadenceStatus = (typeof cadenceStatuses)[number]
/** The filter `current` stands for all cadences that are not archived. */
export const currentStatuses: readonly CadenceStatus[] = ['active', 'paused', 'draft']

const status = cadenceStatuses.join('|')

export const cadenceListSearch = defineSearch({
  filters: {
    owner: /^(me|any|[\da-f-]{36})$/,
    status: new RegExp(`^(current|any|(${status})(,(${status}))*)$`),
    q: /\S/,
  },
  views: {
    current: { status: 'current' },
    mine: { owner: 'me', status: 'current' },
    all: {},
    archived: { status: 'archived' },
  },
  sorts: ['-created_at', 'created_at'] as const,
})

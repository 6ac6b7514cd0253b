import type { FilterDefinition } from '../../../patterns/list/list-definition.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { type LeadSource, sourcesQuery } from '../lead-queries.ts'
import type { FilterKey } from '../lead-search.ts'
import { leadStatuses, openStatuses } from '../lead-status.ts'

export const leadFilters: Readonly<Record<FilterKey, FilterDefinition>> = {
  owner: { dialog: 'owner' },
  status: {
    choices: leadStatuses.map((value) => ({ value, label: leadTexts.statuses[value] })),
    moreOptions: [{ value: 'open', label: leadTexts.isOpen }],
    describe: (value) => (value === 'open' ? leadTexts.isOpen : undefined),
    expand: (value) => (value === 'open' ? openStatuses.join() : value),
  },
  grade: { choices: ['A', 'B', 'C'].map((value) => ({ value, label: value })) },
  source: {
    loadChoices: {
      ...sourcesQuery,
      select: (sources: readonly LeadSource[]) => sources.map(({ key, label }) => ({ value: key, label })),
    },
  },
  tag: { dialog: 'text' },
  score: { dialog: 'number', limits: { min: 0, max: 100 } },
  created: { dialog: 'period' },
  response: { isHidden: true, describe: (value) => leadTexts.responses[value as 'late' | 'awaiting'] },
  q: { isHidden: true },
}

import type { FilterDefinition } from '../../../patterns/list/list-definition.ts'
import { campaignListTexts as texts } from '../../../texts/en/campaign-list-texts.ts'
import type { FilterKey } from '../campaign-list.ts'
import { campaignStatuses, campaignTypes, openStatuses } from '../campaign-status.ts'

export const campaignFilters: Readonly<Record<FilterKey, FilterDefinition>> = {
  status: {
    choices: campaignStatuses.map((value) => ({ value, label: texts.statuses[value] })),
    moreOptions: [{ value: 'current', label: texts.isCurrent }],
    describe: (value) => (value === 'current' ? texts.isCurrent : undefined),
    expand: (value) => (value === 'current' ? openStatuses.join() : value),
  },
  type: { choices: campaignTypes.map((value) => ({ value, label: texts.types[value] })) },
  owner: { dialog: 'owner', excludesNone: true },
  day: { choices: [{ value: 'today', label: texts.today }], isSingle: true },
  tag: { dialog: 'text' },
  q: { isHidden: true },
}

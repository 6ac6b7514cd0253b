import { timezoneOf } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { IntegrityCheck, Services } from '#platform/module'
import {
  convertMistypedValues,
  findMistypedValues,
  findUnknownKeys,
  removeUnknownKeys,
} from './custom-values.service.ts'
import { deleteOrphanedEntries, listOrphanedEntries } from './orphans.queries.ts'

const orphan = {
  code: 'custom_value_orphan',
  title: 'Value of a custom field or record that does not exist',
  severity: 'warning',
  hint: 'Delete the value.',
} as const

export const customValueChecks = ({ clock }: Pick<Services, 'clock'>): IntegrityCheck[] => [
  {
    ...orphan,
    find: ({ inTenant }, limit) => inTenant((tx) => findUnknownKeys(tx, limit)),
    repair: ({ inTenant }, found) => inTenant((tx) => removeUnknownKeys(tx, found)),
  },
  {
    ...orphan,
    find: ({ inTenant }, limit) => inTenant((tx) => listOrphanedEntries(tx, limit)),
    repair: ({ inTenant }, found) =>
      inTenant((tx) =>
        deleteOrphanedEntries(
          tx,
          found.map(({ id }) => id),
        ),
      ),
  },
  {
    code: 'custom_value_type',
    title: 'Custom value that does not have the type of its field',
    severity: 'warning',
    hint: 'Correct the value. A repair converts it if that loses nothing, and otherwise clears it.',
    find: ({ inTenant }, limit) => inTenant((tx) => findMistypedValues(tx, limit)),
    repair: ({ inTenant }, found) =>
      inTenant(async (tx) => {
        const now = clock.now()
        return convertMistypedValues(tx, found, { now, day: dayInTimezone(now, await timezoneOf(tx)) })
      }),
  },
]

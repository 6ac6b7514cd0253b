import type { IntegrityCheck } from '#platform/module'
import { deleteOrphans, listOrphans, referringTableNames } from './orphans.queries.ts'

export const orphanChecks: IntegrityCheck[] = referringTableNames.map((name) => ({
  code: 'polymorphic_orphan',
  title: 'Entry of a record that does not exist',
  severity: 'warning',
  hint: 'Delete the entry.',
  find: ({ inTenant }, limit) => inTenant((tx) => listOrphans(tx, name, limit)),
  repair: ({ inTenant }, found) =>
    inTenant((tx) =>
      deleteOrphans(
        tx,
        name,
        found.map(({ id }) => id),
      ),
    ),
}))

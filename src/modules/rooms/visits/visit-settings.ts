import { Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

export const visitSettings = {
  name: 'enablement',
  position: 7,
  schema: strict({
    internal_domains: Type.Array(
      Type.String({ pattern: '^[a-z0-9.-]{3,253}$', maxLength: 253, examples: ['acme.example'] }),
      {
        maxItems: 50,
        default: [],
        description: 'Visits of rooms with email addresses of these domains do not count as visits of buyers.',
      },
    ),
  }),
} as const satisfies SettingsSection

export const readVisitSettings = (tx: TenantTx) => readSection(tx, visitSettings)

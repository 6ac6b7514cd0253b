import { type Static, Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

const EnablementSettings = strict({
  members_may_publish: Type.Boolean({ default: false, description: 'Members can publish their own content.' }),
  attribution_window_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    default: 90,
    description: 'Views at most this many days before the close of a deal count as influence.',
  }),
  internal_domains: Type.Array(
    Type.String({ pattern: '^[a-z0-9.-]{3,253}$', maxLength: 253, examples: ['acme.example'] }),
    {
      maxItems: 50,
      default: [],
      description: 'Visits of rooms with email addresses of these domains do not count as visits of buyers.',
    },
  ),
})

export const enablementSettings = { name: 'enablement', schema: EnablementSettings } as const satisfies SettingsSection

export const readEnablementSettings = (tx: TenantTx): Promise<Static<typeof EnablementSettings>> =>
  readSection(tx, enablementSettings)

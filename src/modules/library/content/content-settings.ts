import { Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

export const contentSettings = {
  name: 'enablement',
  position: 1,
  schema: strict({
    members_may_publish: Type.Boolean({ default: false, description: 'Members can publish their own content.' }),
    attribution_window_days: Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 90,
      description: 'Views at most this many days before the close of a deal count as influence.',
    }),
  }),
} as const satisfies SettingsSection

export const readContentSettings = (tx: TenantTx) => readSection(tx, contentSettings)

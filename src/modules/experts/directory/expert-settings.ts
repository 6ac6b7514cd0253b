import { Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

export const expertSettings = {
  name: 'enablement',
  position: 5,
  schema: strict({
    experts_self_register: Type.Boolean({
      default: false,
      description: 'Members can add themselves to the experts.',
    }),
  }),
} as const satisfies SettingsSection

export const readExpertSettings = (tx: TenantTx) => readSection(tx, expertSettings)

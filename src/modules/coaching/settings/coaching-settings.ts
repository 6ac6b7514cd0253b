import { Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

export const transcriptSettings = {
  name: 'enablement',
  position: 2,
  schema: strict({
    transcript_retention_days: Type.Integer({
      minimum: 1,
      maximum: 3_650,
      default: 365,
      description: 'Messages of roleplays are deleted after this many days; scores and quotes stay.',
    }),
  }),
} as const satisfies SettingsSection

export const readTranscriptSettings = (tx: TenantTx) => readSection(tx, transcriptSettings)

const minutes = (defaultValue: number, maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, default: defaultValue, description })

export const voiceSettings = {
  name: 'enablement',
  position: 4,
  schema: strict({
    voice_minutes_per_user_day: minutes(
      60,
      1_440,
      'Maximum minutes of voice calls per user and day (UTC). When it is reached, roleplays continue as text; 0 disables voice calls.',
    ),
    voice_minutes_per_tenant_day: minutes(
      1_000,
      1_000_000,
      'Maximum minutes of voice calls of all users per day (UTC); 0 disables voice calls.',
    ),
  }),
} as const satisfies SettingsSection

export const readVoiceSettings = (tx: TenantTx) => readSection(tx, voiceSettings)

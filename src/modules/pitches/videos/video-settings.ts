import { Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

const days = (defaultValue: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 3_650, default: defaultValue, description })

export const videoSettings = {
  name: 'enablement',
  position: 3,
  schema: strict({
    video_retention_days: days(
      180,
      'Recordings of assigned pitches are deleted after this many days, unless the prompt has its own number; transcripts and scores stay.',
    ),
    practice_retention_days: days(
      30,
      'Recordings of practice pitches are deleted after this many days; transcripts and scores stay.',
    ),
  }),
} as const satisfies SettingsSection

export const readVideoSettings = (tx: TenantTx) => readSection(tx, videoSettings)

import { type Static, Type } from 'typebox'
import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { strict } from '#platform/schema'

const SurveySettings = strict({
  throttle_days: Type.Integer({
    minimum: 0,
    maximum: 365,
    default: 30,
    description: 'A person gets no second survey within this many days; 0 sets no limit.',
  }),
})

export const surveySettings = { name: 'surveys', schema: SurveySettings } as const satisfies SettingsSection

export const readSurveySettings = (tx: TenantTx): Promise<Static<typeof SurveySettings>> =>
  readSection(tx, surveySettings)

import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { nullable, strict } from '#platform/schema'

const Level = Type.String({ examples: ['developing'] })

export const readinessLevelChanged = defineEvent('readiness.level_changed', {
  resource: 'insights',
  description: 'The readiness of a user reached another level',
  data: strict({ from: Level, to: Level, score: nullable(Type.Number()) }),
})

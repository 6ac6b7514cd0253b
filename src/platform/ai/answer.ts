import type { Static } from 'typebox'
import type { answeredBy } from '#platform/schema'

export type Engine = Static<typeof answeredBy.engine>

/** Why the rules had to answer. */
export type FallbackReason = NonNullable<Static<typeof answeredBy.fallback_reason>>

export type ByModel<T> = { engine: 'model'; model: string; fallback_reason: null; output: T }
export type NoModel = { engine: 'rules'; model: null; fallback_reason: FallbackReason }
export type ByRules<T> = NoModel & { output: T }

/** What was found, and by whom: the model, or the rules and why. */
export type Answered<T> = ByModel<T> | ByRules<T>

export const byModel = <T>(model: string, output: T): ByModel<T> => ({
  engine: 'model',
  model,
  fallback_reason: null,
  output,
})

export const noModel = (reason: FallbackReason): NoModel => ({ engine: 'rules', model: null, fallback_reason: reason })

/** For a caller who finds that what the model said does not hold, although its form is right. */
export const byRules = <T>(reason: FallbackReason, output: T): ByRules<T> => ({ ...noModel(reason), output })

import type { Static } from 'typebox'
import type { engineFields } from '#platform/schema'

export type Engine = Static<typeof engineFields.engine>

export type FallbackReason = NonNullable<Static<typeof engineFields.fallback_reason>>

export type ModelAnswer<T> = { engine: 'model'; model: string; fallback_reason: null; output: T }
export type RulesFallback = { engine: 'rules'; model: null; fallback_reason: FallbackReason }
export type RulesAnswer<T> = RulesFallback & { output: T }

export type AssistAnswer<T> = ModelAnswer<T> | RulesAnswer<T>

export const toModelAnswer = <T>(model: string, output: T): ModelAnswer<T> => ({
  engine: 'model',
  model,
  fallback_reason: null,
  output,
})

export const toRulesFallback = (reason: FallbackReason): RulesFallback => ({
  engine: 'rules',
  model: null,
  fallback_reason: reason,
})

export const toRulesAnswer = <T>(reason: FallbackReason, output: T): RulesAnswer<T> => ({
  ...toRulesFallback(reason),
  output,
})

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Static } from 'typebox'
import { addFormats, type engineFields, isStorable } from '#platform/schema'

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

export type Model = {
  provider: 'openai_compatible' | 'anthropic'
  baseUrl: string | null
  name: string
  apiKey: string | null
  monthlyTokenLimit: number | null
}

const ajv = new Ajv2020({ coerceTypes: false, useDefaults: false, removeAdditional: false, strict: false })
addFormats(ajv)
const compiled = new WeakMap<object, ValidateFunction>()

export function isValidOutput(schema: object, output: unknown): boolean {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate(output) && isStorable(output)
}

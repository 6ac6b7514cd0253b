import { baseCurrencyOf, timezoneOf } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import type { Rule, RuleContext } from '#platform/rules'
import { parseRuleOrThrow, type RuleLocation, resolveFacts } from '#platform/rules'
import type { ObjectType } from '../../records/custom-values/custom-values.schemas.ts'
import { fieldsOf } from './rule-catalogue.service.ts'

export type RecordRule = { objectType: ObjectType; rule: Rule }

type RuleOrigin = {
  at?: RuleLocation
  /** Ids of the records that the rule belongs to, outermost first, so that cycles are found. */
  within?: readonly string[]
}

/** Parses a rule and resolves its facts; a 422 lists all problems with paths below `at`. */
export async function parseRecordRule(
  tx: TenantTx,
  objectType: ObjectType,
  input: unknown,
  { registry }: Pick<Services, 'registry'>,
  { at = { in: 'body', path: '/rules' }, within = [] }: RuleOrigin = {},
): Promise<RecordRule> {
  const [fields, currency] = await Promise.all([fieldsOf(tx, objectType), baseCurrencyOf(tx)])
  const vocabulary = { objectType, fields, facts: registry.ruleFacts, currency }
  const nesting = { readVocabulary: async () => vocabulary, objectType, within }
  return { objectType, rule: await resolveFacts(tx, parseRuleOrThrow(input, vocabulary, at), at, nesting) }
}

export async function readRuleContext(tx: TenantTx, now: Date, me: string | null): Promise<RuleContext> {
  return { now, timezone: await timezoneOf(tx), me }
}

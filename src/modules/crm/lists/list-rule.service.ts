import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { readCustomCatalogue } from '../custom-values/custom-catalogue.queries.ts'
import type { ObjectType } from '../custom-values/custom-values.schemas.ts'
import { parseRuleOrThrow, type RuleLocation } from '../rules/parse-rule.rules.ts'
import { resolveFacts } from '../rules/resolve-facts.service.ts'
import type { Rule } from '../rules/rule.rules.ts'
import type { FieldCatalogue, RuleContext, RuleVocabulary } from '../rules/vocabulary.rules.ts'
import { baseCurrencyOf, timezoneOf } from '../settings/crm-settings.queries.ts'

export type ListRule = { rule: Rule; context: RuleContext; json: string }

const location: RuleLocation = { in: 'query', path: '/filter' }

type JoinedRecord = { objectType: ObjectType; alias: string }

/** Records of a list, and a record that the list joins, whose fields have its alias as a prefix. */
type ListSubject = Pick<RuleVocabulary, 'fields'> & { objectType: ObjectType; joined?: JoinedRecord }

export async function parseListRule(
  tx: TenantTx,
  { userId }: UserActor,
  json: string | undefined,
  { joined, ...subject }: ListSubject,
  { clock, registry }: Pick<Services, 'clock' | 'registry'>,
): Promise<ListRule | undefined> {
  if (json === undefined) return undefined
  const fields = { ...subject.fields, ...(await customFieldsIn(tx, json, subject.objectType, joined)) }
  const vocabulary = { ...subject, fields, facts: registry.ruleFacts, currency: await baseCurrencyOf(tx) }
  const rule = await resolveFacts(tx, parseRuleOrThrow(parseJson(json), vocabulary, location), location)
  return { rule, context: { now: clock.now(), timezone: await timezoneOf(tx), me: userId }, json }
}

/** Reads the custom fields only for rules that can use them. */
async function customFieldsIn(
  tx: TenantTx,
  json: string,
  objectType: ObjectType,
  joined: JoinedRecord | undefined,
): Promise<FieldCatalogue> {
  if (!json.includes('custom.')) return {}
  const own = await readCustomCatalogue(tx, objectType)
  if (!joined || !json.includes(`${joined.alias}.custom.`)) return own
  const fields = Object.entries(await readCustomCatalogue(tx, joined.objectType))
  const { alias: joinAlias } = joined
  const joinedFields = fields.map(([key, field]) => [`${joinAlias}.${key}`, { ...field, joinAlias }])
  return { ...own, ...Object.fromEntries(joinedFields) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('query', '/filter', 'json', '`filter` must be URL-encoded JSON.')
  }
}

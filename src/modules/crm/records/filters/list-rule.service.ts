import { baseCurrencyOf, timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { RuleFact, Services } from '#platform/module'
import type { FieldCatalogue, Rule, RuleContext, RuleVocabulary } from '#platform/rules'
import { parseRuleOrThrow, type RuleLocation, resolveFacts } from '#platform/rules'
import { readCustomCatalogue } from '../custom-values/custom-catalogue.queries.ts'
import type { ObjectType } from '../custom-values/custom-values.schemas.ts'

export type ListRule = { rule: Rule; context: RuleContext; json: string }

const location: RuleLocation = { in: 'query', path: '/filter' }

type JoinedRecord = { objectType: ObjectType; alias: string }

/** Records of a list, and a record that the list joins, whose fields have its alias as a prefix. */
type ListSubject = Pick<RuleVocabulary, 'fields'> & { objectType: ObjectType; joined?: JoinedRecord }

/** Query parameters such as `segment_id`, which stand for a fact with this parameter. */
type FactFilters = Readonly<Record<`${string}_id`, string | undefined>>

export async function parseListRule(
  tx: TenantTx,
  { userId }: UserActor,
  filter: string | undefined,
  subject: ListSubject,
  { clock, registry }: Pick<Services, 'clock' | 'registry'>,
  factFilters: FactFilters = {},
): Promise<ListRule | undefined> {
  const facts = Object.entries(factFilters).filter(([, id]) => id !== undefined)
  if (filter === undefined && !facts.length) return undefined
  const currency = await baseCurrencyOf(tx)
  const readVocabulary = async (json?: string): Promise<RuleVocabulary> => ({
    objectType: subject.objectType,
    fields: { ...subject.fields, ...(await customFieldsIn(tx, json, subject)) },
    facts: registry.ruleFacts,
    currency,
  })
  const parse = async (input: unknown, vocabulary: RuleVocabulary, at: RuleLocation) => {
    const nesting = { readVocabulary: () => readVocabulary(), objectType: subject.objectType }
    return await resolveFacts(tx, parseRuleOrThrow(input, vocabulary, at), at, nesting)
  }
  const parts: Rule[] = []
  if (filter !== undefined) parts.push(await parse(parseJson(filter), await readVocabulary(filter), location))
  for (const [name, id] of facts) {
    const fact = factOf(name, registry.ruleFacts)
    const vocabulary = { objectType: subject.objectType, fields: {}, facts: [fact], currency }
    parts.push(await parse({ fact: fact.name, [name]: id }, vocabulary, { in: 'query', path: '' }))
  }
  const rule: Rule = parts.length === 1 ? parts[0]! : { kind: 'all', parts }
  const json = facts.length ? JSON.stringify([filter, ...facts]) : filter!
  return { rule, context: { now: clock.now(), timezone: await timezoneOf(tx), me: userId }, json }
}

function factOf(filterName: string, facts: readonly RuleFact[]): RuleFact {
  const fact = facts.find(({ name }) => `${name}_id` === filterName)
  if (!fact) throw invalid('query', `/${filterName}`, 'unavailable', `\`${filterName}\` is not available.`)
  return fact
}

/** Reads the custom fields only for rules that can use them; all of them without a rule. */
async function customFieldsIn(
  tx: TenantTx,
  json: string | undefined,
  { objectType, joined }: ListSubject,
): Promise<FieldCatalogue> {
  const isUsed = (prefix: string) => json === undefined || json.includes(prefix)
  if (!isUsed('custom.')) return {}
  const own = await readCustomCatalogue(tx, objectType)
  if (!joined || !isUsed(`${joined.alias}.custom.`)) return own
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

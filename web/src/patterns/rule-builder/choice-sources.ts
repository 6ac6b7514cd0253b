import { areaKeys } from '../../api/area-keys.ts'
import { api, read } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import type { Choice } from '../combobox/use-combobox.ts'
import { findUsers } from '../person-picker.tsx'
import { pipelinesQuery } from '../shared-queries.ts'
import type { ChoiceSource } from './picker.tsx'
import type { Catalogue, Parameter, ReferenceKind, RuleField } from './rule/rule-catalogue.ts'
import { headingOf, labelOfFact, labelOfField, labelOfOption } from './rule/rule-labels.ts'
import type { Rule } from './rule/rule-tree.ts'
import type { ObjectType } from './rule/rule-words.ts'

/** Choices that are known without a request. `owner` distinguishes them from the other ones. */
export function fixedChoices(owner: string, choices: readonly Choice[], none?: string): ChoiceSource {
  const match = (text: string) => {
    const found = choices.filter(({ name, heading }) => matchesWords(`${heading ?? ''} ${name}`, text))
    // Users most often mean a name that begins with the text.
    const begins = ({ name }: Choice) => name.toLowerCase().startsWith(text.toLowerCase())
    return [...found.filter(begins), ...found.filter((choice) => !begins(choice))]
  }
  return {
    queryKey: (text) => areaKeys.fixedChoices(`${owner}:${choices.length}`, text),
    find: async (text) => match(text),
    match,
    none,
  }
}

const matchesWords = (text: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

/** All fields by their headings, those of the record first, then the facts. */
export function fieldChoices({ fields, facts }: Catalogue, objectType: ObjectType): ChoiceSource {
  const ofRecord = ruleTexts.fieldsHeading[objectType]
  const ofFields = fields.map((field) => ({
    id: `field ${field.key}`,
    name: labelOfField(field),
    heading: headingOf(field) ?? ofRecord,
  }))
  const headings = [...new Set([ofRecord, ...ofFields.map(({ heading }) => heading)])]
  const sorted = headings.flatMap((heading) => ofFields.filter((field) => field.heading === heading))
  const ofFacts = facts.map((fact) => ({
    id: `fact ${fact.key}`,
    name: labelOfFact(fact),
    heading: ruleTexts.factsHeading,
  }))
  return fixedChoices(`fields of ${objectType}`, [...sorted, ...ofFacts], ruleTexts.noField)
}

export const optionChoices = (owner: RuleField | Parameter, chosen: readonly unknown[]): ChoiceSource =>
  fixedChoices(
    `${owner.key}:${chosen.join()}`,
    owner.options
      .filter(({ key }) => !chosen.includes(key))
      .map((option) => ({ id: option.key, name: labelOfOption(option, owner) })),
  )

type Find = (search: string | undefined, signal: AbortSignal, objectType: ObjectType) => Promise<readonly Choice[]>

const limit = 20
const page = { limit, count: 'none' as const }

const finders: Readonly<Record<ReferenceKind, Find>> = {
  user: (search, signal) => findUsers(search ?? '', signal),
  account: async (search, signal) => {
    const query = { search, ...page, fields: 'summary' as const }
    const { items } = await read(api.GET('/api/accounts/', { params: { query }, signal }))
    return items.map(({ id, name, domain }) => ({ id, name, detail: domain }))
  },
  campaign: async (search, signal) =>
    (await read(api.GET('/api/campaigns/', { params: { query: { search, ...page } }, signal }))).items,
  segment: async (search, signal, objectType) => {
    const query = { search, ...page, object_type: objectType }
    return (await read(api.GET('/api/segments', { params: { query }, signal }))).items
  },
  cadence: async (search, signal) =>
    (await read(api.GET('/api/cadences/', { params: { query: { search, ...page } }, signal }))).items,
  survey: async (search, signal) =>
    (await read(api.GET('/api/surveys/', { params: { query: { search, ...page } }, signal }))).items,
  content: async (search, signal) => {
    const { items } = await read(
      api.GET('/api/enablement/content/', { params: { query: { search, ...page } }, signal }),
    )
    return items.map(({ id, title }) => ({ id, name: title }))
  },
  room: async (search, signal) =>
    (await read(api.GET('/api/enablement/rooms/', { params: { query: { search, ...page } }, signal }))).items,
}

export const recordChoices = (kind: ReferenceKind, objectType: ObjectType): ChoiceSource => ({
  queryKey: (text) => areaKeys.recordChoices(`${kind} of ${objectType}`, text),
  find: async (text, signal) =>
    (await finders[kind](text || undefined, signal, objectType)).map(({ id, name, detail }) => ({ id, name, detail })),
})

/** Values that the field has in other records. Others can be typed. */
export const fieldValues = (objectType: ObjectType, field: RuleField): ChoiceSource => ({
  queryKey: (text) => areaKeys.ruleValues(`${objectType} ${field.key}`, text),
  find: (text, signal) => findOrNone(() => findFieldValues(objectType, field.key, text, signal)),
  acceptsText: true,
  none: ruleTexts.typeValue,
})

/** Values that a parameter without options can have. Others can be typed. */
export const parameterValues = (parameter: Parameter, rule: Rule): ChoiceSource => ({
  queryKey: (text) => areaKeys.ruleValues(`${rule.fact} ${parameter.key} ${rule.campaign_id}`, text),
  find: (text, signal) => findOrNone(() => findParameterValues(parameter, rule, text, signal)),
  acceptsText: true,
  none: ruleTexts.typeValue,
})

/** Typing a value works without the permission to list those of others. */
const findOrNone = (find: () => Promise<readonly Choice[]>): Promise<readonly Choice[]> =>
  find().catch((error) => {
    if (error instanceof DOMException) throw error
    return []
  })

const toChoices = (values: readonly string[]): Choice[] => values.map((value) => ({ id: value, name: value }))

async function findFieldValues(
  object_type: ObjectType,
  field: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const query = { object_type, field, search: text || undefined }
  return toChoices((await read(api.GET('/api/segments/rule-values', { params: { query }, signal }))).items)
}

async function findParameterValues(
  { key }: Parameter,
  { fact, campaign_id }: Rule,
  text: string,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const matching = (choices: readonly { key: string; label: string }[]) => {
    const byKey = new Map(choices.map((choice) => [choice.key, choice.label]))
    return [...byKey].map(([id, name]) => ({ id, name })).filter(({ name }) => matchesWords(name, text))
  }
  if (fact === 'product_usage' && key === 'event') {
    const query = { search: text || undefined, ...page }
    const { items } = await read(api.GET('/api/tenant/plg/event-names', { params: { query }, signal }))
    return toChoices(items.map(({ name }) => name))
  }
  if (fact === 'opportunity' && key === 'stage_keys')
    return matching((await queryClient.fetchQuery(pipelinesQuery)).flatMap(({ stages }) => stages))
  if (fact === 'campaign' && key === 'statuses' && typeof campaign_id === 'string') {
    const params = { path: { campaign_id } }
    return matching((await read(api.GET('/api/campaigns/{campaign_id}', { params, signal }))).member_statuses)
  }
  return []
}

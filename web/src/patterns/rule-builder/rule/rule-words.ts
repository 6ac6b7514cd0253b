import { ruleTexts } from '../../../texts/en/rule-texts.ts'
import { formatDate, formatMoney, formatNumber } from '../../../ui/format.ts'
import {
  type Catalogue,
  type FactCondition,
  type FieldCondition,
  nameKey,
  type Parameter,
  parameterKindOf,
  type ReferenceKind,
  readCondition,
  type ValueKind,
  valueKindOf,
  valuesOf,
} from './rule-catalogue.ts'
import { labelOfFact, labelOfField, labelOfOption, phraseOfOperator, phraseOfParameter } from './rule-labels.ts'
import { type Group, isGroup, type Rule, type RuleNode } from './rule-tree.ts'

export type Word = { text: string; isValue?: true }

export type ObjectType = 'lead' | 'contact' | 'account'

export type WordOptions = {
  catalogue: Catalogue
  locale: string
  names: ReadonlyMap<string, string>
}

const plain = (text: string): Word => ({ text })
const texts = ruleTexts.words

export function describeRule(tree: Group, objectType: ObjectType, options: WordOptions): Word[] {
  if (tree.items.length === 0 && tree.kind === 'all') return [plain(texts.everyone[objectType])]
  const words = describeItems(tree, options)
  const isOpen = words.at(-1)?.text.endsWith(texts.missing) !== false
  return [plain(`${texts.where[objectType]} `), ...words, ...(isOpen ? [] : [plain('.')])]
}

export const toText = (words: readonly Word[]): string => words.map(({ text }) => text).join('')

function describeItems({ kind, items }: Group, options: WordOptions): Word[] {
  const separator = plain(kind === 'all' ? texts.and : texts.or)
  const list = items.flatMap((item, at) => [...(at > 0 ? [separator] : []), ...describeNode(item, options)])
  if (kind !== 'none') return list
  return items.length === 1
    ? [plain(`${texts.notOne} `), ...list]
    : [plain(`${texts.not} `), plain('('), ...list, plain(')')]
}

function describeNode(node: RuleNode, options: WordOptions): Word[] {
  if (!isGroup(node)) return describeCondition(node.rule, options)
  const words = describeItems(node, options)
  return node.kind === 'none' || node.items.length === 1 ? words : [plain('('), ...words, plain(')')]
}

export function describeCondition(rule: Rule, options: WordOptions): Word[] {
  const condition = readCondition(rule, options.catalogue)
  if (condition.kind === 'field') return describeField(condition, options)
  if (condition.kind === 'fact') return describeFact(condition, options)
  return [plain(condition.name || texts.missing)]
}

function describeField({ field, operator, rule }: FieldCondition, options: WordOptions): Word[] {
  const label = labelOfField(field)
  if (!operator) return [plain(label)]
  const { before, after } = phraseOfOperator(operator)
  const format = (value: unknown) =>
    formatValue(value, valueKindOf(field, operator), { ...options, owner: field, reference: field.reference })
  const values = valuesOf(rule.value).map(format)
  if (operator.value === 'none') return [plain(`${label} ${before}`)]
  const type = operator.value === 'range' || operator.key === 'contains_all' ? 'conjunction' : 'disjunction'
  return [plain(`${label} ${before} `), ...joinValues(values, type, options), ...(after ? [plain(` ${after}`)] : [])]
}

/** `activity is "Form submitted" or "Email replied" in the last 30 days`. */
function describeFact({ fact, rule }: FactCondition, options: WordOptions): Word[] {
  const given = fact.parameters.filter(({ key }) => key in rule)
  return [
    plain(labelOfFact(fact)),
    ...given.flatMap((parameter) => {
      const { before, after } = phraseOfParameter(parameter)
      const values = valuesOf(rule[parameter.key]).map((value) => formatParameter(value, parameter, options))
      return [
        plain(` ${before} `),
        ...joinValues(values, 'disjunction', options),
        ...(after ? [plain(` ${after}`)] : []),
      ]
    }),
  ]
}

function joinValues(values: readonly string[], type: Intl.ListFormatType, { locale }: WordOptions): Word[] {
  if (values.length === 0) return [plain(texts.missing)]
  return new Intl.ListFormat(locale, { type })
    .formatToParts(values)
    .map(({ type: kind, value }) => (kind === 'element' ? { text: value, isValue: true } : plain(value)))
}

type ValueOptions = WordOptions & {
  owner: { key: string; options: Parameter['options'] }
  reference: ReferenceKind | null
}

export const formatParameter = (value: unknown, parameter: Parameter, options: WordOptions): string =>
  formatValue(value, parameterKindOf(parameter), { ...options, owner: parameter, reference: parameter.reference })

export function formatValue(
  value: unknown,
  kind: ValueKind,
  { owner, reference, locale, names }: ValueOptions,
): string {
  if (value === null || value === undefined || value === '') return texts.missing
  switch (kind) {
    case 'number':
    case 'days':
      return formatNumber(Number(value), locale)
    case 'money':
      return formatMoney(value as { amount: string; currency: string }, locale)
    case 'date':
      return formatDate(String(value), locale)
    case 'boolean':
      return value === true ? ruleTexts.yes : ruleTexts.no
    case 'option': {
      const option = owner.options.find(({ key }) => key === value)
      return option ? labelOfOption(option, owner) : String(value)
    }
    case 'record':
      return (reference && names.get(nameKey({ kind: reference, id: String(value) }))) || ruleTexts.unknownRecord
    case 'text':
      return String(value)
  }
}

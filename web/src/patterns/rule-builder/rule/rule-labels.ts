import { recordTexts } from '../../../texts/en/record-texts.ts'
import { ruleTexts } from '../../../texts/en/rule-texts.ts'
import type { Operator, Parameter, RuleFact, RuleField } from './rule-catalogue.ts'

type Option = RuleField['options'][number]
type Phrase = { before: string; after?: string }

const isCustom = (key: string): boolean => key.startsWith('custom.') || key.includes('.custom.')

const ownLabel = ({ key, label }: RuleField): string =>
  isCustom(key) ? label : (ruleTexts.fields[key] ?? ruleTexts.fields[key.replace(/^account\./, '')] ?? label)

export const labelOfField = (field: RuleField): string =>
  field.key.startsWith('account.') ? ruleTexts.fieldOfGroup(headingOf(field)!, ownLabel(field)) : ownLabel(field)

export function headingOf({ key, group }: RuleField): string | undefined {
  if (key.startsWith('account.')) return ruleTexts.fieldsHeading.account
  return key.startsWith('utm.') ? 'UTM' : (group ?? undefined)
}

export const labelOfFact = ({ key, label }: RuleFact): string => ruleTexts.facts[key] ?? label

export const phraseOfOperator = ({ key, label }: Operator): Phrase => ruleTexts.operators[key] ?? { before: label }

export const labelOfOperator = (operator: Operator): string => {
  const { before, after } = phraseOfOperator(operator)
  return after ? `${before} … ${after}` : before
}

export const phraseOfParameter = ({ key, label }: Parameter): Phrase =>
  ruleTexts.parameters[key] ?? { before: `${label}:` }

export const labelOfParameter = (parameter: Parameter): string => {
  const { before, after } = phraseOfParameter(parameter)
  return after ? `${before} … ${after}` : before === 'is' ? parameter.label : before
}

const activityNames: Readonly<Record<string, string>> = recordTexts.activityNames

/** Options of standard fields have labels of the application, those of custom fields the ones of the workspace. */
export function labelOfOption({ key, label }: Option, owner: { key: string }): string {
  if (isCustom(owner.key)) return label
  return (owner.key === 'types' ? activityNames[key] : ruleTexts.options[key]) ?? label
}

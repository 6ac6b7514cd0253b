import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { fieldValues, recordChoices } from './choice-sources.ts'
import { NativeSelect } from './native-select.tsx'
import { type FieldCondition, type Operator, valueKindOf, withOperator } from './rule/rule-catalogue.ts'
import { labelOfField, labelOfOperator, phraseOfOperator } from './rule/rule-labels.ts'
import type { Rule } from './rule/rule-tree.ts'
import type { ObjectType } from './rule/rule-words.ts'
import { useRuleEditor } from './rule-editor.ts'
import { ValueInput, type ValueOwner } from './value-input.tsx'
import { ValueList } from './value-list.tsx'
import styles from './values.module.css'

type ValuesProps = { condition: FieldCondition; change: (rule: Rule) => void }

export function OperatorSelect({ condition, change }: ValuesProps) {
  const { field, operator } = condition
  const choose = (key: string) => {
    const next = field.operators.find((one) => one.key === key)
    if (next) change(withOperator(condition, next))
  }
  return (
    <NativeSelect
      label={ruleTexts.comparison(labelOfField(field))}
      aria-invalid={operator === undefined || undefined}
      value={operator?.key ?? ''}
      onChange={({ target }) => choose(target.value)}
    >
      {!operator && <option value="">{ruleTexts.notChosen}</option>}
      {field.operators.map((one) => (
        <option key={one.key} value={one.key}>
          {labelOfOperator(one)}
        </option>
      ))}
    </NativeSelect>
  )
}

export function FieldValues({ condition, change }: ValuesProps) {
  const { objectType } = useRuleEditor()
  const { rule, field, operator } = condition
  if (!operator || operator.value === 'none') return null
  const label = labelOfField(field)
  const owner = ownerOf(condition, operator, objectType)
  const { after } = phraseOfOperator(operator)
  const setValue = (value: unknown) => change({ ...rule, value })
  if (operator.value === 'many')
    return <ValueList label={ruleTexts.value(label)} owner={owner} value={rule.value} change={setValue} />
  if (operator.value === 'range') {
    const [from = null, to = null] = Array.isArray(rule.value) ? rule.value : []
    return (
      <>
        <ValueInput label={ruleTexts.from(label)} owner={owner} value={from} change={(one) => setValue([one, to])} />
        <span className={styles.word}>{ruleTexts.and}</span>
        <ValueInput label={ruleTexts.to(label)} owner={owner} value={to} change={(one) => setValue([from, one])} />
      </>
    )
  }
  return (
    <>
      <ValueInput label={ruleTexts.value(label)} owner={owner} value={rule.value} change={setValue} />
      {after && <span className={styles.word}>{after}</span>}
    </>
  )
}

/** Comparisons with a part of a text, whose values are typed. */
const partial = new Set(['contains', 'not_contains', 'starts_with', 'has_any_word'])

function ownerOf({ field }: FieldCondition, operator: Operator, objectType: ObjectType): ValueOwner {
  const kind = valueKindOf(field, operator)
  const { reference } = field
  const isTyped = partial.has(operator.key) && operator.value === 'one'
  const source = reference
    ? recordChoices(reference, objectType)
    : kind === 'text' && !isTyped
      ? fieldValues(objectType, field)
      : undefined
  return { of: field, kind, reference, source }
}

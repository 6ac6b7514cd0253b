import { X } from 'lucide-react'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { parameterValues, recordChoices } from './choice-sources.ts'
import { type FactCondition, isList, type Parameter, parameterKindOf, shownParameters } from './rule/rule-catalogue.ts'
import { labelOfFact, labelOfParameter, phraseOfParameter } from './rule/rule-labels.ts'
import type { Rule } from './rule/rule-tree.ts'
import type { ObjectType } from './rule/rule-words.ts'
import { useRuleEditor } from './rule-editor.ts'
import { ValueInput, type ValueOwner } from './value-input.tsx'
import { ValueList } from './value-list.tsx'
import styles from './values.module.css'

type ParametersProps = { condition: FactCondition; change: (rule: Rule) => void }

export const FactParameters = ({ condition, change }: ParametersProps) =>
  shownParameters(condition).map((parameter) => (
    <ParameterControl key={parameter.key} parameter={parameter} condition={condition} change={change} />
  ))

function ParameterControl({ parameter, condition, change }: ParametersProps & { parameter: Parameter }) {
  const { objectType } = useRuleEditor()
  const { rule, fact } = condition
  const { key, is_required } = parameter
  const { before, after } = phraseOfParameter(parameter)
  const label = ruleTexts.fieldOfGroup(labelOfFact(fact), labelOfParameter(parameter))
  const owner = ownerOf(parameter, rule, objectType)
  const setValue = (value: unknown) => change({ ...rule, [key]: value })
  const remove = () => {
    const { [key]: _, ...rest } = rule
    change(rest)
  }
  return (
    <span className={styles.parameter} data-parameter={key}>
      <span className={styles.word}>{before}</span>
      {isList(parameter) ? (
        <ValueList label={label} owner={owner} value={rule[key]} change={setValue} />
      ) : (
        <ValueInput label={label} owner={owner} value={rule[key]} change={setValue} />
      )}
      {after && <span className={styles.word}>{after}</span>}
      {!is_required && (
        <button
          type="button"
          className={styles.removeParameter}
          aria-label={ruleTexts.removeValue(label)}
          title={ruleTexts.removeValue(label)}
          onClick={remove}
        >
          <X size={12} aria-hidden="true" />
        </button>
      )}
    </span>
  )
}

function ownerOf(parameter: Parameter, rule: Rule, objectType: ObjectType): ValueOwner {
  const kind = parameterKindOf(parameter)
  const { reference } = parameter
  const source = reference
    ? recordChoices(reference, objectType)
    : kind === 'text'
      ? parameterValues(parameter, rule)
      : undefined
  return { of: parameter, kind, reference, source }
}

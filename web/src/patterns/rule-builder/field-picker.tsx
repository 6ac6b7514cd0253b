import { ChevronDown, Zap } from 'lucide-react'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { fieldChoices } from './choice-sources.ts'
import { Picker } from './picker.tsx'
import { type KnownCondition, ruleOfFact, ruleOfField } from './rule/rule-catalogue.ts'
import { labelOfFact, labelOfField } from './rule/rule-labels.ts'
import type { Rule } from './rule/rule-tree.ts'
import { useRuleEditor } from './rule-editor.ts'
import styles from './values.module.css'

type FieldPickerProps = {
  id: string
  condition: KnownCondition
  isInvalid: boolean
  change: (rule: Rule) => void
}

export function FieldPicker({ id, condition, isInvalid, change }: FieldPickerProps) {
  const { words, objectType, newId } = useRuleEditor()
  const { fields, facts } = words.catalogue
  const name =
    condition.kind === 'field'
      ? labelOfField(condition.field)
      : condition.kind === 'fact'
        ? labelOfFact(condition.fact)
        : condition.name
  const choose = (choice: string) => {
    const [kind, key] = choice.split(' ')
    const field = kind === 'field' && fields.find((one) => one.key === key)
    const fact = kind === 'fact' && facts.find((one) => one.key === key)
    if (field) change(ruleOfField(field, condition.rule))
    if (fact) change(ruleOfFact(fact))
  }
  return (
    <Picker
      label={name ? `${ruleTexts.field}: ${name}` : ruleTexts.chooseField}
      className={`${styles.button} ${styles.field}`}
      source={fieldChoices(words.catalogue, objectType)}
      startsOpen={id === newId}
      isInvalid={isInvalid}
      pick={(choice) => choose(choice.id!)}
    >
      {condition.kind === 'fact' && <Zap size={14} aria-hidden="true" />}
      <span className={name ? styles.text : styles.placeholder}>{name || ruleTexts.chooseField}</span>
      <ChevronDown size={13} aria-hidden="true" />
    </Picker>
  )
}

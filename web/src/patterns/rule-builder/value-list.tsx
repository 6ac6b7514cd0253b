import { X } from 'lucide-react'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { optionChoices } from './choice-sources.ts'
import { Picker } from './picker.tsx'
import { valuesOf } from './rule/rule-catalogue.ts'
import { useRuleEditor } from './rule-editor.ts'
import { formatOwned, type ValueOwner } from './value-input.tsx'
import styles from './values.module.css'

type ListProps = { label: string; owner: ValueOwner; value: unknown; change: (values: unknown[]) => void }

export function ValueList({ label, owner, value, change }: ListProps) {
  const editor = useRuleEditor()
  const values = valuesOf(value)
  const source = owner.source ?? optionChoices(owner.of, values)
  return (
    <>
      {values.map((one) => {
        const text = formatOwned(one, owner, editor.words)
        return (
          <span key={String(one)} className={styles.token}>
            <span className={styles.tokenText}>{text}</span>
            <button
              type="button"
              aria-label={ruleTexts.removeValue(text)}
              onClick={() => change(values.filter((other) => other !== one))}
            >
              <X size={11} aria-hidden="true" />
            </button>
          </span>
        )
      })}
      <Picker
        label={ruleTexts.fieldOfGroup(ruleTexts.addValue, label)}
        className={values.length > 0 ? styles.add : styles.addFirst}
        source={source}
        isMultiple
        pick={({ id, name }) => {
          if (owner.reference && id) editor.noteName({ kind: owner.reference, id }, name)
          const added = id ?? name
          if (!values.includes(added)) change([...values, added])
        }}
      >
        {ruleTexts.addValue}
      </Picker>
    </>
  )
}

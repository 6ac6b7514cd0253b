import { ChevronDown } from 'lucide-react'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { NativeSelect } from './native-select.tsx'
import { type ChoiceSource, Picker } from './picker.tsx'
import type { Parameter, ReferenceKind, RuleField, ValueKind } from './rule/rule-catalogue.ts'
import { labelOfOption } from './rule/rule-labels.ts'
import { formatValue, type WordOptions } from './rule/rule-words.ts'
import { useRuleEditor } from './rule-editor.ts'
import styles from './values.module.css'

export type ValueOwner = {
  of: RuleField | Parameter
  kind: ValueKind
  reference: ReferenceKind | null
  /** Without it, values are typed or chosen from the options. */
  source: ChoiceSource | undefined
}

type InputProps = { label: string; owner: ValueOwner; value: unknown; change: (value: unknown) => void }

export function ValueInput({ label, owner, value, change }: InputProps) {
  const editor = useRuleEditor()
  const { of, kind, source } = owner
  if (kind === 'boolean' || kind === 'option') {
    const options =
      kind === 'boolean'
        ? [
            { key: 'true', label: ruleTexts.yes },
            { key: 'false', label: ruleTexts.no },
          ]
        : of.options.map((option) => ({ key: option.key, label: labelOfOption(option, of) }))
    return (
      <NativeSelect
        label={label}
        value={value === null || value === undefined ? '' : String(value)}
        onChange={({ target }) => change(kind === 'boolean' ? target.value === 'true' : target.value)}
      >
        {(value === null || value === undefined) && <option value="">{ruleTexts.notChosen}</option>}
        {options.map((option) => (
          <option key={option.key} value={option.key}>
            {option.label}
          </option>
        ))}
      </NativeSelect>
    )
  }
  if (source) {
    const text = value ? formatOwned(value, owner, editor.words) : ruleTexts.notChosen
    return (
      <Picker
        label={ruleTexts.fieldOfGroup(label, text)}
        className={styles.button}
        source={source}
        pick={({ id, name }) => {
          if (owner.reference && id) editor.noteName({ kind: owner.reference, id }, name)
          change(id ?? name)
        }}
      >
        <span className={value ? styles.text : styles.placeholder}>{text}</span>
        <ChevronDown size={13} aria-hidden="true" />
      </Picker>
    )
  }
  return <TypedInput label={label} owner={owner} value={value} change={change} />
}

export const formatOwned = (value: unknown, { of, kind, reference }: ValueOwner, words: WordOptions): string =>
  formatValue(value, kind, { ...words, owner: of, reference })

function TypedInput({ label, owner: { kind }, value, change }: InputProps) {
  const { currency } = useRuleEditor()
  if (kind === 'money') {
    const { amount = '' } = (value ?? {}) as { amount?: string }
    return (
      <>
        <input
          type="number"
          step="any"
          inputMode="decimal"
          aria-label={label}
          className={styles.amount}
          value={amount}
          onChange={({ target }) => change(target.value === '' ? null : { amount: target.value, currency })}
        />
        <span className={styles.word}>{currency}</span>
      </>
    )
  }
  if (kind === 'number' || kind === 'days')
    return (
      <input
        type="number"
        step={kind === 'days' ? 1 : 'any'}
        min={kind === 'days' ? 0 : undefined}
        aria-label={label}
        className={styles.number}
        value={typeof value === 'number' ? value : ''}
        onChange={({ target }) => change(Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber)}
      />
    )
  return (
    <input
      type={kind === 'date' ? 'date' : 'text'}
      aria-label={label}
      className={kind === 'date' ? styles.date : styles.input}
      maxLength={kind === 'date' ? undefined : 500}
      autoComplete="off"
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => change(target.value)}
    />
  )
}

import { useId } from 'react'
import { compareTexts as texts } from '../../texts/en/compare-texts.ts'
import styles from './compare.module.css'
import { type Difference, defaultChoice } from './compare-records.ts'

type CompareFieldsProps = {
  /** The names of the two records, with what happens to them. */
  records: readonly [ComparedRecord, ComparedRecord]
  differences: readonly Difference[]
  choices: Readonly<Record<string, 0 | 1>>
  choose: (key: string, choice: 0 | 1) => void
}
type ComparedRecord = { name: string; note: string }

/** Two records side by side, with one choice per field. */
export function CompareFields({ records, differences, choices, choose }: CompareFieldsProps) {
  const id = useId()
  return (
    <div className={styles.compare}>
      <div className={styles.heads}>
        {records.map(({ name, note }, at) => (
          <p key={at === 0 ? 'kept' : 'other'}>
            <b>{name}</b>
            <small>{note}</small>
          </p>
        ))}
      </div>
      {differences.map((difference) => (
        <fieldset key={difference.key} className={styles.field}>
          <legend>{difference.label}</legend>
          {difference.values.map((value, at) => {
            const choice = at as 0 | 1
            return (
              <label key={choice === 0 ? 'kept' : 'other'} className={styles.value}>
                <input
                  type="radio"
                  name={`${id}-${difference.key}`}
                  checked={(choices[difference.key] ?? defaultChoice(difference)) === choice}
                  onChange={() => choose(difference.key, choice)}
                />
                <span className={value === null ? styles.empty : undefined}>
                  <span className="visually-hidden">{records[choice].name}: </span>
                  {value ?? texts.empty}
                </span>
              </label>
            )
          })}
        </fieldset>
      ))}
    </div>
  )
}

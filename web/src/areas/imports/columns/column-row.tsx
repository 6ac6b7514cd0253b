import { ArrowRight, Check, CircleAlert, TriangleAlert } from 'lucide-react'
import { withLabel } from '../../../api/field-messages.ts'
import { importColumnTexts as texts } from '../../../texts/en/import-column-texts.ts'
import { letterOf } from '../model/draft.ts'
import { findField } from '../model/fields.ts'
import { stateOfColumn } from '../model/problems.ts'
import type { Wizard } from '../wizard/wizard-model.ts'
import styles from './columns.module.css'
import { describeProblem } from './describe-problem.ts'
import { FieldButton } from './field-button.tsx'
import { TransformButton } from './transform-button.tsx'

const marks = {
  fits: { icon: <Check size={14} />, label: texts.fits },
  warned: { icon: <TriangleAlert size={15} />, label: texts.toCheck },
  blocked: { icon: <CircleAlert size={15} />, label: texts.wrong },
  left_out: undefined,
}
const samplesShown = 3
const blank = '–'

type RowProps = { wizard: Wizard; index: number; isActive: boolean; activate: () => void }

/** A column of the file with the field that gets its values. On a phone it is a card. */
export function ColumnRow({ wizard, index, isActive, activate }: RowProps) {
  const { draft, fields, file, problems, messages } = wizard
  const mapped = draft.columns[index]!
  const state = stateOfColumn(problems, mapped)
  const mark = marks[state]
  const field = findField(fields, mapped.field)
  const samples = file.sample_rows.map((row) => row[index]?.trim() || blank).slice(0, samplesShown)
  // A problem of several columns is explained at the first of them.
  const own = problems.find(({ kind, columns }) => kind !== 'repeated_keys' && columns[0] === mapped.column)
  const refused = Object.entries(messages).find(([path]) => path.startsWith(`columns.${index}.`))?.[1]
  const message = refused
    ? { text: withLabel(refused, field?.label ?? mapped.column), isBlocking: true }
    : own && { text: describeProblem(own, draft).short, isBlocking: own.isBlocking }
  return (
    <li className={`${styles.row} ${styles[state]} ${isActive ? styles.active : ''}`} onFocusCapture={activate}>
      <span className={styles.name}>
        <b>{mapped.column}</b>
        <small>{texts.letter(letterOf(index))}</small>
      </span>
      <span className={styles.samples}>{samples.join(' · ')}</span>
      <ArrowRight size={15} className={styles.arrow} aria-hidden="true" />
      <span className={styles.field} data-control="field">
        <FieldButton wizard={wizard} index={index} isWrong={state === 'blocked'} />
      </span>
      <span className={styles.change} data-control="change">
        {field ? <TransformButton wizard={wizard} index={index} field={field} /> : blank}
      </span>
      <span className={styles.mark}>
        {mark && (
          <span role="img" aria-label={mark.label} title={mark.label}>
            {mark.icon}
          </span>
        )}
      </span>
      {message && <p className={message.isBlocking ? styles.error : styles.warning}>{message.text}</p>}
    </li>
  )
}

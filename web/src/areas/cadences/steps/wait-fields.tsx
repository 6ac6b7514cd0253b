import { useState } from 'react'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { Checkbox, SelectField, TextField } from '../../../ui/field.tsx'
import type { StepValues } from './step-model.ts'
import styles from './step-panel.module.css'

const units = [
  { value: 'days', label: texts.unitDays },
  { value: 'hours', label: texts.unitHours },
]
const limits = { days: 90, hours: 23 }

type Unit = keyof typeof limits
type WaitProps = {
  wait: Pick<StepValues, 'delay_days' | 'delay_hours' | 'business_days'>
  change: (changes: Partial<StepValues>) => void
}

/** The time since the previous step, in days or in hours. */
export function WaitFields({ wait, change }: WaitProps) {
  const { delay_days: days, delay_hours: hours, business_days: isWorkingDays } = wait
  const [unit, setUnit] = useState<Unit>(days === 0 && hours > 0 ? 'hours' : 'days')
  const [typed, setTyped] = useState<string>()
  const value = unit === 'days' ? days : hours
  // Days with hours come from the API only. They stay while the days are changed.
  const store = (next: number, as: Unit = unit) =>
    change(as === 'days' ? { delay_days: next } : { delay_days: 0, delay_hours: next })
  return (
    <div className={styles.wait}>
      <TextField
        label={texts.waitLabel}
        type="number"
        min={0}
        max={limits[unit]}
        value={typed ?? String(value)}
        onChange={({ target }) => {
          setTyped(target.value)
          if (target.value !== '' && target.validity.valid) store(Number(target.value))
        }}
        onBlur={() => setTyped(undefined)}
      />
      <SelectField
        label={texts.waitUnit}
        isLabelHidden
        options={units}
        value={unit}
        onChange={({ target }) => {
          const next = target.value as Unit
          setUnit(next)
          setTyped(undefined)
          if (next === 'days') change({ delay_days: Math.min(value, limits.days), delay_hours: 0 })
          else store(Math.min(value, limits.hours), 'hours')
        }}
      />
      {unit === 'days' && (
        <Checkbox
          label={texts.onlyWorkingDays}
          checked={isWorkingDays}
          onChange={({ target }) => change({ business_days: target.checked })}
        />
      )}
    </div>
  )
}

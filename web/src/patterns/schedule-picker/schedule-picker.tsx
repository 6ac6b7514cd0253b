import { useId, useState } from 'react'
import { scheduleTexts as texts } from '../../texts/en/schedule-texts.ts'
import { TextField } from '../../ui/field.tsx'
import type { WeekWindow } from './describe-window.ts'
import styles from './schedule-picker.module.css'
import { weekdayName, weekdays } from './weekdays.ts'

type PickerProps = {
  label: string
  /** The names of the fields in the form begin with it. */
  name: string
  initial: WeekWindow
  locale: string
  error?: string
}

/** Chooses the days of the week and the hours of a day in which something runs. It is a part of a form. */
export function SchedulePicker({ label, name, initial, locale, error }: PickerProps) {
  const id = useId()
  const [window, setWindow] = useState(initial)
  const { days, start, end } = window
  const toggle = (day: number) =>
    setWindow({ ...window, days: days.includes(day) ? days.filter((one) => one !== day) : [...days, day].toSorted() })
  const problem = describeProblem(window) ?? error
  return (
    <fieldset className={styles.picker} aria-describedby={problem ? id : undefined}>
      <legend>{label}</legend>
      <input type="hidden" name={`${name}.days`} value={days.join(',')} />
      <div className={styles.days}>
        {weekdays.map((day) => (
          <button
            key={day}
            type="button"
            className={styles.day}
            aria-pressed={days.includes(day)}
            title={weekdayName(day, locale, 'long')}
            onClick={() => toggle(day)}
          >
            {weekdayName(day, locale)}
          </button>
        ))}
      </div>
      <div className={styles.times}>
        <TextField
          label={texts.start}
          name={`${name}.start`}
          type="time"
          required
          value={start}
          onChange={({ target }) => setWindow({ ...window, start: target.value })}
        />
        <TextField
          label={texts.end}
          name={`${name}.end`}
          type="time"
          required
          value={end === endOfDay ? lastMinute : end}
          onChange={({ target }) => setWindow({ ...window, end: target.value })}
        />
      </div>
      {problem && (
        <p id={id} className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

// A time field has no 24:00.
const endOfDay = '24:00'
const lastMinute = '23:59'

/** The window that a form contains. */
export function readWindow(data: FormData, name: string): WeekWindow {
  const days = String(data.get(`${name}.days`))
    .split(',')
    .filter(Boolean)
    .map(Number)
  const end = String(data.get(`${name}.end`))
  return { days, start: String(data.get(`${name}.start`)), end: end === lastMinute ? endOfDay : end }
}

const describeProblem = ({ days, start, end }: WeekWindow): string | undefined =>
  days.length === 0 ? texts.noDay : end <= start ? texts.order : undefined

import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { isEmail, type StepValues } from './step-model.ts'

/** The title of a step: the subject of an email, otherwise the first line of the instructions. */
export function titleOf({ type, subject_template: subject, instructions }: StepValues): string {
  const line = instructions?.split('\n').find((one) => one.trim() !== '')
  const text = isEmail({ type }) && subject?.trim() ? shortenValues(subject) : type === 'email_auto' ? undefined : line
  return text?.trim() || texts.untitled[type]
}

/** A template without its braces: values are named by their fallback. */
export const shortenValues = (template: string): string =>
  template.replace(/\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g, (_, _name, fallback) => (fallback ? fallback.trim() : '…'))

export function detailOf(values: StepValues, position: number): string {
  const { type, reply_in_thread, auto_skip_after_days: days } = values
  return `${texts.types[type]}, ${
    type === 'email_auto'
      ? reply_in_thread && position > 1
        ? texts.details.inThread
        : hasWait(values) || position > 1
          ? texts.details.newThread
          : texts.details.sentAtOnce
      : days === null
        ? texts.details.forSender
        : texts.details.skipped(days)
  }`
}

type Wait = Pick<StepValues, 'delay_days' | 'delay_hours' | 'business_days'>

const hasWait = ({ delay_days, delay_hours }: Wait): boolean => delay_days + delay_hours > 0

/** The wait before a step, such as "1 working day" or "2 days, 4 hours". */
export function describeWait(wait: Wait): string {
  const { delay_days: days, delay_hours: hours, business_days } = wait
  const parts = [
    days > 0 && (business_days ? texts.workingDays(days) : texts.days(days)),
    hours > 0 && texts.hours(hours),
  ].filter(Boolean)
  return parts.join(', ') || texts.atOnce
}

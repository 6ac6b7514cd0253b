import { type FormEvent, useRef, useState } from 'react'
import { messagesByField } from '../api/field-messages.ts'
import { type ApiProblem, isProblem } from '../api/problem.ts'
import { stateTexts } from '../texts/en/state-texts.ts'

export type FormState = {
  isPending: boolean
  /** The message of each field, by its path in the request. */
  errors: Readonly<Record<string, string>>
  /** A problem of the whole form. */
  message?: string
  problem?: ApiProblem
}

export type Form = FormState & { onSubmit: (event: FormEvent<HTMLFormElement>) => void }

/** The sentence of an area for an error code; undefined if the general one fits. */
type DescribeProblem = (code: string) => string | undefined

const idle: FormState = { isPending: false, errors: {} }

/**
 * Sends a form once and shows its problems. It is not a form action of React: an action that waits for the user, such
 * as a request for the password, would hold back the results of all other actions.
 */
export function useForm(send: (data: FormData) => Promise<void>, describe: DescribeProblem = () => undefined): Form {
  const [state, setState] = useState(idle)
  const isSending = useRef(false)
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending.current) return
    isSending.current = true
    const form = event.currentTarget
    setState({ isPending: true, errors: {} })
    try {
      await send(new FormData(form))
      setState(idle)
    } catch (error) {
      setState(toFormState(error, describe))
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      showAlert(form)
    } finally {
      isSending.current = false
    }
  }
  return { ...state, onSubmit: (event) => void onSubmit(event) }
}

/** Scrolls to the message, which can be below the visible part of a long form. */
export const showAlert = (form: HTMLElement): void => {
  requestAnimationFrame(() => form.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' }))
}

function toFormState(error: unknown, describe: DescribeProblem): FormState {
  if (!isProblem(error)) return { ...idle, message: stateTexts.problem('unknown') }
  const errors = messagesByField(error)
  const message = Object.keys(errors).length ? undefined : (describe(error.code) ?? stateTexts.problem(error.code))
  return { isPending: false, errors, message, problem: error }
}

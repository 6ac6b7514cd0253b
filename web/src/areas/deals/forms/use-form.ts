import { type FormEvent, startTransition, useActionState } from 'react'
import { ApiProblem, isProblem, messagesByField } from '../../../api/problem.ts'
import { stateTexts } from '../../../texts/en/state-texts.ts'

export type FormErrors = Readonly<Record<string, string>>

/** The key of a message that belongs to no field. */
export const formMessage = ''

/** A problem of one field that is found before the request is sent. */
export const fieldProblem = (field: string, message: string): ApiProblem =>
  new ApiProblem(422, {
    code: 'validation_failed',
    errors: [{ in: 'body', path: `/${field}`, code: 'invalid', message }],
  })

/**
 * Sends a form and assigns the messages of a rejected request to its fields.
 * It does not use the `action` of the form, because React empties the fields after an action.
 */
export function useForm(fields: readonly string[], send: (form: FormData) => Promise<void>) {
  const [errors, submit, isPending] = useActionState(async (_: FormErrors, form: FormData): Promise<FormErrors> => {
    try {
      await send(form)
      return {}
    } catch (error) {
      return toErrors(error, fields)
    }
  }, {})
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    if (!isPending) startTransition(() => submit(form))
  }
  return { errors, onSubmit, isPending }
}

function toErrors(error: unknown, fields: readonly string[]): FormErrors {
  if (!isProblem(error)) return { [formMessage]: stateTexts.problem('unknown') }
  const messages = Object.entries(messagesByField(error))
  if (messages.length === 0) return { [formMessage]: stateTexts.problem(error.code) }
  const others = messages.filter(([field]) => !fields.includes(field)).map(([, message]) => message)
  return {
    ...Object.fromEntries(messages.filter(([field]) => fields.includes(field))),
    ...(others.length > 0 && { [formMessage]: others.join(' ') }),
  }
}

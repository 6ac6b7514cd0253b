import { type ChangeEvent, useState } from 'react'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The values of a form. They stay after a failed submission, when React resets fields without a value of their own. */
export function useValues<Values extends Record<string, string>>(initial: Values | (() => Values)) {
  const [values, setValues] = useState(initial)
  const bind = <Name extends keyof Values & string>(name: Name) => ({
    name,
    value: values[name],
    onChange: ({ target: { value } }: ChangeEvent<Control>) => setValues((before) => ({ ...before, [name]: value })),
  })
  return { values, bind }
}

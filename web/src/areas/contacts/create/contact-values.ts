export const textFields = ['email', 'first_name', 'last_name', 'title', 'phone'] as const

export type NewContactValues = Record<(typeof textFields)[number] | 'owner', string>

export const noValues: NewContactValues = {
  email: '',
  first_name: '',
  last_name: '',
  title: '',
  phone: '',
  owner: 'me',
}

/** The API requires one of these to recognize the person. */
export const isUnknownPerson = ({ email, phone, last_name }: NewContactValues): boolean =>
  [email, phone, last_name].every((value) => value.trim() === '')

/** The text that finds contacts who may be the same person; empty as long as too little is known. */
export function toSimilarSearch({ email, first_name, last_name }: NewContactValues): string {
  if (email.includes('@')) return email.trim()
  return first_name.trim() && last_name.trim() ? `${first_name.trim()} ${last_name.trim()}` : ''
}

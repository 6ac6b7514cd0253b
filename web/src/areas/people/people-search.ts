import type { Schemas } from '../../api/client.ts'

export type Person = Schemas['User']
export type Role = Person['role']
export type Status = Exclude<Person['status'], 'erased'>

export const roles: readonly Role[] = ['admin', 'manager', 'member', 'viewer']
export const statuses: readonly Status[] = ['active', 'invited', 'deactivated']

/** The state of the list of people. It is in the URL. */
export type PeopleSearch = {
  status?: Status
  role?: Role
  q?: string
  sort?: '-name'
  open?: string
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, 200) : undefined

export const parsePeopleSearch = (search: Record<string, unknown>): PeopleSearch => ({
  status: statuses.find((status) => status === search.status),
  role: roles.find((role) => role === search.role),
  q: text(search.q),
  sort: search.sort === '-name' ? '-name' : undefined,
  open: text(search.open),
})

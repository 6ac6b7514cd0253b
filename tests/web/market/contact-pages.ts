import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { TestUser } from '#testing'

export async function create(user: TestUser, path: string, fields: object) {
  const { status, body } = await user.post(path, fields)
  assert.equal(status, 201, JSON.stringify(body))
  return body as { id: string }
}

export const newContact = (user: TestUser, name: string, fields: object = {}) => {
  const [first_name, last_name] = name.split(' ')
  const email = `${first_name}.${last_name}@northgate.example`.toLowerCase()
  return create(user, '/api/contacts/', { first_name, last_name, email, owner_id: user.userId, ...fields })
}

export const grid = (page: Page) => page.getByRole('grid', { name: 'Contacts' })
export const rowOf = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name })
export const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

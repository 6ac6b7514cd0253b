import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAccessibilityProblems } from '../pages/accessibility.ts'
import { measureOverflow, phone, startWeb } from './web-pages.ts'

const { tenant, openSignedIn } = await startWeb()

test('a user who signs in sees the application, also on a phone', async () => {
  const acme = await tenant()

  const desk = await openSignedIn(acme, acme.member, { path: '/leads' })
  const small = await openSignedIn(acme, acme.member, { ...phone, path: '/leads' })

  for (const { page, errors } of [desk, small]) {
    await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
    assert.deepEqual(await findAccessibilityProblems(page), [])
    assert.equal(await measureOverflow(page), 0)
    assert.deepEqual(errors, [])
  }
})

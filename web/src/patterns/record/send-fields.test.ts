import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '../../api/problem.ts'
import { enterValues, type FieldIntents, fieldsIn, keepMine, listConflicts } from './field-intents.ts'
import { sendFields } from './send-fields.ts'

type Person = { version: number; title: string; city: string }

/** A page that shows a version of a record; `answer` says what happens to each update. */
function createPage(seen: Person, stored: Person, answer: (at: number) => ApiProblem | undefined = () => undefined) {
  let intents: FieldIntents = {}
  let [shown, record, updates] = [seen, stored, 0]
  return {
    intents: () => intents,
    stored: () => record,
    updates: () => updates,
    enter(field: keyof Person, value: string) {
      intents = enterValues(intents, { [field]: value }, { [field]: shown[field] })
    },
    keepMine() {
      intents = keepMine(intents)
    },
    send: (...fields: (keyof Person)[]) =>
      sendFields<Person>(fields, {
        readIntents: () => intents,
        changeIntents: (change) => {
          intents = change(intents)
        },
        readRecord: () => shown,
        storeRecord: (newer) => {
          shown = newer
        },
        readValues: (source) => ({ title: source.title, city: source.city }),
        load: async () => record,
        update: async (base, changes) => {
          if (base.version !== record.version) throw new ApiProblem(412, { code: 'version_mismatch' })
          const problem = answer(++updates)
          if (!problem || problem.status === 0) record = { ...record, ...changes, version: record.version + 1 }
          if (problem) throw problem
          return record
        },
      }),
  }
}

const seen = { version: 1, title: 'Buyer', city: 'Berlin' }
const notValid = new ApiProblem(422, {
  errors: [{ in: 'body', path: '/title', code: 'length', message: 'is too long' }],
})
const lost = new ApiProblem(0, {})

test('a field in conflict waits for the decision, also while another field is saved', async () => {
  const page = createPage(seen, { ...seen, version: 2, title: 'Head of Sales' })
  page.enter('title', 'VP Sales')
  await page.send('title')
  page.enter('city', 'Bonn')

  const result = await page.send('city')

  assert.equal(result.isMerged, false)
  assert.deepEqual(listConflicts(page.intents()), [{ field: 'title', mine: 'VP Sales', theirs: 'Head of Sales' }])
  assert.deepEqual(page.stored(), { version: 3, title: 'Head of Sales', city: 'Bonn' })
  page.keepMine()
  await page.send('title')
  assert.equal(page.stored().title, 'VP Sales')
  assert.deepEqual(page.intents(), {})
})

test('a value that follows a rejected one is saved without a conflict', async () => {
  const page = createPage(seen, seen, (at) => (at === 1 ? notValid : undefined))
  page.enter('title', 'Buyer of everything')
  const first = page.send('title')
  page.enter('title', 'Buyer in chief')
  await first

  assert.deepEqual(fieldsIn(page.intents(), 'waiting'), ['title'])
  await page.send('title')
  assert.equal(page.stored().title, 'Buyer in chief')
  assert.deepEqual(page.intents(), {})
})

test('a rejected value is kept with the reason, and can be replaced', async () => {
  const page = createPage(seen, seen, (at) => (at === 1 ? notValid : undefined))
  page.enter('title', 'Buyer of everything')
  await page.send('title')
  const { value, state, message } = page.intents().title!
  page.enter('title', 'Buyer in chief')
  await page.send('title')

  assert.deepEqual([value, state, message], ['Buyer of everything', 'rejected', 'is too long'])
  assert.equal(page.stored().title, 'Buyer in chief')
})

test('a value that follows one whose response was lost is saved without a conflict', async () => {
  const page = createPage(seen, seen, (at) => (at === 1 ? lost : undefined))
  page.enter('title', 'Head of Sales')
  await page.send('title')
  const failed = fieldsIn(page.intents(), 'failed')
  page.enter('title', 'VP Sales')
  await page.send('title')

  assert.deepEqual(failed, ['title'])
  assert.equal(page.stored().title, 'VP Sales')
  assert.deepEqual(page.intents(), {})
})

test('a field that is changed back before it is sent needs no request', async () => {
  const page = createPage(seen, seen)
  page.enter('title', 'VP Sales')
  page.enter('title', 'Buyer')
  await page.send('title')

  assert.equal(page.updates(), 0)
  assert.deepEqual(page.intents(), {})
})

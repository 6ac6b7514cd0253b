// Random histories of two tabs that edit one record. FIELD_HISTORIES sets their number: 5,000 in `npm run nightly`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '../../api/problem.ts'
import {
  dropFields,
  enterValues,
  type FieldIntents,
  fieldsIn,
  keepMine,
  listConflicts,
  retrySending,
} from './field-intents.ts'
import { sendFields } from './send-fields.ts'

const histories = Number(process.env.FIELD_HISTORIES ?? 300)
const firstSeed = Number(process.env.FIELD_HISTORIES_SEED ?? 1)
const steps = 25
const fields = ['title', 'city']

type Stored = Readonly<Record<string, unknown>> & { version: number }
type Answer = 'apply' | 'lose_request' | 'lose_response' | 'overload'

function createRandom(seed: number) {
  let state = seed * 2_654_435_761
  const below = (limit: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0
    return ((state ^ (state >>> 13)) >>> 0) % limit
  }
  return { below, pick: <T>(values: readonly T[]): T => values[below(values.length)]! }
}

/** A server with one record. Requests wait until the history answers them, in any order. */
function createServer() {
  let record: Stored = { version: 1, title: 'Buyer', city: 'Berlin' }
  const writes: { tab: string; field: string; value: unknown; replaced: unknown }[] = []
  const requests: ((answer: Answer) => void)[] = []
  const wait = <T>(handle: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      requests.push((answer) => {
        if (answer === 'lose_request') return reject(new ApiProblem(0, {}))
        if (answer === 'overload') return reject(new ApiProblem(503, { code: 'dependency_unavailable' }))
        try {
          const result = handle()
          if (answer === 'apply') resolve(result)
          else reject(new ApiProblem(0, {}))
        } catch (error) {
          reject(error)
        }
      })
    })
  const write = (tab: string, version: number, changes: object): Stored => {
    if (version !== record.version) throw new ApiProblem(412, { code: 'version_mismatch' })
    const rejected = Object.entries(changes).filter(([, value]) => String(value).startsWith('bad'))
    const errors = rejected.map(([field]) => ({
      in: 'body',
      path: `/${field}`,
      code: 'format',
      message: 'must be good',
    }))
    if (errors.length > 0) throw new ApiProblem(422, { code: 'validation_failed', errors })
    for (const [field, value] of Object.entries(changes)) writes.push({ tab, field, value, replaced: record[field] })
    record = { ...record, ...changes, version: version + 1 }
    return record
  }
  return {
    writes,
    requests,
    read: () => record,
    load: () => wait(() => record),
    update: (tab: string, base: Stored, changes: object) => wait(() => write(tab, base.version, changes)),
  }
}

/** A tab does what `useSaveFields` does, and remembers what its user did and saw, as an independent model. */
function createTab(name: string, server: ReturnType<typeof createServer>) {
  let intents: FieldIntents = {}
  let record = server.read()
  let isOnline = true
  let isSending = false
  const queue: string[][] = []
  const model = {
    /** The last value of each field that the user has not given up. */
    wanted: new Map<string, unknown>(),
    seen: new Map(fields.map((field) => [field, new Set([record[field]])])),
    /** How often each value may be written: once, and once more after each decision to replace another one. */
    allowed: new Map<unknown, number>(),
  }
  const see = (field: string, value: unknown) => model.seen.get(field)!.add(value)
  const store = (newer: Stored) => {
    if (newer.version >= record.version) record = newer
  }
  const sendNext = async () => {
    if (isSending || !isOnline || queue.length === 0) return
    isSending = true
    await sendFields<Stored>(queue.shift()!, {
      readIntents: () => intents,
      changeIntents: (change) => {
        intents = change(intents)
      },
      readRecord: () => record,
      storeRecord: store,
      readValues: (source, names) => Object.fromEntries(names.map((field) => [field, source[field]])),
      update: (base, changes) => server.update(name, base, changes),
      load: server.load,
    })
    isSending = false
    void sendNext()
  }
  const send = (names: string[]) => {
    queue.push(names)
    void sendNext()
  }
  return {
    name,
    model,
    get intents() {
      return intents
    },
    get isIdle() {
      return !isSending && queue.length === 0
    },
    enter(field: string, value: string, typedSince: unknown) {
      see(field, typedSince)
      model.allowed.set(value, 1)
      model.wanted.set(field, value)
      intents = enterValues(intents, { [field]: value }, { [field]: typedSince })
      send([field])
    },
    shown: (field: string) => (intents[field] ? intents[field].value : record[field]),
    retry() {
      const failed = fieldsIn(intents, 'failed')
      intents = retrySending(intents)
      send(failed)
    },
    takeTheirs() {
      for (const { field } of listConflicts(intents)) model.wanted.delete(field)
      intents = dropFields(intents, fieldsIn(intents, 'conflict'))
    },
    saveMine() {
      const conflicts = listConflicts(intents)
      for (const { field, mine, theirs } of conflicts) {
        see(field, theirs)
        model.allowed.set(mine, (model.allowed.get(mine) ?? 0) + 1)
      }
      intents = keepMine(intents)
      send(conflicts.map(({ field }) => field))
    },
    discard() {
      for (const field of fieldsIn(intents, 'rejected')) {
        model.wanted.delete(field)
        intents = dropFields(intents, [field])
      }
    },
    readAgain: () => store(server.read()),
    setOnline(next: boolean) {
      isOnline = next
      void sendNext()
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

async function playHistory(seed: number): Promise<void> {
  const random = createRandom(seed)
  const server = createServer()
  const tabs = [createTab('first', server), createTab('second', server)]
  const log: string[] = []
  const check = () => {
    for (const { name, model, intents } of tabs) {
      for (const [field, value] of model.wanted) {
        const isWritten = server.writes.some((write) => write.tab === name && write.value === value)
        assert.ok(isWritten || intents[field]?.value === value, `${name} lost ${value}`)
      }
      for (const write of server.writes.filter(({ tab }) => tab === name))
        assert.ok(
          model.seen.get(write.field)!.has(write.replaced) || model.allowed.has(write.replaced),
          `${name} replaced ${write.replaced}, which was never shown, with ${write.value}`,
        )
      for (const [value, times] of model.allowed) assert.ok(countReplaced(value) <= times, `${value} was written twice`)
    }
  }
  /** A value that replaces what it replaced before is what its user wants, if another tab has taken it back. */
  const countReplaced = (value: unknown) =>
    new Set(server.writes.filter((write) => write.value === value).map(({ replaced }) => replaced)).size
  const answerOne = async (answer: Answer) => {
    const [request] = server.requests.splice(random.below(server.requests.length), 1)
    request?.(answer)
    await settle()
    check()
  }
  try {
    for (let step = 0; step < steps; step++) {
      const tab = random.pick(tabs)
      const field = random.pick(fields)
      const action = random.below(12)
      log.push(`${tab.name} ${action} ${field}`)
      if (action < 4) tab.enter(field, `${action === 3 ? 'bad' : 'value'} ${step}`, tab.shown(field))
      else if (action < 8) await answerOne(random.pick(['apply', 'apply', 'lose_request', 'lose_response', 'overload']))
      else if (action === 8) tab.setOnline(random.below(2) === 0)
      else if (action === 9) tab.readAgain()
      else if (action === 10) random.pick([tab.saveMine, tab.takeTheirs, tab.discard])()
      else tab.retry()
    }
    for (const tab of tabs) tab.setOnline(true)
    for (let answers = 0; answers < 200 && !tabs.every(({ isIdle }) => isIdle); answers++) await answerOne('apply')
    for (const { isIdle, intents } of tabs) {
      assert.ok(isIdle)
      assert.deepEqual(fieldsIn(intents, 'waiting'), [], 'A value waits and is not sent')
    }
    for (const tab of tabs) {
      for (let round = 0; round < 4; round++) {
        for (const decide of [tab.readAgain, tab.discard, tab.retry, tab.saveMine]) decide()
        while (!tab.isIdle) await answerOne('apply')
      }
      assert.deepEqual(tab.intents, {}, 'A value remains although every question is answered')
    }
  } catch (error) {
    throw new Error(`Seed ${seed}: ${(error as Error).message}\n${log.join('\n')}`)
  }
}

test(`${histories} histories of two tabs lose no value, write none twice and replace none that was not shown`, async () => {
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) await playHistory(seed)
})

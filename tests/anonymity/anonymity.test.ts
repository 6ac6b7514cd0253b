// Random anonymous surveys and an adversary who reads everything and subtracts. ANONYMITY_SURVEYS sets their number: 2,000 in
// `npm run nightly`.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { systemActor } from '#platform/access'
import { connect, disconnect, inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { surveyActions } from '../../src/modules/surveys/surveys.fixture.ts'
import { findRevealed } from './adversary.ts'
import { archiveSurvey, restoreSurvey } from './archived-survey.ts'
import { observe } from './observer.ts'
import { startSurvey, type World } from './played-survey.ts'
import { createRandom } from './random.ts'

const surveys = Number(process.env.ANONYMITY_SURVEYS ?? 9)
const firstSeed = Number(process.env.ANONYMITY_SEED ?? 4)
const surveysOfWorkspace = 50
const app = await startTestApp({}, { isOwn: true })
/** Without the check of the lock order, because a restore replaces rows in one transaction. */
const uncheckedDb = connect(app.database.appUrl, { sameInstanceAs: app.db, max: 1 })
after(() => disconnect(uncheckedDb))

async function createWorld(): Promise<World> {
  const acme = await app.tenant()
  const leads = Array.from({ length: 80 }, (_, n) => ({ last_name: `Person ${n}`, email: `person${n}@leads.example` }))
  const leadIds: string[] = []
  for (const lead of leads) leadIds.push((await acme.manager.post('/api/leads/', lead)).body.id)
  return {
    app,
    acme,
    leadIds,
    actions: surveyActions(app, acme),
    inAcme: (work) => inTenant(uncheckedDb, systemActor(acme.id), work),
  }
}

/** Returns what the adversary has found out. */
async function play(world: World, seed: number): Promise<string | undefined> {
  const random = createRandom(seed)
  const survey = await startSurvey(world, random)
  const observer = observe(world, survey)
  const { tables } = app.services.registry
  const archive = () => world.inAcme((tx) => archiveSurvey(tx, tables, survey.id))
  let archived: Awaited<ReturnType<typeof archive>> | undefined
  const rounds = random.chance(0.3) ? 2 : 1
  for (let round = 0; round < rounds; round++) {
    const answers = random.chance(0.35) ? random.below(6) + 5 : random.below(24) + 8
    for (let number = 0; number < answers; number++) {
      await survey.answer()
      await observer.readScore()
      if (random.chance(0.1)) survey.pass(random.below(20))
      if (random.chance(0.04)) await survey.edit()
      if (random.chance(0.04)) await observer.readWhileOpen()
      if (rounds > 1 && round === 0 && random.chance(0.15)) archived = await archive()
    }
    await observer.readWhileOpen()
    await survey.close()
    await observer.readAfterEnd()
    if (round + 1 === rounds || !archived) break
    const open = archived
    await world.inAcme((tx) => restoreSurvey(tx, survey.id, open))
    observer.startBranch()
  }
  if (random.chance(0.2)) {
    assert.equal((await world.acme.member.delete(survey.url)).status, 204)
    assert.equal((await world.acme.admin.get(`${survey.url}/analytics`)).status, 404)
  }
  return observer.findRevealed()
}

test('no subtraction of what an owner, a manager or an admin reads leads to fewer than k respondents', async () => {
  const found: string[] = []
  let world = await createWorld()
  for (let number = 0; number < surveys; number++) {
    if (number > 0 && number % surveysOfWorkspace === 0) world = await createWorld()
    const seed = firstSeed + number
    try {
      const revealed = await play(world, seed)
      if (revealed) found.push(`seed ${seed}: ${revealed}`)
    } catch (error) {
      found.push(`seed ${seed}: ${(error as Error).message}`)
    }
  }
  assert.deepEqual(found.slice(0, 10), [], `ANONYMITY_SEED=<seed> ANONYMITY_SURVEYS=1 repeats one of ${found.length}`)
})

test('the adversary finds one person between two groups, two months and two scores', () => {
  const respondents = Array.from({ length: 15 }, (_, n) => ({
    mark: `${n}`,
    isPerson: true,
    channel: 'email' as const,
  }))
  const first = (n: number) => (1n << BigInt(n)) - 1n
  const whole = { name: 'all', set: first(15) }
  const find = (sets: bigint[], steps: bigint[] = []) =>
    findRevealed(respondents, 5, {
      divisions: sets.map((set) => ({ whole, parts: [{ name: 'part', set }] })),
      steps: steps.map((set) => ({ set, candidates: set })),
    })

  assert.equal(find([first(5), first(10)]), undefined)
  assert.ok(find([first(9), first(10)]))
  assert.ok(find([first(14)]))
  assert.ok(find([], [first(5), first(6)]))
  assert.equal(find([], [first(5), first(10)]), undefined)
})

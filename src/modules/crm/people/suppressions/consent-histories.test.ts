// Random histories of people. HISTORIES sets their number: 5,000 in `npm run nightly`, 50,000 in `npm run consent-histories`.
import { after, test } from 'node:test'
import { scopesOfRole, systemActor, type UserActor } from '#platform/access'
import { connect, disconnect, inTenant, type TenantTx } from '#platform/db'
import { AppError, requireValue } from '#platform/errors'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { leadBulkActions } from '../../work/lead-bulk/lead-actions.ts'
import { mayContact } from '../consent/may-contact.service.ts'
import { projectConsentBatch } from '../consent/project-consent.jobs.ts'
import { recordOptOuts } from '../consent/record-opt-out.service.ts'
import { createLeads } from '../leads/create-leads.service.ts'
import { type BulkStep, startHistory } from './consent-history.fixture.ts'

const histories = Number(process.env.HISTORIES ?? 500)
const firstSeed = Number(process.env.HISTORIES_SEED ?? (process.env.HISTORIES ? Date.now() % 1e9 : 7))
const batchSize = 1_000
/** A step of one history costs as much as a step of all histories of a batch. */
const singleSteps = 0.1
/** Most histories are short, because long ones mostly repeat what short ones contain. */
const [shortHistory, longHistory] = [2, 10]
const { tenant, db, database, owner, services } = await startTestApp()
/** Without the check of the lock order, because steps of many histories share a transaction, which saves time. */
const uncheckedDb = connect(database.appUrl, { sameInstanceAs: db, max: 1 })
after(() => disconnect(uncheckedDb))
const acme = await tenant()
const actor: UserActor = {
  ...systemActor(acme.id),
  type: 'user',
  role: 'admin',
  scopes: scopesOfRole('admin'),
  userId: acme.admin.userId,
}
const inAcme = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(uncheckedDb, actor, work)

/** Returns the id of each record that was changed, or undefined if the step was rejected. */
async function applyBulkSteps(
  tx: TenantTx,
  kind: BulkStep['kind'],
  steps: readonly BulkStep[],
): Promise<(string | undefined)[]> {
  const by = { actor, now: services.clock.now(), requestKey: newId(), offset: 0, services }
  if (kind === 'create') {
    const inputs = steps.map(({ email }) => ({ last_name: 'Moss', ...(email && { email }) }))
    return (await createLeads(tx, actor, inputs, services)).map((lead) => requireValue(lead).id)
  }
  const action = leadBulkActions.find(({ name }) => name === kind)
  const ids = steps.map(({ id }) => id)
  if (!action) {
    const reason = kind as 'unsubscribed' | 'complained' | 'bounced' | 'listed'
    const emails = steps.map(({ email }) => email!)
    await recordOptOuts(tx, services, { emails, reason, source: kind })
    return ids
  }
  await action.lockBeforeRecords?.(tx, ids)
  const results = await action.applyToAll!(tx, ids, {} as never, by)
  return results.map((result, index) => (result instanceof AppError ? undefined : ids[index]))
}

async function playBulkSteps(tx: TenantTx, steps: readonly BulkStep[]): Promise<void> {
  for (const [kind, group] of Map.groupBy(steps, (step) => step.kind)) {
    const ids = await applyBulkSteps(tx, kind, group)
    for (const [index, step] of group.entries()) if (ids[index] !== undefined) step.done(ids[index])
  }
}

async function playBatch(seeds: readonly number[]): Promise<void> {
  const batch = seeds.map((seed) => startHistory(seed, actor, services))
  const emails = batch.flatMap(({ addresses }) => addresses)
  const ask = () => inAcme((tx) => mayContact(tx, services, emails, { channel: 'email' }))
  await inAcme((tx) =>
    playBulkSteps(
      tx,
      batch.flatMap(({ firstSteps }) => firstSteps),
    ),
  )
  for (let step = 0; step < longHistory; step++) {
    const playing = batch.filter(({ isLong }) => isLong || step < shortHistory)
    await inAcme(async (tx) => {
      const [single, together] = [[] as typeof playing, [] as BulkStep[]]
      for (const history of playing) {
        const chosen = history.isSingle(singleSteps) ? undefined : history.chooseBulkStep()
        if (chosen) together.push(chosen)
        else single.push(history)
      }
      await playBulkSteps(tx, together)
      for (const history of single) await history.play(tx)
    })
    // Plans without statistics scan the whole table for every address.
    if (step === 0) await owner.query('analyze crm.consent_events, crm.suppressions, crm.leads')
    const permissions = await ask()
    if (playing.map((history) => history.check(permissions, false)).every(Boolean)) continue
    while (await inAcme((tx) => projectConsentBatch(tx, services)));
    const projected = await ask()
    for (const history of playing) history.check(projected, true)
  }
}

test('a person who opted out is not sent email, whatever was merged, edited, deleted, converted or erased', async () => {
  const seeds = Array.from({ length: histories }, (_, index) => firstSeed + index)
  for (let first = 0; first < seeds.length; first += batchSize) await playBatch(seeds.slice(first, first + batchSize))
})
